package config

import (
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// VariableNotInherited is the code of the diagnostics of [Document.CheckVariables]. The server can be started
// all the same.
const VariableNotInherited = "variable-not-inherited"

var variableNotInherited = Rule{Code: VariableNotInherited, Severity: SeverityWarning,
	About: "A server needs environment variables that it does not inherit. Servers get only the variables that " +
		"programs in general need, and those in \"env\". " +
		"This is reported for `docker run -e NAME` without a value, and for well-known servers whose variable is set on " +
		"this computer.",
	Entry: `"command": "docker", "args": ["run", "-i", "-e", "SOME_TOKEN", "some/server"]`}

// maxParsedFixes is for how many servers a fix is made for which the whole text has to be parsed.
const maxParsedFixes = 50

// CheckVariables returns warnings about servers that do not get variables that they need, in the order of the
// file. missing returns the names of the variables that an enabled server does not get. Documents that are
// not valid are not checked.
func (d *Document) CheckVariables(missing func(*Server) []string) []Diagnostic {
	if d.tree == nil || !d.Valid() {
		return nil
	}
	c := d.report()
	fixes := 0
	for _, toolbox := range d.Config.Toolboxes {
		for _, server := range toolbox.Enabled() {
			names := missing(server)
			if len(names) == 0 {
				continue
			}
			path := jsonc.Keys("toolboxes", toolbox.Name, "mcpServers", server.Name)
			entry := d.tree.At(path)
			if entry == nil {
				continue // a name occurs twice
			}
			at := (*docPath)(nil).member("toolboxes").member(toolbox.Name).member("mcpServers").member(server.Name).member("env")
			span := entry.Name
			if command := entry.Member("command"); command != nil {
				span = command.Span
			}
			each := make([]words.Text, len(names))
			for i, name := range names {
				each[i] = quoted(name)
			}
			all := words.List(each...)
			problem := c.sayAt(variableNotInherited, span, at,
				words.New("config.variable_not_inherited", "Names", all, "One", len(names) == 1),
				words.New("config.variable_not_inherited.hint", "Name", quoted(names[0]),
					"Value", "${"+names[0]+"}"))
			if changes := d.passOn(path, names); problem != nil && fixes < maxParsedFixes && changes != nil {
				problem.Fix = &Fix{Title: words.New("config.fix.pass_on", "Names", all), Changes: changes, Alone: true}
				fixes++
			}
		}
	}
	return c.finish()
}

// passOn returns the changes that add variables, with their values in the engine's environment, to a server's
// "env"; nil if there is no clear way.
func (d *Document) passOn(server jsonc.Path, names []string) []Change {
	e, err := jsonc.NewEditor(d.Source, nil)
	if err != nil {
		return nil
	}
	if err := e.Make(server.Member("env")); err != nil {
		return nil
	}
	for _, name := range names {
		value := jsonc.Parse([]byte(jsonc.Quote("${" + name + "}"))).Root
		if err := e.Set(server.Member("env").Member(name), value); err != nil {
			return nil
		}
	}
	return e.Changes()
}
