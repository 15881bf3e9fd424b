package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tailscale/hujson"
)

// smallest is how little a configuration may be, for hints.
const smallest = `{"toolboxes": {}}`

// member is a member of an object in the file.
type member struct {
	key         string
	name, value *hujson.Value
	at          *place
	repeated    bool // the object has the same key further up
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
		list[i] = member{key, &m.Name, &m.Value, at.member(key), repeated}
		if repeated {
			d.sayAt(SeverityError, &m.Name, list[i].at, quote(key)+" is there twice", "keep one of the two, or rename one")
		}
	}
	return list
}

// sayAt adds a diagnostic about a value, or about the name of a member.
func (d *diagnoser) sayAt(severity Severity, v *hujson.Value, at *place, message, hint string) {
	d.say(severity, d.shift+v.StartOffset, d.shift+v.EndOffset, at, message, hint)
}

func (d *diagnoser) wrongType(m member, want, hint string) {
	d.sayAt(SeverityError, m.value, m.at, fmt.Sprintf("%s must be %s, not %s", quote(m.key), want, kindName(m.value.Value)), hint)
}

func (d *diagnoser) object(m member, hint string) (*hujson.Object, bool) {
	object, ok := m.value.Value.(*hujson.Object)
	if !ok {
		d.wrongType(m, "an object", hint)
	}
	return object, ok
}

func (d *diagnoser) array(m member, hint string) (*hujson.Array, bool) {
	array, ok := m.value.Value.(*hujson.Array)
	if !ok {
		d.wrongType(m, "an array", hint)
	}
	return array, ok
}

func (d *diagnoser) stringOf(m member, hint string) (string, bool) {
	if m.value.Value.Kind() != '"' {
		d.wrongType(m, "a string", hint)
		return "", false
	}
	return decode(m.value.Value.(hujson.Literal)), true
}

// unknown warns about a key that means nothing here, and looks for duplicates in what it holds.
func (d *diagnoser) unknown(m member, hint string) {
	if hint == "" {
		hint = "it is kept, but does nothing here"
	}
	d.sayAt(SeverityWarning, m.name, m.at, "unknown key "+quote(m.key), hint)
	d.duplicates(m.value, m.at)
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
		d.sayAt(SeverityError, tree, nil, "the file must hold an object, not "+kindName(tree.Value), "an object is in curly brackets; the smallest configuration is "+smallest)
		return config
	}
	members := d.members(object, nil)
	hasToolboxes := slices.ContainsFunc(members, func(m member) bool { return m.key == "toolboxes" })
	wrapped := false
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
			d.sayAt(SeverityError, m.name, m.at, `"mcpServers" must be inside a toolbox`,
				`wrap it: {"toolboxes": {"my-tools": {"mcpServers": { … }}}}`)
			d.duplicates(m.value, m.at)
		case m.key == "mcpServers" || m.key == "servers":
			d.unknown(m, `servers belong to a toolbox: move it into one of the objects in "toolboxes"`)
		case has(m.value, "mcpServers"):
			d.unknown(m, `it looks like a toolbox; move it into "toolboxes"`)
		default:
			d.unknown(m, suggest(m.key, topKeys, nil))
		}
	}
	if !hasToolboxes && !wrapped {
		start := d.shift + tree.StartOffset
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
		hint := didYouMean(value, []string{string(ModeAuto), string(ModeProxy), string(ModeDynamic)})
		if hint == "" {
			hint = `"auto", the default, chooses by the client`
		}
		d.sayAt(SeverityError, m.value, m.at, fmt.Sprintf(`"toolMode" must be %s, not %s`, modes, quote(value)), hint)
	}
}

// maxPrefix is how many bytes "metaToolPrefix" may have: clients limit whole names to 64.
const maxPrefix = 32

func (d *diagnoser) metaToolPrefix(m member, config *Config) {
	value, ok := d.stringOf(m, `write for example "workbench_", or leave it out`)
	switch {
	case !ok:
	case cleanName(value) != value:
		d.sayAt(SeverityError, m.value, m.at, `"metaToolPrefix" may only have the letters A to Z and a to z, digits, "_" and "-"`, "write "+quote(cleanName(value)))
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
	for _, box := range d.members(object, m.at) {
		d.name(box, "toolbox")
		toolbox := d.toolbox(box)
		if toolbox != nil && !box.repeated && !m.repeated {
			config.Toolboxes = append(config.Toolboxes, toolbox)
		}
	}
}

var toolboxKeys = []string{"description", "mcpServers"}

// toolboxAliases are other programs' words for what a toolbox has.
func toolboxAlias(key string) string {
	switch strings.ToLower(key) {
	case "servers", "mcp_servers", "mcp", "tools":
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
	found, looksLikeServer := false, false
	for _, part := range d.members(object, m.at) {
		switch {
		case part.key == "mcpServers":
			found = true
			d.servers(part, toolbox)
		case part.repeated:
			d.duplicates(part.value, part.at)
		case part.key == "description":
			toolbox.Description, _ = d.stringOf(part, `write a sentence in double quotes, or leave it out`)
		case slices.Contains(serverKeys, part.key):
			looksLikeServer = true
			d.unknown(part, `this belongs to a server: put it into "mcpServers": {"my-server": { … }}`)
		case has(part.value, "command") || has(part.value, "url"):
			d.unknown(part, `it looks like a server; move it into "mcpServers" of this toolbox`)
		default:
			d.unknown(part, suggest(part.key, toolboxKeys, toolboxAlias))
		}
	}
	if !found && !looksLikeServer {
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
	for _, entry := range d.members(object, m.at) {
		d.name(entry, "server")
		server := d.server(entry, !entry.repeated && !m.repeated)
		if server != nil && !entry.repeated && !m.repeated {
			toolbox.Servers = append(toolbox.Servers, server)
		}
	}
}

// name checks the name of a toolbox or a server.
func (d *diagnoser) name(m member, what string) {
	trimmed := strings.TrimSpace(m.key)
	control := strings.ContainsFunc(m.key, unicode.IsControl)
	switch {
	case trimmed == "":
		d.sayAt(SeverityError, m.name, m.at, "the "+what+" has an empty name", "give it a name of at least one letter or digit")
	case control:
		d.sayAt(SeverityError, m.name, m.at, "the name "+quote(m.key)+" has a control character, such as a tab or a line break", "take it out")
	case trimmed != m.key:
		d.sayAt(SeverityError, m.name, m.at, "the name "+quote(m.key)+" begins or ends with a space", "write "+quote(trimmed))
	case cleanName(m.key) != m.key:
		d.sayAt(SeverityWarning, m.name, m.at, "the name "+quote(m.key)+" cannot be part of a tool's name in dynamic mode; "+quote(cleanName(m.key))+" is used there instead",
			`nothing needs to be done; names of A to Z, a to z, digits, "_" and "-" are used as they are`)
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
		return decode(m.Name.Value.(hujson.Literal)) == key
	})
}
