package clients

import (
	"slices"
	"testing"

	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A card shows the rules of an organisation in every state. Workbench does not enforce them.
func TestPolicyOnTheCard(t *testing.T) {
	const rule = "Your organisation has switched it off."
	for _, state := range []engine.State{engine.NotConnected, engine.Connected, engine.Lost} {
		status := client("claude-desktop", state, noon)
		status.Policy = []words.Text{words.Foreign(rule)}
		view := NewView(Facts{Known: true, Now: noon, Statuses: []engine.Status{status}})
		if card := view.Cards[0]; !slices.Contains(card.Next, rule) || state == engine.NotConnected && card.Way != WayConnect {
			t.Errorf("%s: %+v", state, card)
		}
	}
}
