package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var fileIsNoGroup = Rule{Code: "file-is-no-group",
	About:   "The whole file has to be one group in curly brackets.",
	Example: `["toolboxes"]`}

var noToolboxes = Rule{Code: "no-toolboxes", Severity: SeverityWarning,
	About:   "The file has no \"toolboxes\". That is allowed, but AI apps get no tools.",
	Example: `{"toolMode": "auto"}`}

var noServers = Rule{Code: "no-servers", Severity: SeverityWarning,
	About:   "A toolbox has no \"mcpServers\", so opening it gives the model nothing.",
	Toolbox: `"description": "Tools for Git"`}

var duplicateName = Rule{Code: "duplicate-name",
	About: "A name occurs twice in one group. JSON forbids it, and programs differ in which of the two counts. " +
		"A second toolbox or server can be renamed; a second one with the same content can be removed.",
	Entry: `"command": "npx", "command": "npx"`}

// sayDuplicate reports the last of members, whose name occurs before.
func sayDuplicate(d *diagnoser, members []member) {
	m := members[len(members)-1]
	downgrade := d.downgradeErrors
	d.downgradeErrors = false // JSON itself forbids it
	problem := d.sayAt(duplicateName, m.name, m.at, words.New("config.duplicate_name", "Name", quoted(m.key)),
		words.New("config.duplicate_name.hint"))
	d.downgradeErrors = downgrade
	if problem == nil || d.noFixes() {
		return
	}
	first := members[slices.IndexFunc(members, func(o member) bool { return o.key == m.key })]
	if bytes.Equal(d.src.parsed[first.name.Start:first.value.End], d.src.parsed[m.name.Start:m.value.End]) {
		d.offer(problem, words.New("config.fix.remove_second", "Name", quoted(m.key)),
			d.src.removeMember(m.object, m.index)...)
		return
	}
	if parent := m.at.parent; parent == nil || parent.key != "toolboxes" && parent.key != "mcpServers" {
		return
	}
	for _, number := range []string{" 2", " 3", " 4", " 5"} {
		if m.object.Member(m.key+number) == nil {
			at := m.name.End - 1
			d.offer(problem, words.New("config.fix.rename", "Name", quoted(m.key+number)), put(at, at, number))
			return
		}
	}
}

var unknownToolMode = Rule{Code: "unknown-tool-mode",
	About:   "\"toolMode\" says how AI apps use tools. It has one of three values.",
	Example: `{"toolMode": "proxi", "toolboxes": {}}`}

func sayUnknownToolMode(d *diagnoser, m member, value string) {
	near := nearest(value, []string{string(ModeAuto), string(ModeProxy), string(ModeDynamic)})
	hint := words.New("config.unknown_tool_mode.hint")
	if near != "" {
		hint = didYouMean(near)
	}
	problem := d.sayAt(unknownToolMode, m.value.Span, m.at, words.New("config.unknown_tool_mode", "Value", quote(value)),
		hint)
	if near != "" {
		d.offer(problem, fixWrite(quote(near)), replaceText(m.value, near))
	}
}

var badPrefix = Rule{Code: "bad-prefix",
	About:   "\"metaToolPrefix\" becomes part of the names of tools, in which only some characters are allowed.",
	Example: `{"metaToolPrefix": "work bench.", "toolboxes": {}}`}

func sayBadPrefix(d *diagnoser, m member, value string) {
	clean := quote(cleanName(value))
	problem := d.sayAt(badPrefix, m.value.Span, m.at, words.New("config.bad_prefix"),
		words.New("config.write", "Text", clean))
	if len(value) <= maxPrefix && !strings.Contains(clean, secret.Masked) {
		d.offer(problem, fixWrite(clean), replaceText(m.value, cleanName(value)))
	}
}

var longPrefix = Rule{Code: "long-prefix",
	About:   "Clients limit the length of a tool's whole name, of which the prefix is a part.",
	Example: `{"metaToolPrefix": "the_workbench_of_the_whole_department_", "toolboxes": {}}`}

// maxPrefix is the largest length of "metaToolPrefix" in bytes: clients limit whole names to 64.
const maxPrefix = 32
