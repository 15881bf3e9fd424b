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
	if m.value.Kind == '[' && len(m.value.Children) == 0 {
		d.sayAt(noApps, m.value.Span, m.at, words.New("config.no_apps"), words.New("config.no_apps.hint"))
	}
	return readLimits(d, m, "config.apps.write", "config.an_app", func(element member, id string) { checkApp(d, element, id) })
}

// readLimits reads a list of texts that says who sees a toolbox, sorted, since their order has no meaning. check is
// called for each text. It returns an empty list if that cannot be read.
func readLimits(d *diagnoser, m member, write, one words.Code, check func(element member, text string)) []string {
	texts := []string{}
	if m.value.Kind != '[' {
		sayWrongType(d, m, '[', write)
		return texts
	}
	places, before := m.at.elements(len(m.value.Children)), map[string]bool{}
	for i := range len(m.value.Children) {
		element := member{value: m.value.Children[i], at: &places[i]}
		if element.value.Kind != jsonc.String {
			sayWrongElement(d, element, one)
			continue
		}
		text := element.value.Str()
		if !before[text] {
			before[text] = true
			check(element, text)
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	return texts
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
