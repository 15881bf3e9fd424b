package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// smallest is how little a configuration may be, for hints.
const smallest = `{"toolboxes": {}}`

// member is a member of an object in the file.
type member struct {
	key         string
	name, value *hujson.Value
	at          *place
	repeated    bool // the object has the same key further up
	object      *hujson.Object
	index       int
}

// members returns the members of an object with their keys decoded, and reports duplicate keys.
func (d *diagnoser) members(object *hujson.Object, at *place) []member {
	list := make([]member, len(object.Members))
	var seen map[string]bool
	if len(list) > 8 {
		seen = make(map[string]bool, len(list))
	}
	for i := range object.Members {
		m := &object.Members[i]
		key := decode(m.Name.Value.(hujson.Literal))
		repeated := seen[key]
		if seen == nil {
			repeated = slices.ContainsFunc(list[:i], func(m member) bool { return m.key == key })
		} else {
			seen[key] = true
		}
		list[i] = member{key, &m.Name, &m.Value, at.member(key), repeated, object, i}
		if repeated {
			mild := d.mild
			d.mild = false // JSON itself forbids it
			problem := d.sayAt(SeverityError, &m.Name, list[i].at, quote(key)+" is there twice", "keep one of the two, or rename one")
			d.mild = mild
			d.offerDuplicate(problem, object, i, list[:i])
		}
	}
	return list
}

// sayAt adds a diagnostic about a value, or about the name of a member.
func (d *diagnoser) sayAt(severity Severity, v *hujson.Value, at *place, message, hint string) *Diagnostic {
	return d.say(severity, d.original(v.StartOffset), d.original(v.EndOffset), at, message, hint)
}

func (d *diagnoser) wrongType(m member, want, hint string) *Diagnostic {
	problem := d.sayAt(SeverityError, m.value, m.at, quote(m.key)+" must be "+want+butIs(m.value.Value), hint)
	if m.value.Value.Kind() == 'n' && m.object != nil && !d.noFixes() {
		d.offer(problem, "Remove "+quote(m.key), d.removeMember(m.object, m.index)...)
	}
	return problem
}

func (d *diagnoser) object(m member, hint string) (*hujson.Object, bool) {
	object, ok := m.value.Value.(*hujson.Object)
	if !ok {
		d.wrongType(m, anObject, hint)
	}
	return object, ok
}

func (d *diagnoser) stringOf(m member, hint string) (string, bool) {
	if m.value.Value.Kind() != '"' {
		problem := d.wrongType(m, aString, hint)
		d.offerQuotes(problem, m.value)
		return "", false
	}
	return decode(m.value.Value.(hujson.Literal)), true
}

// unknown warns about a key that means nothing here, and looks for duplicates in what it holds. There
// may be a fix.
func (d *diagnoser) unknown(m member, hint string, fix ...*Fix) {
	if hint == "" {
		hint = "it is kept, but does nothing here"
	}
	problem := d.sayAt(SeverityWarning, m.name, m.at, "unknown key "+quote(m.key), hint)
	if len(fix) == 1 {
		d.offerFix(problem, fix[0])
	}
	d.duplicates(m.value, m.at)
}

// misplaced warns about a key that would mean something elsewhere. Where a fix can put it there, what is
// wrong in it is said at once, as warnings, since it is not in force.
func (d *diagnoser) misplaced(m member, hint string, fix *Fix, inside func()) {
	if fix == nil {
		d.unknown(m, hint)
		return
	}
	problem := d.sayAt(SeverityWarning, m.name, m.at, "unknown key "+quote(m.key), hint)
	d.offerFix(problem, fix)
	mild, around := d.mild, d.unit
	d.mild = true
	inside()
	d.mild, d.unit = mild, around
}

// duplicates reports duplicate keys in a part of the file that we don't understand. Its depth is
// limited, since that of the whole file is.
func (d *diagnoser) duplicates(v *hujson.Value, at *place) {
	switch value := v.Value.(type) {
	case *hujson.Object:
		for _, m := range d.members(value, at) {
			d.duplicates(m.value, m.at)
		}
	case *hujson.Array:
		for i := range value.Elements {
			d.duplicates(&value.Elements[i], at.element(i))
		}
	}
}

var topKeys = []string{"$schema", "toolMode", "metaToolPrefix", "toolboxes"}

// document reads the whole tree; it may be nil.
func (d *diagnoser) document(tree *hujson.Value) *Config {
	config := &Config{ToolMode: ModeAuto}
	if tree == nil {
		return config
	}
	object, ok := tree.Value.(*hujson.Object)
	if !ok {
		d.sayAt(SeverityError, tree, nil, "the file must hold "+anObject+butIs(tree.Value), "a group is in curly brackets; the smallest configuration is "+smallest)
		return config
	}
	members := d.members(object, nil)
	hasToolboxes := slices.ContainsFunc(members, func(m member) bool { return m.key == "toolboxes" })
	wrapped := false
	wrap := d.wrapTop(members, hasToolboxes)
	for _, m := range members {
		switch {
		case m.repeated && m.key != "toolboxes":
			d.duplicates(m.value, m.at)
		case m.key == "$schema":
			d.stringOf(m, "it holds the address of a JSON Schema, or is left out")
		case m.key == "toolMode":
			d.toolMode(m, config)
		case m.key == "metaToolPrefix":
			d.metaToolPrefix(m, config)
		case m.key == "toolboxes":
			d.toolboxes(m, config)
		case m.key == "mcpServers" && !hasToolboxes:
			wrapped = true
			problem := d.sayAt(SeverityError, m.name, m.at, `"mcpServers" must be inside a toolbox`,
				`wrap it: {"toolboxes": {"my-tools": {"mcpServers": { … }}}}`)
			d.offerFix(problem, wrap)
			d.servers(m, &Toolbox{}) // to say all at once
		case m.key == "mcpServers" || serversElsewhere(m.key) && holdsServers(m.value):
			wrapped = wrapped || wrap != nil
			d.misplaced(m, `servers belong to a toolbox: move it into one of the objects in "toolboxes"`, wrap, func() { d.servers(m, &Toolbox{}) })
		case has(m.value, "mcpServers"):
			wrapped = wrapped || wrap != nil
			d.misplaced(m, `it looks like a toolbox; move it into "toolboxes"`, wrap, func() {
				d.enter(oneToolbox, m)
				d.toolbox(m)
			})
		case wrap != nil && looksLikeServer(m.value):
			wrapped = true
			d.misplaced(m, `it looks like a server; servers belong to a toolbox: {"toolboxes": {"my-tools": {"mcpServers": { … }}}}`, wrap, func() {
				d.enter(oneServer, m)
				d.server(m, false)
			})
		default:
			d.unknown(m, suggest(m.key, topKeys, nil), d.rename(m, members, topKeys, nil))
		}
	}
	d.longNames(config)
	if !hasToolboxes && !wrapped {
		start := d.original(tree.StartOffset)
		d.say(SeverityWarning, start, start+1, nil, `there is no "toolboxes", so no tools are offered`, "the smallest configuration is "+smallest)
	}
	return config
}

func (d *diagnoser) toolMode(m member, config *Config) {
	const modes = `"auto", "proxy" or "dynamic"`
	value, ok := d.stringOf(m, "write "+modes)
	if !ok {
		return
	}
	switch mode := ToolMode(value); mode {
	case ModeAuto, ModeProxy, ModeDynamic:
		config.ToolMode = mode
	default:
		near := nearest(value, []string{string(ModeAuto), string(ModeProxy), string(ModeDynamic)})
		hint := `"auto", the default, chooses for each AI app`
		if near != "" {
			hint = "did you mean " + quote(near) + "?"
		}
		problem := d.sayAt(SeverityError, m.value, m.at, fmt.Sprintf(`"toolMode" must be %s, not %s`, modes, quote(value)), hint)
		if near != "" {
			d.offer(problem, "Write "+quote(near), d.replace(m.value, near))
		}
	}
}

// maxPrefix is how many bytes "metaToolPrefix" may have: clients limit whole names to 64.
const maxPrefix = 32

func (d *diagnoser) metaToolPrefix(m member, config *Config) {
	value, ok := d.stringOf(m, `write for example "workbench_", or leave it out`)
	switch {
	case !ok:
	case cleanName(value) != value:
		clean := quote(cleanName(value))
		problem := d.sayAt(SeverityError, m.value, m.at, `"metaToolPrefix" may only have the letters A to Z and a to z, digits, "_" and "-"`, "write "+clean)
		if len(value) <= maxPrefix && !strings.Contains(clean, secret.Masked) {
			d.offer(problem, "Write "+clean, d.replace(m.value, cleanName(value)))
		}
	case len(value) > maxPrefix:
		d.sayAt(SeverityError, m.value, m.at, fmt.Sprintf(`"metaToolPrefix" has %d characters; at most %d are allowed`, len(value), maxPrefix), "choose a shorter one, or leave it out")
	default:
		config.MetaToolPrefix = value
	}
}

func (d *diagnoser) toolboxes(m member, config *Config) {
	object, ok := d.object(m, `write "toolboxes": {"my-tools": {"mcpServers": { … }}}`)
	if !ok {
		d.duplicates(m.value, m.at)
		return
	}
	boxes := d.members(object, m.at)
	whole := d.unit
	for _, box := range boxes {
		d.name(box, boxes, "toolbox")
		d.enter(oneToolbox, box)
		toolbox := d.toolbox(box)
		d.unit = whole
		if toolbox != nil && !box.repeated && !m.repeated {
			config.Toolboxes = append(config.Toolboxes, toolbox)
		}
	}
}

var toolboxKeys = []string{"description", "mcpServers"}

// toolboxAlias returns the key of ours that other programs call by another name, "" for others.
func toolboxAlias(key string) string {
	switch strings.ToLower(key) {
	case "servers", "mcp_servers", "mcp", "tools", "context_servers":
		return "mcpServers"
	case "desc", "about", "summary", "title":
		return "description"
	}
	return ""
}

func (d *diagnoser) toolbox(m member) *Toolbox {
	object, ok := d.object(m, `a toolbox is written {"description": "…", "mcpServers": { … }}`)
	if !ok {
		d.duplicates(m.value, m.at)
		return nil
	}
	toolbox := &Toolbox{Name: m.key}
	found, isServer := false, false
	members := d.members(object, m.at)
	for _, part := range members {
		switch {
		case part.key == "mcpServers":
			found = true
			d.servers(part, toolbox)
		case part.repeated:
			d.duplicates(part.value, part.at)
		case part.key == "description":
			toolbox.Description, _ = d.stringOf(part, `write a sentence in double quotes, or leave it out`)
		case slices.Contains(serverKeys, part.key):
			isServer = true
			d.unknown(part, `this belongs to a server: put it into "mcpServers": {"my-server": { … }}`, d.wrapServer(m, members))
		case looksLikeServer(part.value):
			d.misplaced(part, `it looks like a server; move it into "mcpServers" of this toolbox`, d.wrapServers(m, members), func() {
				d.enter(oneServer, part)
				d.server(part, false)
			})
		default:
			d.unknown(part, suggest(part.key, toolboxKeys, toolboxAlias), d.rename(part, members, toolboxKeys, toolboxAlias))
		}
	}
	if !found && !isServer {
		d.sayAt(SeverityWarning, m.name, m.at, "the toolbox "+quote(m.key)+` has no "mcpServers", so it has no tools`, `add "mcpServers": { … }`)
	}
	return toolbox
}

func (d *diagnoser) servers(m member, toolbox *Toolbox) {
	object, ok := d.object(m, `write "mcpServers": {"my-server": {"command": "…"}}`)
	if !ok {
		d.duplicates(m.value, m.at)
		return
	}
	entries := d.members(object, m.at)
	outer := d.unit
	for _, entry := range entries {
		d.name(entry, entries, "server")
		d.enter(oneServer, entry)
		server := d.server(entry, !entry.repeated && !m.repeated)
		d.unit = outer
		if server != nil && !entry.repeated && !m.repeated {
			toolbox.Servers = append(toolbox.Servers, server)
			if room := nameBudget - len(cleanName(toolbox.Name)) - len(cleanName(server.Name)) - 2*len("__"); room < minToolName && toolbox.Name != "" {
				d.long = append(d.long, entry)
			}
		}
	}
}

// name checks the name of a toolbox or a server.
func (d *diagnoser) name(m member, siblings []member, what string) {
	trimmed := strings.TrimSpace(m.key)
	control := strings.ContainsFunc(m.key, unicode.IsControl)
	switch {
	case trimmed == "":
		d.sayAt(SeverityError, m.name, m.at, "the "+what+" has an empty name", "give it a name of at least one letter or digit")
	case control:
		problem := d.sayAt(SeverityError, m.name, m.at, "the name "+quote(m.key)+" has a control character, such as a tab or a line break", "take it out")
		if !strings.ContainsFunc(trimmed, unicode.IsControl) && !taken(siblings, trimmed) {
			d.offer(problem, "Remove it", d.trim(m.name)...)
		}
	case trimmed != m.key:
		problem := d.sayAt(SeverityError, m.name, m.at, "the name "+quote(m.key)+" begins or ends with a space", "write "+quote(trimmed))
		if !taken(siblings, trimmed) {
			d.offer(problem, "Remove the space", d.trim(m.name)...)
		}
	case cleanName(m.key) != m.key:
		d.sayOfNames(m, "AI apps that take tools one by one see the name "+quote(m.key)+" as "+quote(cleanName(m.key)),
			`nothing needs to be done; names of A to Z, a to z, digits, "_" and "-" are used as they are`)
	}
}

const (
	// nameBudget is how many characters a tool's whole name has in dynamic mode for a client that is
	// not known better (contract.md, section 4).
	nameBudget = 44

	// minToolName is how many of them should be left for the tool's own name. Few tools need more.
	minToolName = 12
)

// sayOfNames warns about what a name does to those of tools, and to nothing else.
func (d *diagnoser) sayOfNames(m member, message, hint string) {
	if problem := d.sayAt(SeverityWarning, m.name, m.at, message, hint); problem != nil {
		problem.NamesOnly = true
	}
}

// longNames warns about names that make dynamic mode cut those of the tools.
func (d *diagnoser) longNames(config *Config) {
	if config.ToolMode == ModeProxy {
		return
	}
	for _, long := range d.long {
		d.sayOfNames(long, "the names of the toolbox and the server "+quote(long.key)+" are long, so AI apps that take tools one by one see shortened names of its tools",
			"choose shorter names, or keep them: a shortened name ends in a number that keeps it apart from others")
	}
}

// cleanName replaces each character that cannot be part of a tool's name by "_".
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// has tells whether a value is an object with a certain key.
func has(v *hujson.Value, key string) bool {
	object, ok := v.Value.(*hujson.Object)
	return ok && slices.ContainsFunc(object.Members, func(m hujson.ObjectMember) bool {
		return isKey(m.Name.Value.(hujson.Literal), key)
	})
}

// isKey tells whether a name in the file is a certain key.
func isKey(literal hujson.Literal, key string) bool {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1:len(literal)-1]) == key
	}
	return decode(literal) == key
}
