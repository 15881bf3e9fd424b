package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file knows how other clients write toolboxes and servers, and makes fixes that turn these into our
// form: Claude Desktop and Cursor ("mcpServers" at the top), VS Code ("servers" and "inputs"), Zed
// ("context_servers", in older versions with its own form of a command) and opencode (the command as an
// array, "environment", "enabled").

// newToolbox is the name of a toolbox that a fix makes.
const newToolbox = "my-tools"

var unknownField = Rule{Code: "unknown-field", Severity: SeverityWarning,
	About: "Workbench does not know this field here. It stays in the file and has no effect.",
	Entry: `"command": "npx", "autoApprove": []`}

var misspeltField = Rule{Code: "misspelt-field", Severity: SeverityWarning,
	About: "A field is unknown, and looks like one that Workbench knows: it is misspelt, or it is another client's " +
		"word for it.",
	Entry: `"comand": "npx"`}

var serversOutsideToolbox = Rule{Code: "servers-outside-toolbox",
	About: "\"mcpServers\" is at the top of the file, as in the files of other clients. In Workbench servers are in " +
		"toolboxes.",
	Example: `{"mcpServers": {"memory": {"command": "npx"}}}`}

var misplacedServers = Rule{Code: "misplaced-servers", Severity: SeverityWarning,
	About:   "A group of servers is at a place where Workbench does not look for servers.",
	Example: `{"servers": {"memory": {"command": "npx"}}}`}

var misplacedToolbox = Rule{Code: "misplaced-toolbox", Severity: SeverityWarning,
	About:   "A toolbox is outside of \"toolboxes\".",
	Example: `{"dev": {"mcpServers": {"memory": {"command": "npx"}}}}`}

var misplacedServer = Rule{Code: "misplaced-server", Severity: SeverityWarning,
	About:   "A server is outside of \"mcpServers\".",
	Toolbox: `"memory": {"command": "npx"}`}

var serverFieldInToolbox = Rule{Code: "server-field-in-toolbox", Severity: SeverityWarning,
	About:   "A field of a server is in a toolbox, outside of its servers.",
	Toolbox: `"command": "npx"`}

// sayUnknown warns about a field that has no meaning here, and reports duplicate keys in its value. fix may be
// nil.
func sayUnknown(d *diagnoser, r Rule, m member, hint words.Text, fix *Fix) {
	if hint.IsZero() {
		hint = words.New("config.unknown_field.hint")
	}
	problem := d.sayAt(r, m.name, m.at, words.New("config.unknown_field", "Name", quoted(m.key)), hint)
	d.offerFix(problem, fix)
	d.onlyDuplicates(m.value, m.at)
}

// sayMisplaced warns about a field that has a meaning elsewhere. If a fix can move it there, problems in it are
// reported at once, as warnings, since it has no effect yet.
func sayMisplaced(d *diagnoser, r Rule, m member, hint words.Text, fix *Fix, inside func()) {
	if fix == nil {
		sayUnknown(d, r, m, hint, nil)
		return
	}
	problem := d.sayAt(r, m.name, m.at, words.New("config.unknown_field", "Name", quoted(m.key)), hint)
	d.offerFix(problem, fix)
	downgrade, around := d.downgradeErrors, d.tries.unit
	d.downgradeErrors = true
	inside()
	d.downgradeErrors, d.tries.unit = downgrade, around
}

// sayMisspelt warns about an unknown field. near is the known field that it probably means, or "".
func sayMisspelt(d *diagnoser, m member, near string, members []member) {
	if near == "" {
		sayUnknown(d, unknownField, m, words.Text{}, nil)
		return
	}
	sayUnknown(d, misspeltField, m, didYouMean(near), renameTo(m, members, near))
}

// renameTo returns a fix that renames a member; nil if there is such a field already.
func renameTo(m member, members []member, key string) *Fix {
	if taken(members, key) {
		return nil
	}
	return &Fix{Title: words.New("config.fix.rename", "Name", quoted(key)),
		Changes: []Change{put(m.name.Start, m.name.End, jsonc.Quote(key))}}
}

// topShapes are the unknown members at the top of a file.
type topShapes struct {
	members      []member
	hasToolboxes bool
	wrap         *Fix
	found        bool // there is something that looks like servers or toolboxes
}

// otherTopMember reports an unknown member of the file.
func otherTopMember(d *diagnoser, m member, shapes *topShapes) {
	switch {
	case m.key == "mcpServers" && !shapes.hasToolboxes:
		shapes.found = true
		problem := d.sayAt(serversOutsideToolbox, m.name, m.at, words.New("config.servers_outside_toolbox"),
			words.New("config.servers_outside_toolbox.hint"))
		d.offerFix(problem, shapes.wrap)
		d.servers(m, &Toolbox{}) // reports the problems inside at once
	case m.key == "mcpServers" || holdsServersElsewhere(m):
		shapes.found = shapes.found || shapes.wrap != nil
		sayMisplaced(d, misplacedServers, m, words.New("config.misplaced_servers.hint"), shapes.wrap, func() {
			d.servers(m, &Toolbox{})
		})
	case m.value.Member("mcpServers") != nil:
		shapes.found = shapes.found || shapes.wrap != nil
		sayMisplaced(d, misplacedToolbox, m, words.New("config.misplaced_toolbox.hint"), shapes.wrap, func() {
			d.tries.enter(oneToolbox, m)
			d.toolbox(m)
		})
	case shapes.wrap != nil && looksLikeServer(m.value):
		shapes.found = true
		sayMisplaced(d, misplacedServer, m, words.New("config.misplaced_server_top.hint"), shapes.wrap, func() {
			d.tries.enter(oneServer, m)
			d.server(m, false)
		})
	default:
		sayMisspelt(d, m, nearest(m.key, Names(topFields)), shapes.members)
	}
}

// otherToolboxMember reports an unknown member of a toolbox. isServer is true if it is a server.
func otherToolboxMember(d *diagnoser, box, m member, members []member) (isServer bool) {
	switch {
	case fieldNamed(serverFields, m.key) != nil:
		sayUnknown(d, serverFieldInToolbox, m, words.New("config.server_field_in_toolbox.hint"), wrapServer(d, box, members))
		return true
	case looksLikeServer(m.value):
		sayMisplaced(d, misplacedServer, m, words.New("config.misplaced_server.hint"), wrapServers(box, members), func() {
			d.tries.enter(oneServer, m)
			d.server(m, false)
		})
	default:
		near := ""
		switch strings.ToLower(m.key) {
		case "servers", "mcp_servers", "mcp", "tools", "context_servers":
			near = "mcpServers"
		case "desc", "about", "summary", "title":
			near = "description"
		default:
			near = nearest(m.key, Names(toolboxFields))
		}
		sayMisspelt(d, m, near, members)
	}
	return false
}

// otherServerMember reports an unknown member of a server's entry, which may be one of another client.
func otherServerMember(d *diagnoser, e *entry, m member) {
	for _, r := range d.rules.foreign {
		if r.foreign(d, r, e, m) {
			return
		}
	}
	f := meant(serverFields, m.key)
	if f == nil {
		sayUnknown(d, unknownField, m, words.Text{}, nil)
		return
	}
	sayMisplaced(d, misspeltField, m, didYouMean(f.Name), renameTo(m, e.file.members, f.Name), func() {
		m.key = f.Name
		d.field(&entry{Server: &Server{}, file: e.file}, f, m)
	})
}

// otherGroupMember reports an unknown member of a group of a server's entry.
func otherGroupMember(d *diagnoser, e *entry, group *Field, m member, members []member) {
	f := meant(group.Members, m.key)
	if f == nil {
		sayUnknown(d, unknownField, m, words.Text{}, nil)
		return
	}
	sayMisplaced(d, misspeltField, m, didYouMean(f.Name), renameTo(m, members, f.Name), func() {
		m.key = f.Name
		d.field(&entry{Server: &Server{OAuth: &OAuth{}}, file: e.file}, f, m)
	})
}

// knownName reports whether a name is that of a field, here or in another client.
func knownName(name string) bool {
	return fieldNamed(topFields, name) != nil || fieldNamed(toolboxFields, name) != nil || serversElsewhere(name) ||
		slices.ContainsFunc(serverFields, func(f Field) bool {
			return f.Name == name || slices.Contains(f.Others, strings.ToLower(name)) || fieldNamed(f.Members, name) != nil
		})
}

// serversElsewhere reports whether other clients have their servers under a name.
func serversElsewhere(key string) bool {
	switch key {
	case "mcpServers", "servers", "context_servers", "mcp_servers", "mcp":
		return true
	}
	return false
}

// holdsServersElsewhere reports whether a member is a group of servers in another client's form.
func holdsServersElsewhere(m member) bool { return serversElsewhere(m.key) && holdsServers(m.value) }

// looksLikeServer reports whether a value is probably a server's entry.
func looksLikeServer(v *node) bool {
	return slices.ContainsFunc([]string{"command", "url", "serverUrl", "httpUrl"}, func(key string) bool {
		return v.Member(key) != nil
	})
}

// holdsServers reports whether a value is an object of servers.
func holdsServers(v *node) bool {
	return v.Kind == jsonc.Object && len(v.Children) > 0 && !slices.ContainsFunc(v.Children, func(v *node) bool {
		return !looksLikeServer(v)
	})
}

func fixIntoToolbox() words.Text { return words.New("config.fix.into_toolbox") }

// wrapTop returns a fix that moves servers or toolboxes at the top of the file to where they belong.
func wrapTop(members []member, hasToolboxes bool) *Fix {
	if hasToolboxes {
		return nil
	}
	servers := func(m member) bool { return m.key == "mcpServers" || holdsServersElsewhere(m) }
	if first, last, ok := run(members, servers); ok && first == last {
		m := members[first]
		before := put(m.name.Start, m.name.End, `"toolboxes": {"`+newToolbox+`": {"mcpServers"`)
		if m.key == "mcpServers" { // it keeps its name
			before = put(m.name.Start, m.name.Start, `"toolboxes": {"`+newToolbox+`": {`)
		}
		return &Fix{Title: fixIntoToolbox(), Changes: []Change{before, put(m.value.End, m.value.End, "}}")}}
	}
	if first, last, ok := run(members, func(m member) bool { return m.value.Member("mcpServers") != nil }); ok {
		return &Fix{Title: words.New("config.fix.into_toolboxes"),
			Changes: wrap(members, first, last, `"toolboxes": {`, "}")}
	}
	if first, last, ok := run(members, func(m member) bool { return looksLikeServer(m.value) }); ok {
		return &Fix{Title: fixIntoToolbox(),
			Changes: wrap(members, first, last, `"toolboxes": {"`+newToolbox+`": {"mcpServers": {`, "}}}")}
	}
	return nil
}

// run returns the range of members for which kind is true. ok is false unless they are next to each other.
func run(members []member, kind func(member) bool) (first, last int, ok bool) {
	first = -1
	for i, m := range members {
		if !kind(m) {
			continue
		}
		if first < 0 {
			first = i
		} else if last != i-1 {
			return 0, 0, false
		}
		last = i
	}
	return first, last, first >= 0
}

// wrap returns changes that add text before the first member and after the last.
func wrap(members []member, first, last int, before, after string) []Change {
	start, end := members[first].name.Start, members[last].value.End
	return []Change{put(start, start, before), put(end, end, after)}
}

// wrapServer returns a fix that makes a toolbox of a server that is in the place of a toolbox.
func wrapServer(d *diagnoser, m member, members []member) *Fix {
	if d.noFixes() || slices.ContainsFunc(members, func(m member) bool {
		return fieldNamed(toolboxFields, m.key) != nil || looksLikeServer(m.value)
	}) {
		return nil
	}
	name := string(d.src.parsed[m.name.Start:m.name.End])
	return &Fix{Title: words.New("config.fix.make_toolbox"),
		Changes: enclose(m.value, `{"mcpServers": {`+name+`: `, "}}")}
}

// wrapServers returns a fix that moves servers that are directly in a toolbox into its "mcpServers".
func wrapServers(box member, members []member) *Fix {
	if taken(members, "mcpServers") {
		return nil
	}
	if holdsServersElsewhere(box) { // the toolbox itself is missing
		return &Fix{Title: fixIntoToolbox(), Changes: []Change{
			put(box.name.Start, box.name.End, `"`+newToolbox+`": {"mcpServers"`), put(box.value.End, box.value.End, "}"),
		}}

	}
	first, last, ok := run(members, func(m member) bool { return looksLikeServer(m.value) })
	if !ok {
		return nil
	}
	return &Fix{Title: words.New("config.fix.into_servers"), Changes: wrap(members, first, last, `"mcpServers": {`, "}")}
}

// offerUnwrapped proposes to remove a second "mcpServers" around the servers.
func offerUnwrapped(d *diagnoser, problem *Diagnostic, e *entry) {
	whole := e.file.whole
	if problem == nil || d.noFixes() || !holdsServersElsewhere(whole) ||
		!d.src.onlyColon(whole.name.End, whole.value.Start) {
		return
	}
	d.offer(problem, words.New("config.fix.remove_second", "Name", quoted(e.Name)), unwrap(whole)...)
}

var commandAsList = Rule{Code: "command-as-list",
	About: "\"command\" is a list, as in the files of some clients. In Workbench it is the program alone, and " +
		"\"args\" has the rest.",
	Entry: `"command": ["npx", "-y", "@modelcontextprotocol/server-memory"]`}

var commandAsGroup = Rule{Code: "command-as-group",
	About: "\"command\" is a group with the program in it, as in older files of Zed.",
	Entry: `"command": {"path": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}`}

// otherCommand reports a "command" in another client's form: an array with the arguments, or an object with a
// path.
func otherCommand(d *diagnoser, e *entry, f *Field, m member) bool {
	message := func() words.Text { return mustBe(quoted(m.key), '"', m.value) }
	switch m.value.Kind {
	case jsonc.Array:
		problem := d.sayAt(commandAsList, m.value.Span, m.at, message(), f.Write.Text())
		if !d.noFixes() && len(m.value.Children) > 0 {
			d.offer(problem, fixSplit(), splitArray(d, e, m)...)
		}
		return true
	case jsonc.Object:
		problem := d.sayAt(commandAsGroup, m.value.Span, m.at, message(), f.Write.Text())
		if path := m.value.Member("path"); path != nil && !d.noFixes() && d.src.onlyColon(m.name.End, m.value.Start) {
			d.offer(problem, words.New("config.fix.write_command"),
				append(unwrap(m), put(path.Name.Start, path.Name.End, `"command"`))...)
		}
		return true
	}
	return false
}

// splitArray turns the first element into "command" and the others into "args".
func splitArray(d *diagnoser, e *entry, m member) []Change {
	elements := m.value.Children
	first := elements[0]
	comma, hasComma := first.Comma()
	changes := []Change{{Start: m.value.Start, End: m.value.Start + 1 + d.src.blanks(m.value.Start+1, first.Start)}}
	if len(elements) == 1 {
		if hasComma {
			changes = append(changes, Change{Start: comma, End: comma + 1})
		}
		return append(changes, Change{Start: m.value.End - 1, End: m.value.End})
	}
	if taken(e.file.members, "args") || !hasComma {
		return nil
	}
	return append(changes, put(comma, comma+1+d.src.blanks(comma+1, elements[1].Start), `, "args": [`))
}

var enabledField = Rule{Code: "enabled-field", Severity: SeverityWarning,
	About: "Some clients switch servers on with \"enabled\". In Workbench a server is on unless it has \"disabled\": " +
		"true.",
	Entry: `"command": "npx", "enabled": false`,
	foreign: func(d *diagnoser, r Rule, e *entry, m member) bool {
		if key := strings.ToLower(m.key); key != "enabled" && key != "active" {
			return false
		}
		var fix *Fix
		switch {
		case d.noFixes():
		case m.value.Kind == jsonc.True:
			if changes := d.src.removeMember(m.object, m.index); changes != nil {
				fix = &Fix{Title: words.New("config.fix.remove"), Changes: changes}
			}
		case m.value.Kind == jsonc.False && !taken(e.file.members, "disabled"):
			fix = &Fix{Title: fixWrite(`"disabled": true`),
				Changes: []Change{put(m.name.Start, m.name.End, `"disabled"`), replaceValue(m.value, "true")}}
		}
		sayUnknown(d, r, m, words.New("config.enabled_field.hint"), fix)
		return true
	}}

var envFile = Rule{Code: "env-file", Severity: SeverityWarning,
	About: "Some clients read environment variables from a file. Workbench does not.",
	Entry: `"command": "npx", "envFile": ".env"`,
	foreign: func(d *diagnoser, r Rule, e *entry, m member) bool {
		if strings.ToLower(m.key) != "envfile" {
			return false
		}
		sayUnknown(d, r, m, words.New("config.env_file.hint"), nil)
		return true
	}}

var unclearTimeout = Rule{Code: "unclear-timeout", Severity: SeverityWarning,
	About: "Clients do not agree on what \"timeout\" limits and in which unit, so Workbench does not guess.",
	Entry: `"command": "npx", "timeout": 60`,
	foreign: func(d *diagnoser, r Rule, e *entry, m member) bool {
		switch strings.ToLower(m.key) {
		case "timeout", "tooltimeout", "requesttimeout", "timeoutms", "startup_timeout", "inittimeout":
			sayUnknown(d, r, m, words.New("config.unclear_timeout.hint"), nil)
			return true
		}
		return false
	}}
