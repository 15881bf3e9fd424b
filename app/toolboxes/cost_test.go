package toolboxes

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/mcpserver"
)

// TestCostIsThatOfTheInstructions checks that the cost of a closed toolbox is that of the text which it adds to the
// instructions for clients.
func TestCostIsThatOfTheInstructions(t *testing.T) {
	with := parse(livelyText).Config
	without := *with
	without.Toolboxes = without.Toolboxes[1:]
	added := len(mcpserver.Instructions(with)) - len(mcpserver.Instructions(&without))
	if got := cost(with.Toolboxes[0], nil); got.Closed != tokens(added) {
		t.Errorf("%d tokens, but its text has %d bytes", got.Closed, added)
	}
}

func TestCostWords(t *testing.T) {
	toolbox := &config.Toolbox{Name: "dev",
		Servers: []*config.Server{{Name: "a"}, {Name: "b"}, {Name: "off", Disabled: true}}}
	known := map[model.Choice][]model.Tool{{Toolbox: "dev", Server: "a"}: tools("", 700, 20),
		{Toolbox: "dev", Server: "off"}: tools("", 999, 5)}
	for _, c := range []struct {
		tools        map[model.Choice][]model.Tool
		closed, open string
	}{
		{nil, "About 15 tokens closed", ""},
		{known, "About 15 tokens closed", "More than 3,700 tokens open · 20 tools"},
		{map[model.Choice][]model.Tool{{Toolbox: "dev", Server: "a"}: known[model.Choice{Toolbox: "dev", Server: "a"}],
			{Toolbox: "dev", Server: "b"}: tools("", 10, 1)}, "About 15 tokens closed", "About 3,700 tokens open · 21 tools"},
		{map[model.Choice][]model.Tool{{Toolbox: "dev", Server: "a"}: {}, {Toolbox: "dev", Server: "b"}: {}},
			"About 15 tokens closed", "About 5 tokens open · 0 tools"},
	} {
		closed, open := cost(toolbox, c.tools).Words()
		if closed != c.closed || open != c.open {
			t.Errorf("%q, %q; want %q, %q", closed, open, c.closed, c.open)
		}
	}
}

func TestRoughly(t *testing.T) {
	for n, want := range map[int]string{0: "5", 7: "5", 8: "10", 38: "40", 99: "100", 104: "100", 105: "110",
		4321: "4,300", 99999: "100,000", 1234567: "1,200,000"} {
		if got := roughly(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestControlsStay checks that the controls of a toolbox stay where they are when it becomes known what it costs. In a
// narrow window, the cost needs another line.
func TestControlsStay(t *testing.T) {
	source := from(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "npx"}}}}}`)
	for _, size := range []fyne.Size{normal, fyne.NewSize(1600, 800)} {
		source.Tools = nil
		o := open(t, source, size)
		place := func() fyne.Position {
			return fyne.CurrentApp().Driver().AbsolutePositionForObject(o.page.head.askFirst)
		}
		before := place()
		source.Tools = map[model.Choice][]model.Tool{{Toolbox: "dev", Server: "a"}: tools("", 700, 20)}
		o.Apply(viewOf(source))
		if now := place(); now != before {
			t.Errorf("at %v they go from %v to %v", size, before, now)
		}
	}
}
