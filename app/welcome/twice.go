package welcome

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
)

// An app whose servers were brought in has their tools twice once it is connected: by its own entries, and from us. So these entries go while
// it is connected, unless the user wants to keep them. What has to be filled in here first stays.

// broughtIn is what is in the toolboxes now of what the apps have.
func (b *bring) broughtIn() imports.Plan {
	if b.stage == bringDone {
		return b.brought
	}
	plan := b.offer.Plan
	plan.Servers = nil // they were only looked at
	return plan
}

// doubles are the names of the servers that an app would have twice.
func (m *model) doubles(app App) []string {
	if app.Problem != "" || m.facts.Servers == 0 { // it will not start us, or all was undone: then it needs its own
		return nil
	}
	var names []string
	add := func(origins ...imports.Origin) {
		for _, o := range origins {
			if o.Client == app.ID && o.Name != "" && !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	came := m.bring.broughtIn()
	for i := range came.Servers {
		if server := &came.Servers[i]; len(server.ToFill) == 0 {
			add(server.Origin)
			add(server.Same...)
		}
	}
	for _, skipped := range came.Skipped {
		if skipped.Here {
			add(skipped.Origin)
		}
	}
	return names
}

// removals are the names of those that are taken out of an app when it is connected.
func (m *model) removals(app App) []string {
	if m.connect.keep {
		return nil
	}
	return m.doubles(app)
}

// offerRemoval adds to the page whether the entries of apps go.
func (c *connect) offerRemoval(m *model, chosen []App, view *View) {
	var with []App
	for _, app := range m.facts.Apps {
		ours := slices.ContainsFunc(chosen, func(other App) bool { return other.ID == app.ID })
		if shown := c.shown[app.ID]; (ours || shown != nil && len(shown.removing.Commands) > 0) && len(m.doubles(app)) > 0 {
			with = append(with, app)
		}
	}
	if len(with) == 0 {
		return
	}
	text := lang.L("Take these servers out of the apps: they get them from Workbench now")
	if len(with) == 1 {
		text = lang.N("Take these servers out of {{.App}}: it gets them from Workbench now", len(m.doubles(with[0])), named(with[0].Name))
	}
	view.Switch = Switch{text, !c.keep}
	view.Small = []string{lang.L("A copy of each file is kept. Under AI apps, “Disconnect…” and then “Bring in its servers…” put everything back.")}
	if c.keep {
		view.Small = append([]string{lang.L("The same tools are then there twice, which takes up room in every chat. You can change that later under AI apps.")}, view.Small...)
	}
}

// command is what people run at a terminal for an app that is connected so.
func (m *model) command(app App) string {
	shown := m.connect.shown[app.ID]
	if shown == nil || shown.plan.Paste == "" {
		return ""
	}
	lines := []string{strings.TrimRight(shown.plan.Paste, "\n")}
	if app.Linked || app.Proven { // it was run
		lines = nil
	}
	if len(m.removals(app)) > 0 {
		lines = append(lines, shown.removing.Commands...)
	}
	return strings.Join(lines, "\n")
}

// outcome says what became of the entries of an app that is connected.
func (m *model) outcome(app App) []Line {
	var moved clients.Moved
	if run := m.connect.runs[app.ID]; run != nil {
		moved = run.moved
	}
	var lines []Line
	for _, file := range moved.Files {
		lines = append(lines, Line{Text: lang.L("Taken out of its file: {{.Names}}.", listed(file.Names))})
	}
	for _, stays := range moved.Stay {
		lines = append(lines, Line{Text: lang.L("Stays in its file: {{.Names}}.", listed([]string{stays.Name})) + " " + kit.Say(stays.Reason)})
	}
	problem := moved.Problem()
	if problem != nil {
		lines = append(lines, Line{Text: kit.ErrorSentence(problem), State: theme.StateWrong})
	}
	names := m.doubles(app)
	if len(names) > 0 && (!app.ByHand || m.command(app) == "") && (len(moved.Files) == 0 || problem != nil) {
		lines = append(lines, Line{Text: lang.N("It also has {{.Count}} of these servers itself, so their tools are there twice. “Bring in its servers…” under AI apps takes them out.", len(names),
			map[string]any{"Count": len(names)}), State: theme.StateNotice})
	}
	return lines
}

func listed(names []string) map[string]any {
	return map[string]any{"Names": kit.Line(kit.SayList(names))}
}

// tookAnythingOut tells whether anything went out of an app.
func (m *model) tookAnythingOut() bool {
	for _, run := range m.connect.runs {
		if len(run.moved.Files) > 0 {
			return true
		}
	}
	return false
}
