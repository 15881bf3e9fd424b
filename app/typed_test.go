package app

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/config/edit"
)

// limit is the line for how long the server that is shown may take to start.
func (b *bench) limit() *kit.Input {
	b.t.Helper()
	b.detail.editor.FocusLimit()
	line, ok := b.window.window.Canvas().Focused().(*kit.Input)
	if !ok {
		b.t.Fatalf("the keyboard is at %T", b.window.window.Canvas().Focused())
	}
	return line
}

// What was typed in the settings of a server and cannot be saved stays with it, whatever is shown meanwhile and whatever it is called, and
// quitting asks for it.
func TestQuittingAsksForWhatIsTypedInTheSettings(t *testing.T) {
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh"}}}}}`, nil)
	shown := func(name string) func() string {
		return func() string {
			if toolbox, server := b.detail.editor.Shown(); toolbox != "dev" || server != name {
				return "shown is " + server
			}
			return ""
		}
	}
	b.showTab(toolboxes.Choice{Toolbox: "dev", Server: "a"}, editor.TabSetup)
	b.until(shown("a"))
	for _, r := range "ten" {
		b.limit().TypedRune(r)
	}
	if err := b.await(func(done func(error)) {
		b.edit([]edit.Op{edit.RenameServer{Toolbox: "dev", Name: "a", To: "c"}}, done)
	}); err != nil {
		t.Fatal(err)
	}
	b.until(shown("c"))
	if got := b.limit().Text; got != "ten" {
		t.Errorf("under its new name it has %q", got)
	}
	b.showTab(toolboxes.Choice{Toolbox: "dev", Server: "b"}, editor.TabSetup)
	b.until(shown("b"))
	if got := b.limit().Text; got != "" {
		t.Errorf("the other has %q", got)
	}
	if err := b.await(func(done func(error)) {
		b.edit([]edit.Op{edit.RenameServer{Toolbox: "dev", Name: "c", To: "d"}}, done)
	}); err != nil {
		t.Fatal(err)
	}
	b.showServer(toolboxes.Choice{Toolbox: "dev"}) // no server at all
	b.quit()
	if hasQuit(b.app) || b.leaving == nil {
		t.Fatal("it has quit without asking")
	}
	b.press("Keep editing")
	b.until(shown("d"))
	line := b.limit()
	if line.Text != "ten" {
		t.Errorf("it leads to %q", line.Text)
	}
	line.TypedShortcut(&fyne.ShortcutSelectAll{})
	line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	b.quit()
	if !hasQuit(b.app) {
		t.Error("it asks though nothing is typed any more")
	}
}
