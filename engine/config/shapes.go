package config

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// This file knows how other clients write what a toolbox and a server have, and makes ours of it:
// Claude Desktop and Cursor ("mcpServers" at the top), VS Code ("servers" and "inputs"), Zed
// ("context_servers", in older versions with a command of its own shape) and opencode (the command
// as an array, "environment", "enabled").

// newToolbox is the name of a toolbox that a fix makes.
const newToolbox = "my-tools"

// serversElsewhere tells whether other clients have their servers under a key.
func serversElsewhere(key string) bool {
	switch key {
	case "mcpServers", "servers", "context_servers", "mcp_servers", "mcp":
		return true
	}
	return false
}

// looksLikeServer tells whether a value is probably a server's entry.
func looksLikeServer(v *hujson.Value) bool {
	return slices.ContainsFunc([]string{"command", "url", "serverUrl", "httpUrl"}, func(key string) bool { return has(v, key) })
}

// holdsServers tells whether a value is an object of servers.
func holdsServers(v *hujson.Value) bool {
	object, ok := v.Value.(*hujson.Object)
	return ok && len(object.Members) > 0 && !slices.ContainsFunc(object.Members, func(m hujson.ObjectMember) bool { return !looksLikeServer(&m.Value) })
}

// wrapTop puts servers or toolboxes that are directly in the file where they belong.
func (d *diagnoser) wrapTop(members []member, hasToolboxes bool) *Fix {
	if hasToolboxes {
		return nil
	}
	servers := func(m member) bool {
		return m.key == "mcpServers" || serversElsewhere(m.key) && holdsServers(m.value)
	}
	if first, last, ok := run(members, servers); ok && first == last {
		m := members[first]
		changes := d.enclose(m.value, "", "}}")[1:]
		if m.key == "mcpServers" {
			changes = append(changes, d.enclose(m.name, `"toolboxes": {"`+newToolbox+`": {`, "")[0])
		} else {
			changes = append(changes, d.replaceAll(m.name, `"toolboxes": {"`+newToolbox+`": {"mcpServers"`))
		}
		return &Fix{"Put the servers into a toolbox", changes}
	}
	if first, last, ok := run(members, func(m member) bool { return has(m.value, "mcpServers") }); ok {
		return &Fix{`Put it into "toolboxes"`, d.wrap(members, first, last, `"toolboxes": {`, "}")}
	}
	if first, last, ok := run(members, func(m member) bool { return looksLikeServer(m.value) }); ok {
		return &Fix{"Put the servers into a toolbox", d.wrap(members, first, last, `"toolboxes": {"`+newToolbox+`": {"mcpServers": {`, "}}}")}
	}
	return nil
}

// run finds the members that are of a kind. They must be one after the other.
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

// wrap puts something before one member and after another.
func (d *diagnoser) wrap(members []member, first, last int, before, after string) []Change {
	return []Change{d.enclose(members[first].name, before, "")[0], d.enclose(members[last].value, "", after)[1]}
}

// wrapServer makes a toolbox of a server that stands in place of one.
func (d *diagnoser) wrapServer(m member, members []member) *Fix {
	if d.noFixes() || slices.ContainsFunc(members, func(m member) bool { return slices.Contains(toolboxKeys, m.key) || looksLikeServer(m.value) }) {
		return nil
	}
	name := string(m.name.Value.(hujson.Literal))
	return &Fix{"Make a toolbox of this server", d.enclose(m.value, `{"mcpServers": {`+name+`: `, "}}")}
}

// wrapServers puts servers that are directly in a toolbox into its "mcpServers".
func (d *diagnoser) wrapServers(box member, members []member) *Fix {
	if taken(members, "mcpServers") {
		return nil
	}
	if serversElsewhere(box.key) && holdsServers(box.value) { // the toolbox itself is missing
		return &Fix{"Put the servers into a toolbox", []Change{
			d.replaceAll(box.name, `"`+newToolbox+`": {"mcpServers"`), d.enclose(box.value, "", "}")[1],
		}}
	}
	first, last, ok := run(members, func(m member) bool { return looksLikeServer(m.value) })
	if !ok {
		return nil
	}
	return &Fix{`Put "mcpServers" around the servers`, d.wrap(members, first, last, `"mcpServers": {`, "}")}
}

// offerUnwrapped proposes to take away a second "mcpServers" around the servers.
func (d *diagnoser) offerUnwrapped(problem *Diagnostic, e *entry) {
	if problem == nil || d.noFixes() || !serversElsewhere(e.Name) || !holdsServers(e.whole.value) || !bare(e.whole) {
		return
	}
	d.offer(problem, "Remove the second "+quote(e.Name), d.unwrap(e.whole)...)
}

// bare tells whether there is no comment between a name and its value.
func bare(m member) bool { return blank(m.name.AfterExtra) && blank(m.value.BeforeExtra) }

// unwrap leaves of a member that is an object only what is in it.
func (d *diagnoser) unwrap(m member) []Change {
	object := m.value.Value.(*hujson.Object)
	open, end := d.shift+m.value.StartOffset, d.shift+m.value.EndOffset
	changes := []Change{{Start: d.shift + m.name.StartOffset, End: open + 1}, {Start: end - 1, End: end}}
	if len(object.Members) > 0 {
		last := object.Members[len(object.Members)-1].Value
		if comma, ok := d.comma(last.EndOffset, last.AfterExtra); ok {
			changes = append(changes, Change{Start: comma, End: comma + 1})
		}
	}
	return changes
}

// otherCommand reports a "command" as other clients write it: an array with the arguments in it, or an
// object with a path.
func (d *diagnoser) otherCommand(e *entry, m member) bool {
	const hint = `write the program's name, for example "npx"`
	switch value := m.value.Value.(type) {
	case *hujson.Array:
		problem := d.wrongType(m, aString, hint)
		if !d.noFixes() && len(value.Elements) > 0 {
			d.offer(problem, splitTitle, d.splitArray(e, m, value)...)
		}
		return true
	case *hujson.Object:
		problem := d.wrongType(m, aString, hint)
		if !d.noFixes() && has(m.value, "path") && bare(m) {
			for _, part := range value.Members {
				if isKey(part.Name.Value.(hujson.Literal), "path") {
					d.offer(problem, `Write it as "command" and "args"`, append(d.unwrap(m), d.replace(&part.Name, "command"))...)
				}
			}
		}
		return true
	}
	return false
}

// splitArray makes "command" of the first element and "args" of the others.
func (d *diagnoser) splitArray(e *entry, m member, array *hujson.Array) []Change {
	open, end := d.shift+m.value.StartOffset, d.shift+m.value.EndOffset
	first := array.Elements[0]
	comma, hasComma := d.comma(first.EndOffset, first.AfterExtra)
	changes := []Change{{Start: open, End: open + 1 + len(first.BeforeExtra)}}
	if !blank(first.BeforeExtra) {
		changes[0].End = open + 1
	}
	switch {
	case len(array.Elements) == 1:
		if hasComma {
			changes = append(changes, Change{Start: comma, End: comma + 1})
		}
		return append(changes, Change{Start: end - 1, End: end})
	case taken(e.members, "args"):
		return nil
	}
	second := array.Elements[1]
	after := comma + 1
	if blank(second.BeforeExtra) {
		after += len(second.BeforeExtra)
	}
	return append(changes, Change{comma, after, `, "args": [`})
}

// unknownOfServer warns about a key that no server has, but perhaps another client's.
func (d *diagnoser) unknownOfServer(e *entry, m member) {
	hint := ""
	var fix *Fix
	switch strings.ToLower(m.key) {
	case "enabled", "active":
		hint = `it does nothing here; to switch a server off, write "disabled": true`
		switch {
		case d.noFixes():
		case m.value.Value.Kind() == 't':
			if changes := d.removeMember(e.object, m.index); changes != nil {
				fix = &Fix{"Remove it", changes}
			}
		case m.value.Value.Kind() == 'f' && !taken(e.members, "disabled"):
			fix = &Fix{`Write "disabled": true`, []Change{d.replace(m.name, "disabled"), d.replaceAll(m.value, "true")}}
		}
	case "envfile":
		hint = `files with variables are not read; write the variables into "env"`
	case "timeout", "tooltimeout", "requesttimeout", "timeoutms", "startup_timeout", "inittimeout":
		hint = `some clients count it in seconds, others in milliseconds; write "callTimeout" or "startupTimeout", in seconds`
	default:
		key := knownKey(m.key, serverKeys, serverAlias)
		if key == "" {
			break
		}
		hint = "did you mean " + quote(key) + "?"
		d.misplaced(m, hint, d.renameTo(m, e.members, key), func() {
			m.key = key
			d.serverMember(&entry{&Server{}, e.whole, e.object, e.members}, m)
		})
		return
	}
	d.unknown(m, hint, fix)
}

// offerTransport proposes another transport than the one that is written.
func (d *diagnoser) offerTransport(problem *Diagnostic, e *entry, transport Transport) {
	if d.noFixes() {
		return
	}
	var changes []Change
	for _, key := range []string{"transport", "type"} {
		if m, ok := e.member(key); ok {
			changes = append(changes, d.replace(m.value, string(transport)))
		}
	}
	d.offer(problem, "Write "+quote(string(transport)), changes...)
}

// host begins an address without http:// or https://.
var host = lazyregexp.New(`^(?:(localhost|127\.[0-9.]+|\[::1\])|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)(?::[0-9]+)?(?:[/?]|$)`)

// offerAddress proposes what an address lacks.
func (d *diagnoser) offerAddress(problem *Diagnostic, v *hujson.Value, address string) {
	if d.noFixes() {
		return
	}
	if strings.TrimSpace(address) != address {
		changes := d.trim(v)
		address = strings.TrimSpace(address)
		if checkURL(address) != "" && host.MatchString(address) && len(changes) > 0 && changes[0].Start > d.shift+v.StartOffset+1 {
			at := d.shift + v.StartOffset + 1
			changes = append(changes, Change{at, at, scheme(address)})
		}
		d.offer(problem, "Correct the address", changes...)
		return
	}
	if host.MatchString(address) {
		at := d.shift + v.StartOffset + 1
		d.offer(problem, "Write "+scheme(address)+" before it", Change{at, at, scheme(address)})
	}
}

// scheme guesses what an address begins with.
func scheme(address string) string {
	if host.FindStringSubmatch(address)[1] != "" {
		return "http://" // a server on this computer rarely has a certificate
	}
	return "https://"
}
