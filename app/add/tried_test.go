package add

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/trying"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestTryAll checks that imported servers are tried a few at a time, that the title says how many work, and that each
// failed server has remedies.
func TestTryAll(t *testing.T) {
	o := newOpened(t)
	begun := map[string]func(status.Server){}
	o.each = func(server string, done func(status.Server)) { begun[server] = done }
	o.show(fyne.NewSize(1100, 720),
		Start{Toolbox: "dev", Tried: []model.Tried{{Name: "a", Command: "npx"}, {Name: "b"}, {Name: "c"}, {Name: "d"},
			{Name: "e"}, {Name: "off", Disabled: true}}})
	if len(begun) != trying.AtOnce {
		t.Errorf("%d servers are tried at once", len(begun))
	}
	title := func(want string) {
		t.Helper()
		if got := o.title.Text(); got != want {
			t.Errorf("the title is %q, want %q", got, want)
		}
	}
	title("Trying 6 servers… 0 work so far")
	failed := func(kind status.Kind) status.Server {
		return status.Server{State: status.Failed, Problem: &status.Problem{Kind: kind, Message: words.Foreign("made up")}}
	}
	begun["a"](failed(status.KindProgram))
	begun["b"](status.Server{State: status.Connected, Tools: 3})
	unset := failed(status.KindVariable)
	unset.Problem.Field = "args"
	begun["c"](unset)
	begun["d"](status.Server{State: status.SignIn})
	title("Trying 6 servers… 1 work so far")
	begun["e"](failed(status.KindExited))
	title("1 of 6 servers work")
	shown := strings.Join(o.visible(), "\n")
	for _, want := range []string{"Works · 3 tools", "[Get Node.js]", "[Fill it in]", "[Sign in…]", "[Show log]",
		"[Try again]", "Switched off"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%s is not shown:\n%s", want, shown)
		}
	}
	if o.addedTo != "" {
		t.Error("something was added")
	}
	o.tap("Fill it in")
	if len(o.asked) != 1 || o.asked[0] != "edit args dev c" {
		t.Errorf("asked for %q", o.asked)
	}
}

// TestTryAllIsLeft checks that closing the dialog cancels the trials.
func TestTryAllIsLeft(t *testing.T) {
	o := newOpened(t).show(fyne.NewSize(800, 560), Start{Toolbox: "dev", Tried: []model.Tried{{Name: "a"}}})
	if o.ctx == nil || o.ctx.Err() != nil {
		t.Fatal("the server is not tried")
	}
	o.Close()
	if o.ctx.Err() == nil {
		t.Error("the trial was not cancelled")
	}
}
