package config

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var unknownApp = Rule{Code: "unknown-app", Severity: SeverityWarning,
	About: "\"apps\" has a name that is nearly the one of an AI app, but not quite, so that app does not see the " +
		"toolbox. \"workbench-desktop clients\" lists the names; other names are those of tokens, which " +
		"\"workbench-desktop serve token list\" lists.",
	Toolbox: `"apps": ["claud-desktop"], "mcpServers": {}`}

var noApps = Rule{Code: "no-apps", Severity: SeverityWarning,
	About:   "\"apps\" is an empty list, so no AI app sees the toolbox.",
	Toolbox: `"apps": [], "mcpServers": {}`}

// readApps reads the "apps" of a toolbox. If the list cannot be read, no app sees the toolbox, since the list was
// meant to exclude some.
func readApps(d *diagnoser, m member) []string {
	if m.value.Kind != '[' {
		sayWrongType(d, m, '[', "config.apps.write")
		return []string{}
	}
	apps, places := make([]string, 0, len(m.value.Children)), m.at.elements(len(m.value.Children))
	before := map[string]bool{}
	for i := range len(m.value.Children) {
		element := member{value: m.value.Children[i], at: &places[i]}
		if element.value.Kind != jsonc.String {
			sayWrongElement(d, element, "config.an_app")
			continue
		}
		id := element.value.Str()
		if !before[id] {
			before[id] = true
			checkApp(d, element, id)
			apps = append(apps, id)
		}
	}
	if len(m.value.Children) == 0 {
		d.sayAt(noApps, m.value.Span, m.at, words.New("config.no_apps"), words.New("config.no_apps.hint"))
	}
	slices.Sort(apps) // their order has no meaning
	return apps
}

// checkApp warns about an id that is nearly one in the table of clients. Others can be those of tokens.
func checkApp(d *diagnoser, m member, id string) {
	known := client.IDs()
	if slices.Contains(known, id) || d.counts[SeverityWarning] > maxDiagnostics {
		return
	}
	near := nearest(id, known)
	for _, c := range client.All() {
		if c.Name == id {
			near = c.ID // it is the app's name instead of its id
		}
	}
	if near == "" {
		return
	}
	problem := d.sayAt(unknownApp, m.value.Span, m.at, words.New("config.unknown_app", "Name", quoted(id)),
		didYouMean(near))
	if problem != nil && !d.noFixes() {
		problem.Fix = &Fix{Title: fixWrite(quote(near)), Changes: []Change{replaceText(m.value, near)}}
	}
}
