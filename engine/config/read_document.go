package config

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// member is a member of an object in the file.
type member struct {
	key      string
	name     jsonc.Span // with its quotes
	value    *node
	at       *docPath // of the value
	repeated bool     // an earlier member has the same key
	object   *node    // that has the member
	index    int      // in object
}

// members returns the members of an object with their keys decoded, and reports duplicate keys.
func (d *diagnoser) members(object *node, at *docPath) []member {
	list := make([]member, len(object.Children))
	paths := make([]docPath, len(list))
	var seen map[string]bool
	if len(list) > 8 {
		seen = make(map[string]bool, len(list))
	}
	for i := range list {
		value := object.Children[i]
		key := value.Key
		repeated := seen[key]
		if seen == nil {
			repeated = taken(list[:i], key)
		} else {
			seen[key] = true
		}
		paths[i] = docPath{parent: at, key: key, index: -1}
		list[i] = member{key, nameOf(value), value, &paths[i], repeated, object, i}
		if repeated {
			sayDuplicate(d, list[:i+1])
		}
	}
	return list
}

// nameOf returns the span of a member's name. If it has none, that is an empty span before the value.
func nameOf(v *node) jsonc.Span {
	if v.Name.End == 0 {
		return jsonc.Span{Start: v.Start, End: v.Start}
	}
	return v.Name
}

// taken reports whether a member has this key.
func taken(members []member, key string) bool {
	return slices.ContainsFunc(members, func(m member) bool { return m.key == key })
}

// onlyDuplicates reports duplicate keys in a part of the file that is not used otherwise. The depth is limited for the
// whole file.
func (d *diagnoser) onlyDuplicates(v *node, at *docPath) {
	switch v.Kind {
	case '{':
		for _, m := range d.members(v, at) {
			d.onlyDuplicates(m.value, m.at)
		}
	case '[':
		for i := range len(v.Children) {
			d.onlyDuplicates(v.Children[i], at.element(i))
		}
	}
}

// document reads the whole tree. tree may be nil.
func (d *diagnoser) document(tree *node) *Config {
	config := &Config{ToolMode: ModeAuto}
	if tree == nil {
		return config
	}
	if tree.Kind != jsonc.Object {
		if len(d.src.mistakes) > 0 {
			return config // already reported
		}
		message := words.New("config.file_no_group", "Kind", kindName(tree))
		if tree.Kind == jsonc.Null {
			message = words.New("config.file_no_group_nothing")
		}
		d.sayAt(fileIsNoGroup, tree.Span, nil, message, words.New("config.file_no_group.hint"))
		return config
	}
	members := d.members(tree, nil)
	hasToolboxes := taken(members, "toolboxes")
	shapes := topShapes{members: members, hasToolboxes: hasToolboxes, wrap: wrapTop(members, hasToolboxes)}
	for _, m := range members {
		switch {
		case m.repeated && m.key != "toolboxes":
			d.onlyDuplicates(m.value, m.at)
		case m.key == "$schema":
			d.stringOf(m, "config.schema.write")
		case m.key == "toolMode":
			d.toolMode(m, config)
		case m.key == "metaToolPrefix":
			d.metaToolPrefix(m, config)
		case m.key == "search":
			config.Search = d.switchOf(m, "config.search.write")
		case m.key == "toolboxes":
			d.toolboxes(m, config)
		default:
			otherTopMember(d, m, &shapes)
		}
	}
	sayLongNames(d, config)
	if !hasToolboxes && !shapes.found {
		d.say(noToolboxes, tree.Start, tree.Start+1, nil, words.New("config.no_toolboxes"),
			words.New("config.smallest"))
	}
	return config
}

func (d *diagnoser) toolMode(m member, config *Config) {
	value, ok := d.stringOf(m, "config.toolmode.write")
	if !ok {
		return
	}
	switch mode := ToolMode(value); mode {
	case ModeAuto, ModeProxy, ModeDynamic:
		config.ToolMode = mode
	default:
		sayUnknownToolMode(d, m, value)
	}
}

func (d *diagnoser) metaToolPrefix(m member, config *Config) {
	value, ok := d.stringOf(m, "config.metatoolprefix.write")
	switch {
	case !ok:
	case cleanName(value) != value:
		sayBadPrefix(d, m, value)
	case len(value) > maxPrefix:
		d.sayAt(longPrefix, m.value.Span, m.at, words.New("config.long_prefix", "Length", len(value), "Most", maxPrefix),
			words.New("config.long_prefix.hint"))
	default:
		config.MetaToolPrefix = value
	}
}

func (d *diagnoser) toolboxes(m member, config *Config) {
	if !d.isGroup(m, "config.toolboxes.write") {
		return
	}
	boxes := d.members(m.value, m.at)
	whole := d.tries.unit
	for _, box := range boxes {
		d.checkName(box, named{isToolbox: true, siblings: boxes})
		d.tries.enter(oneToolbox, box)
		toolbox := d.toolbox(box)
		d.tries.unit = whole
		if toolbox != nil && !box.repeated && !m.repeated {
			config.Toolboxes = append(config.Toolboxes, toolbox)
		}
	}
}

func (d *diagnoser) toolbox(m member) *Toolbox {
	if !d.isGroup(m, "config.toolbox.write") {
		return nil
	}
	toolbox := &Toolbox{Name: m.key}
	members := d.members(m.value, m.at)
	isServer := false
	for _, part := range members {
		switch {
		case part.key == "mcpServers":
			d.servers(part, toolbox)
		case part.repeated:
			d.onlyDuplicates(part.value, part.at)
		case part.key == "description":
			toolbox.Description, _ = d.stringOf(part, "config.description.write")
		case part.key == "askFirst":
			toolbox.AskFirst = d.switchOf(part, "config.askfirst.write")
		case part.key == "open":
			toolbox.Open = d.switchOf(part, "config.open.write")
		case part.key == "apps":
			toolbox.Apps = readApps(d, part)
		case part.key == "folders":
			toolbox.Folders = readFolders(d, part)
		default:
			isServer = otherToolboxMember(d, m, part, members) || isServer
		}
	}
	if !taken(members, "mcpServers") && !isServer {
		d.sayAt(noServers, m.name, m.at, words.New("config.no_servers", "Toolbox", quote(m.key)),
			words.New("config.no_servers.hint"))
	}
	for _, server := range toolbox.Servers {
		server.AskFirst = server.AskFirst || toolbox.AskFirst
		server.Limits = Limits{toolbox.Apps, toolbox.Folders}
	}
	return toolbox
}

func (d *diagnoser) servers(m member, toolbox *Toolbox) {
	if !d.isGroup(m, "config.mcpservers.write") {
		return
	}
	entries := d.members(m.value, m.at)
	outer := d.tries.unit
	for _, entry := range entries {
		d.checkName(entry, named{siblings: entries})
		d.tries.enter(oneServer, entry)
		inForce := !entry.repeated && !m.repeated
		server := d.server(entry, inForce)
		d.tries.unit = outer
		if server != nil && inForce {
			toolbox.Servers = append(toolbox.Servers, server)
			noteLongName(d, toolbox, entry)
		}
	}
}

// checkName checks the name of a toolbox or a server.
func (d *diagnoser) checkName(m member, n named) {
	if m.value.Name.End == 0 {
		return // a missing name is already reported
	}
	for _, r := range d.rules.name {
		r.name(d, r, m, n)
	}
}

// isGroup reports whether a member is an object, and adds a diagnostic if it is not.
func (d *diagnoser) isGroup(m member, write words.Code) bool {
	if m.value.Kind == jsonc.Object {
		return true
	}
	sayWrongType(d, m, '{', write)
	d.onlyDuplicates(m.value, m.at)
	return false
}

// stringOf reads a string.
func (d *diagnoser) stringOf(m member, write words.Code) (string, bool) {
	if m.value.Kind != '"' {
		sayWrongType(d, m, '"', write)
		return "", false
	}
	return m.value.Str(), true
}
