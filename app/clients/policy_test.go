package clients

import (
	"slices"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A card shows the rules of an organisation in every state. Workbench does not enforce them.
func TestPolicyOnTheCard(t *testing.T) {
	const rule = "Your organisation has switched it off."
	for _, state := range []engine.State{engine.NotConnected, engine.Connected, engine.Lost} {
		status := client("claude-desktop", state, noon)
		status.Policy = []words.Text{words.Foreign(rule)}
		view := NewView(Facts{Apps: model.Apps{Known: true, Statuses: []engine.Status{status}}, Now: noon})
		if card := view.Cards[0]; !slices.Contains(card.Next, rule) || state == engine.NotConnected &&
			card.Way != "Connect…" {
			t.Errorf("%s: %+v", state, card)
		}
	}
}
