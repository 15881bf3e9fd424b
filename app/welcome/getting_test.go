package welcome

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// If a server needs a program that Workbench can install, its row has a button that installs it and shows the
// progress. Then the server is tried again.
func TestGetsWhatIsMissing(t *testing.T) {
	o := begin(t, facts(), model.StepBring)
	doing, there := "", func() {}
	o.fake.getting = func(id string) (string, string) {
		switch {
		case id != "uv":
			return "", ""
		case doing != "":
			return "Cancel", doing
		}
		return "Get uv (about 25 MB, for you only)", ""
	}
	o.fake.get = func(id string, then func()) bool {
		doing, there = "Downloading uv: 1 of 25 MB", then
		return id == "uv"
	}
	o.press(fyne.KeyReturn)
	found := o.offer(func(_ imports.Plan, _ bool, done func(error)) { done(nil) })
	found.Plan.Servers = []imports.Found{
		{As: "a", Origin: imports.Origin{Client: "cursor", Name: "a"},
			Entry: config.Server{Name: "a", Command: "uvx", Args: []string{"a"}}}}
	o.read(found, nil)
	o.tap("Bring in 1 server")
	f := facts()
	f.Servers, f.Usable = 1, true
	o.Apply(f)
	o.goTo(model.StepDone)
	o.tries["a"](status.Server{State: status.Failed,
		Problem: &status.Problem{Kind: status.KindProgram, Message: words.Foreign("uvx was not found")}})
	o.did = nil
	o.tap("Get uv (about 25 MB, for you only)")
	o.asked() // no web page is opened
	o.Apply(f)
	o.reads("Downloading uv: 1 of 25 MB", "Cancel")
	doing = ""
	there()
	o.asked("try imported a")
	o.tries["a"](works)
	o.reads("The server works")
}
