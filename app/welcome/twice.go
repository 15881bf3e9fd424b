package welcome

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// An app whose servers were brought in would have their tools twice once it is connected: from its own entries and
// from Workbench. So connecting the app removes these entries, unless the user wants to keep them. The entry of a
// server that still needs a value in Workbench stays.

// doubles returns the names of the servers that an app would have twice.
func (p *page) doubles(app App) []string {
	// the app does not start Workbench, or bringing in was undone: it needs its own entries
	if app.Problem != "" || p.facts.Servers == 0 {
		return nil
	}
	return p.Bring.Twice(app.ID)
}

// removals returns the names of the entries that are removed from an app when it is connected.
func (p *page) removals(app App) []string {
	if p.Keep {
		return nil
	}
	return p.doubles(app)
}

// offerRemoval adds a checkbox to the page with which the user says whether the entries of apps are removed.
func (p *page) offerRemoval(chosen []App, view *View) {
	var with []App
	for _, app := range p.facts.Apps {
		ours := slices.ContainsFunc(chosen, func(other App) bool { return other.ID == app.ID })
		if shown := p.Connect.Shown[app.ID]; (ours || shown != nil && len(shown.Removing.Commands) > 0) &&
			len(p.doubles(app)) > 0 {
			with = append(with, app)
		}
	}
	if len(with) == 0 {
		return
	}
	view.Switch = Switch{Text: lang.L("Remove these servers from the apps, which get them from Workbench now"), On: !p.Keep}
	view.Small = nil
	if slices.ContainsFunc(with, func(app App) bool { return !app.Guarded }) {
		view.Small = []string{clients.CopyKept()}
	}
	if p.Keep {
		view.Small = append([]string{lang.L(
			"Their tools are then there twice, until you remove them under AI apps.")}, view.Small...)
	}
}

// command returns what the user must run in a terminal for an app whose file Workbench does not write.
func (p *page) command(app App) string {
	if run := p.Connect.Runs[app.ID]; run != nil && len(run.Moved.Commands) > 0 {
		return strings.Join(run.Moved.Commands, "\n")
	}
	return clients.CommandOf(p.Connect.Shown[app.ID], !app.Linked && !app.Proven, len(p.removals(app)) > 0)
}

// outcome says what happened to the entries of an app that was connected.
func (p *page) outcome(app App) []Line {
	var moved setup.Moved
	if run := p.Connect.Runs[app.ID]; run != nil {
		moved = run.Moved
	}
	var lines []Line
	for _, file := range moved.Files {
		lines = append(lines, Line{Text: clients.Removed(app.Name, file.Names)})
	}
	var explained []string // the list of what does not work says why they stay
	for _, stays := range moved.Stay {
		if slices.ContainsFunc(p.Bring.Failed, func(t *model.Trial) bool { return t.Name == stays.Name }) {
			explained = append(explained, stays.Name)
		} else {
			lines = append(lines, Line{Text: clients.Stays(app.Name, stays)})
		}
	}
	if len(explained) > 0 {
		lines = append(lines, Line{Text: lang.L("Stays in {{.App}}: {{.Name}}.",
			map[string]any{"App": kit.Line(app.Name), "Name": kit.Line(kit.SayList(explained))})})
	}
	problem := moved.Problem()
	if problem != nil {
		lines = append(lines, Line{Text: kit.ErrorSentence(problem), State: theme.StateWrong})
	}
	names := p.doubles(app)
	if len(names) > 0 && p.command(app) == "" && (len(moved.Files) == 0 || problem != nil) {
		lines = append(lines, Line{Text: clients.HasTwice(app.Name, names), State: theme.StateNotice})
	}
	return lines
}

func listed(names []string) map[string]any {
	return map[string]any{"Names": kit.Line(kit.SayList(names))}
}
