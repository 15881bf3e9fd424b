package config

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var unknownApp = Rule{Code: "unknown-app", Severity: SeverityWarning,
	About: "\"apps\" names an AI app that Workbench does not know, so the name lets nobody see the toolbox. " +
		"\"workbench-desktop clients\" lists the names.",
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

// checkApp warns about an id that is not in the table of clients.
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
	hint := didYouMean(near)
	if near == "" {
		hint = words.New("config.unknown_app.hint", "Apps", known)
	}
	problem := d.sayAt(unknownApp, m.value.Span, m.at, words.New("config.unknown_app", "Name", quoted(id)), hint)
	if problem != nil && near != "" && !d.noFixes() {
		problem.Fix = &Fix{Title: fixWrite(quote(near)), Changes: []Change{replaceText(m.value, near)}}
	}
}
