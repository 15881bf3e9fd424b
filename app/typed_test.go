package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// limit focuses and returns the field for the start time limit of the server that is shown.
func (b *bench) limit() *kit.Input {
	b.t.Helper()
	b.detail.Editor.FocusField("startupTimeout")
	line, ok := b.window.Window.Canvas().Focused().(*kit.Input)
	if !ok {
		b.t.Fatalf("the focus is on %T", b.window.Window.Canvas().Focused())
	}
	return line
}

// Text that was typed for a server and cannot be saved stays with the server, whatever is shown and even if the server
// is renamed. Quitting asks about it.
func TestQuittingAsksForWhatIsTypedInTheSettings(t *testing.T) {
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh"}}}}}`, nil)
	shown := func(name string) func() string {
		return func() string {
			if shown := b.detail.Editor.Shown(); shown != (model.Choice{Toolbox: "dev", Server: name}) {
				return "shown is " + shown.Server
			}
			return ""
		}
	}
	b.showTab(model.Choice{Toolbox: "dev", Server: "a"}, model.TabSetup)
	b.until(shown("a"))
	for _, r := range "ten" {
		b.limit().TypedRune(r)
	}
	if err := b.await(func(done func(error)) {
		b.saver.Edit([]edit.Op{edit.RenameServer{Toolbox: "dev", Name: "a", To: "c"}}, done)
	}); err != nil {
		t.Fatal(err)
	}
	b.until(shown("c"))
	if got := b.limit().Text; got != "ten" {
		t.Errorf("under its new name, the server has %q", got)
	}
	b.showTab(model.Choice{Toolbox: "dev", Server: "b"}, model.TabSetup)
	b.until(shown("b"))
	if got := b.limit().Text; got != "" {
		t.Errorf("the other server has %q", got)
	}
	if err := b.await(func(done func(error)) {
		b.saver.Edit([]edit.Op{edit.RenameServer{Toolbox: "dev", Name: "c", To: "d"}}, done)
	}); err != nil {
		t.Fatal(err)
	}
	b.showServer(model.Choice{Toolbox: "dev"}) // no server is shown
	b.quit()
	if hasQuit(b.app) || b.leaving == nil {
		t.Fatal("the app has quit without asking")
	}
	b.press("Keep editing")
	b.until(shown("d"))
	line := b.limit()
	if line.Text != "ten" {
		t.Errorf("the question leads to %q", line.Text)
	}
	line.TypedShortcut(&fyne.ShortcutSelectAll{})
	line.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	b.quit()
	if !hasQuit(b.app) {
		t.Error("the app asks although nothing is typed any more")
	}
}

// The text also stays with its server if an undo or another program renames it.
func TestTypedTextFollowsAServerThatIsRenamedElsewhere(t *testing.T) {
	const source = `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh"}}}, "home": {"mcpServers": {}}}}`
	dev := func(server string) model.Choice { return model.Choice{Toolbox: "dev", Server: server} }
	for name, shown := range map[string]model.Choice{"it is shown": dev("c"), "another is shown": dev("b"),
		"its toolbox is shown": dev("")} {
		for how, change := range map[string]func(b *bench) (now model.Choice){
			"undone":  func(b *bench) model.Choice { b.undo(); return dev("a") },
			"written": func(b *bench) model.Choice { b.write(strings.Replace(b.text(), `"c"`, `"d"`, 1)); return dev("d") },
			"moved": func(b *bench) model.Choice {
				b.write(`{"toolboxes": {"dev": {"mcpServers": {"b": {"command": "sh"}}}, "home": {"mcpServers": {"c": {"command": "sh"}}}}}`)
				return model.Choice{Toolbox: "home", Server: "c"}
			},
		} {
			t.Run(how+" while "+name, func(t *testing.T) {
				b := newBench(t, source, nil)
				if err := b.await(func(done func(error)) {
					b.saver.Edit([]edit.Op{edit.RenameServer{Toolbox: "dev", Name: "a", To: "c"}}, done)
				}); err != nil {
					t.Fatal(err)
				}
				b.showTab(dev("c"), model.TabSetup)
				for _, r := range "ten" {
					b.limit().TypedRune(r)
				}
				b.showServer(shown)
				now := change(b)
				b.until(func() string {
					for _, toolbox := range b.now.view.Toolboxes {
						for _, server := range toolbox.Servers {
							if toolbox.Name == now.Toolbox && server.Name == now.Server {
								return ""
							}
						}
					}
					return "it has its old name"
				})
				b.quit()
				if hasQuit(b.app) || b.leaving == nil {
					t.Fatal("the app has quit without asking")
				}
				b.press("Keep editing")
				if shown := b.detail.Editor.Shown(); shown != now {
					t.Fatalf("the question leads to %s/%s", shown.Toolbox, shown.Server)
				}
				if got := b.limit().Text; got != "ten" {
					t.Errorf("under its new name, the server has %q", got)
				}
			})
		}
	}
}

// Text that was typed for a server is neither saved nor lost when another program removes the server.
func TestTypedTextWaitsForAServerThatIsRemovedElsewhere(t *testing.T) {
	const with, without = `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh"}}}}}`,
		`{"toolboxes": {"dev": {"mcpServers": {"b": {"command": "sh"}}}}}`
	b := newBench(t, with, nil)
	b.showTab(model.Choice{Toolbox: "dev", Server: "a"}, model.TabSetup)
	for _, r := range "77" {
		b.limit().TypedRune(r)
	}
	servers := func(want int) {
		t.Helper()
		b.until(func() string {
			if boxes := b.now.view.Toolboxes; len(boxes) != 1 || len(boxes[0].Servers) != want {
				return "the change is not shown"
			}
			return ""
		})
	}
	b.write(without)
	servers(1)
	if said := saving.Unsaved(b.now.Snapshot); said != "" || b.text() != without {
		t.Errorf("the window names as unsaved %q, and the file is\n%s", said, b.text())
	}
	if focused := b.window.Window.Canvas().Focused(); focused != nil {
		t.Errorf("the keyboard is at %T, which is hidden", focused)
	}
	b.write(with)
	servers(2)
	b.toolboxes.Select(model.Choice{Toolbox: "dev", Server: "a"})
	if got := b.limit().Text; got != "77" || b.text() != with {
		t.Errorf("when the server is back, the field has %q, and the file is\n%s", got, b.text())
	}
}
