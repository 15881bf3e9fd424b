package clients

import (
	"errors"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

func TestBundle(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	if o.offers("cursor", "Make a bundle…") {
		t.Error("a bundle is offered for another app")
	}
	o.pick(t, "claude-desktop", "Make a bundle…")
	o.reads(t, "Disconnect Claude Desktop here before you install the bundle",
		"The bundle will be saved as /home/ada/Downloads/workbench.mcpb.",
		"Claude Desktop will start this:", `/opt/workbench-desktop stdio --config "/home/ada/‹U+202E›x.json"`)
	o.tap(t, "Make the bundle")
	if o.last() != "make /home/ada/Downloads/workbench.mcpb" {
		t.Errorf("the last action is %q", o.last())
	}
	o.bundled("", errors.New("the disk is full"))
	o.reads(t, "The disk is full.")
	o.tap(t, "Save it elsewhere…")
	o.bundled("/home/ada/Desktop/w.mcpb", nil)
	o.reads(t, "The bundle is /home/ada/Desktop/w.mcpb.", "double click")
	o.tap(t, "Open folder")
	if o.last() != "show /home/ada/Desktop" {
		t.Errorf("the last action is %q", o.last())
	}
	o.tap(t, "Done")
	if o.dialog != nil {
		t.Error("the dialog is still open")
	}
	broken := facts()
	broken.Problem = "It runs from a folder that goes away."
	if o.Apply(NewView(broken)); o.offers("claude-desktop", "Make a bundle…") {
		t.Error("a bundle is offered although it could start nothing")
	}
}
