package config

import (
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// named says what a name belongs to.
type named struct {
	isToolbox bool
	siblings  []member
}

var emptyName = Rule{Code: "empty-name",
	About:   "A toolbox or a server has no name, so nobody can say which one is meant.",
	Example: `{"toolboxes": {"": {"mcpServers": {}}}}`,
	name: func(d *diagnoser, r Rule, m member, n named) {
		if strings.TrimSpace(m.key) != "" {
			return
		}
		message := words.New("config.empty_server_name")
		if n.isToolbox {
			message = words.New("config.empty_toolbox_name")
		}
		d.sayAt(r, m.name, m.at, message, words.New("config.empty_name.hint"))
	}}

var controlInName = Rule{Code: "control-character-in-name",
	About:   "A name has a tab, a line break or another invisible character in it.",
	Example: `{"toolboxes": {"dev\n": {"mcpServers": {}}}}`,
	name: func(d *diagnoser, r Rule, m member, n named) {
		trimmed := strings.TrimSpace(m.key)
		if trimmed == "" || !strings.ContainsFunc(m.key, unicode.IsControl) {
			return
		}
		problem := d.sayAt(r, m.name, m.at, words.New("config.control_in_name", "Name", quoted(m.key)),
			words.New("config.take_out"))
		if !strings.ContainsFunc(trimmed, unicode.IsControl) && !taken(n.siblings, trimmed) {
			d.offer(problem, words.New("config.fix.remove"), d.src.trim(m.name)...)
		}
	}}

var spaceAroundName = Rule{Code: "space-around-name",
	About:   "A name begins or ends with a space, which nobody sees and everybody forgets to type.",
	Example: `{"toolboxes": {" dev": {"mcpServers": {}}}}`,
	name: func(d *diagnoser, r Rule, m member, n named) {
		trimmed := strings.TrimSpace(m.key)
		if trimmed == "" || trimmed == m.key || strings.ContainsFunc(m.key, unicode.IsControl) {
			return
		}
		problem := d.sayAt(r, m.name, m.at, words.New("config.space_around_name", "Name", quoted(m.key)),
			words.New("config.write", "Text", quote(trimmed)))
		if !taken(n.siblings, trimmed) {
			d.offer(problem, words.New("config.fix.remove_space"), d.src.trim(m.name)...)
		}
	}}

var nameSeenOtherwise = Rule{Code: "name-seen-otherwise", Severity: SeverityWarning, NamesOnly: true,
	About: "AI apps that call tools directly see names that consist of the names of the toolbox, the server and the " +
		"tool. " +
		"Characters that cannot be in such a name become \"_\".",
	Example: `{"toolboxes": {"my tools": {"mcpServers": {}}}}`,
	name: func(d *diagnoser, r Rule, m member, n named) {
		if strings.TrimSpace(m.key) != m.key || m.key == "" || cleanName(m.key) == m.key ||
			strings.ContainsFunc(m.key, unicode.IsControl) {
			return
		}
		d.sayAt(r, m.name, m.at, words.New("config.name_seen_otherwise", "Name", quoted(m.key), "Seen",
			quoted(cleanName(m.key))),
			words.New("config.name_seen_otherwise.hint"))
	}}

var longNames = Rule{Code: "long-names", Severity: SeverityWarning, NamesOnly: true,
	About: "Clients limit the length of a tool's whole name. If toolbox and server have long names, little is left " +
		"for the name of the tool.",
	Example: `{"toolboxes": {"development-tools": {"mcpServers": {"a-rather-long-name": {"command": "npx"}}}}}`}

const (
	// nameBudget is how many characters the whole name of a tool may have in dynamic mode, for a client whose
	// own limit is not known (contract.md, section 4).
	nameBudget = 44

	// minToolName is how many of them should be left for the tool's own name. Few tools need more.
	minToolName = 12
)

// noteLongName records a server whose name, together with that of its toolbox, leaves little room.
func noteLongName(d *diagnoser, toolbox *Toolbox, entry member) {
	room := nameBudget - len(cleanName(toolbox.Name)) - len(cleanName(entry.key)) - 2*len("__")
	if room < minToolName && toolbox.Name != "" {
		d.longNamed = append(d.longNamed, entry)
	}
}

// sayLongNames warns about names with which dynamic mode must shorten the names of tools.
func sayLongNames(d *diagnoser, config *Config) {
	if config.ToolMode == ModeProxy {
		return
	}
	for _, m := range d.longNamed {
		d.sayAt(longNames, m.name, m.at, words.New("config.long_names", "Server", quoted(m.key)),
			words.New("config.long_names.hint"))
	}
}

// cleanName replaces each character that is not allowed in a tool's name by "_".
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}
