package welcome

import (
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// at returns the page of a step.
func at(step model.Step, facts Facts) *page {
	return &page{model.NewSteps(step), facts, &fake{}}
}

// The last page says that an app can use the toolboxes only if the app has started Workbench and there is a server to
// use.
func TestDone(t *testing.T) {
	const green = "Claude Desktop can use your toolboxes"
	for name, c := range map[string]struct {
		change func(*Facts)
		title  string
		mark   Mark
	}{
		"nobody": {func(*Facts) {}, "Your toolboxes are ready", MarkOurs},
		"linked": {func(f *Facts) { f.Apps[0].Linked = true }, "Almost done", MarkWait},
		"proven": {func(f *Facts) { f.Apps[0].Linked, f.Apps[0].Proven = true, true }, green, MarkGood},
		"no server": {func(f *Facts) {
			f.Apps[0].Proven, f.Usable, f.Servers = true, false, 0
		}, "Your toolboxes are still empty", NoMark},
		"broken": {func(f *Facts) { f.Apps[0].Proven, f.Usable = true, false }, "No server can be started yet", NoMark},
		"another": {func(f *Facts) {
			f.Apps[0].Linked, f.Apps[2].Proven = true, true
		}, "Cursor can use your toolboxes", MarkGood},
		"two": {func(f *Facts) {
			f.Apps[0].Proven, f.Apps[2].Proven = true, true
		}, "2 AI apps can use your toolboxes", MarkGood},
		"forbidden": {func(f *Facts) {
			f.Apps[0].Linked, f.Apps[0].Problem = true, "It is forbidden."
		}, "Claude Desktop does not start Workbench", MarkWrong},
	} {
		f := connected()
		c.change(&f)
		view := at(model.StepDone, f).view()
		if view.Title != c.title || view.Mark != c.mark || (view.Ask != "") != (c.mark == MarkGood) {
			t.Errorf("%s: the page is %+v", name, view)
		}
	}
	f := connected()
	f.Apps[0].Linked = true
	view := at(model.StepDone, f).view()
	if len(view.Rows) != 1 || len(view.Rows[0].Lines) == 0 ||
		!strings.Contains(view.Texts[0], "Waiting for Claude Desktop to start Workbench") {
		t.Errorf("the remaining steps are shown as %+v", view)
	}
}

func TestWhoIsTicked(t *testing.T) {
	ticked := func(apps ...App) (names []string) {
		for _, row := range at(model.StepConnect, Facts{Known: true, Apps: apps}).view().Rows {
			if row.Box && row.On {
				names = append(names, row.Name)
			}
		}
		return names
	}
	linked := app("cursor")
	linked.Linked = true
	for _, c := range []struct {
		got, want []string
	}{
		{ticked(app("claude-desktop"), app("cursor"), app("zed")), []string{"Claude Desktop"}},
		{ticked(app("claude-code"), app("cursor"), app("zed")), []string{"Cursor"}},
		{ticked(app("claude-code")), nil},
		{ticked(linked, app("zed")), []string{"Zed"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("the checked apps are %q, not %q", c.got, c.want)
		}
	}
}

// If all apps are connected or none can be, the main button goes on to the next step.
func TestConnectSaysWhatIsLeft(t *testing.T) {
	f := facts()
	if main := at(model.StepConnect, f).view().Main; main.Text != "Connect Claude Desktop" ||
		main.Action != ActionConnect {
		t.Errorf("the main button is %+v", main)
	}
	f.Apps[0].Linked = true
	if main := at(model.StepConnect, f).view().Main; main.Action != ActionNext {
		t.Errorf("with nothing to connect, the main button is %+v", main)
	}
	f = facts()
	f.Problem = "It cannot be."
	view := at(model.StepConnect, f).view()
	if view.Main.Action != ActionNext || view.Notice.State != theme.StateWrong || !view.Rows[0].Off ||
		len(view.Rows[0].Buttons) > 0 {
		t.Errorf("when nothing can be connected, the page is %+v", view)
	}
}

// The example needs no account, whatever is installed, and comes with the program.
func TestExampleServers(t *testing.T) {
	servers := exampleServers()
	if len(servers) != 2 {
		t.Fatalf("the servers are %+v", servers)
	}
	for i, runs := range []string{"workbench-engine", "workbench-engine"} {
		if server := servers[i]; server.Command != runs || server.About == "" || len(server.Entry) == 0 {
			t.Errorf("%+v does not run %q", server, runs)
		}
	}
}

// In every state there is a title and a button that goes on.
func TestEveryPageHasAWayOn(t *testing.T) {
	for _, f := range []Facts{{}, {Known: true}, {Known: true, Servers: 2}, facts(), connected()} {
		for step := model.StepBring; step <= model.StepDone; step++ {
			view := at(step, f).view()
			if (view.Main.Action == NoAction || view.Main.Off) && view.Skip.Action != ActionNext {
				t.Errorf("step %d of %+v has no way on: %+v", step, f, view)
			}
			if view.Title == "" || (view.Back.Action == NoAction) != (step == model.StepBring) {
				t.Errorf("step %d is shown as %+v", step, view)
			}
		}
	}
	if c, _ := engine.ByID(usualApp); c.Name != "Claude Desktop" {
		t.Error("the usual app is not in the table")
	}
}
