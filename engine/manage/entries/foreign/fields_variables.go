package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func takeEnvironment(t *translation, m member) {
	takeVariables(t, "env", &t.Server.Env, m, "=")
}

func takeHeaders(t *translation, m member) {
	takeVariables(t, "headers", &t.Server.Headers, m, ":")
}

// takeVariables takes names with values: an object, a list of texts such as NAME=value, a list of objects, or a
// text with a line for each. separator stands between a name and its value in a text.
func takeVariables(t *translation, field string, list *[]config.Variable, m member, separator string) {
	m = unquoted(m)
	before := len(*list)
	set := func(path, name, value string) {
		switch {
		case len(*list) == maxValues:
			t.leave(path, words.New("foreign.many_variables", "Most", maxValues))
		case slices.ContainsFunc(*list, func(v config.Variable) bool {
			return v.Name == name && v.Value != "" && v.Value != value
		}):
			t.leave(path, t.said(field))
		default:
			*list = slices.DeleteFunc(*list, func(v config.Variable) bool { return v.Name == name })
			*list = append(*list, config.Variable{Name: name, Value: value})
		}
	}
	assign := func(path, text string) {
		name, value, ok := strings.Cut(text, separator)
		if !ok {
			name, value, ok = strings.Cut(text, "=")
		}
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \n") {
			t.leave(path, words.New("foreign.no_assignment"))
			return
		}
		set(path, name, strings.TrimSpace(value))
	}
	switch m.Kind {
	case jsonc.Object:
		for _, v := range t.members(m.path+".", m.Node) {
			text, ok := textOf(v.Node)
			if inner := folded(v.Node, "value", "default"); !ok && valueOf(inner) != "" {
				set(v.path, v.Key, valueOf(inner))
				leaveOthers(t, v.path, v.Node, inner.Key)
				continue
			}
			if !ok {
				t.note(words.New("foreign.no_value", "Name", shown(v.Key)))
			}
			if !ok && (v.Kind == jsonc.Object || v.Kind == jsonc.Array) {
				t.leave(v.path, words.New("foreign.no_text"))
			}
			set(v.path, v.Key, text)
		}
	case jsonc.Array:
		for i, item := range items(m.Node)[:min(len(items(m.Node)), maxValues)] {
			path := fmt.Sprintf("%s[%d]", m.path, i)
			if item.Kind == jsonc.String {
				assign(path, item.Str())
				continue
			}
			key, value := folded(item, "name", "key"), folded(item, "value", "default")
			if folded(item, "enabled").Is(jsonc.False) || folded(item, "disabled").Is(jsonc.True) {
				t.leave(path, words.Text{})
				continue
			}
			if key == nil && len(members(item)) == 1 {
				value = item.Children[0]
				set(path, value.Key, valueOf(value))
				key = value
			} else if key.Str() != "" {
				set(path, key.Str(), valueOf(value))
			} else {
				t.leave(path, words.New("foreign.no_assignment"))
				continue
			}
			for _, part := range members(item) {
				if _, ok := textOf(part); part == value && !ok {
					t.leave(path+"."+part.Key, words.New("foreign.no_text"))
				} else if part != key && part != value {
					t.leave(path+"."+part.Key, words.Text{})
				}
			}
		}
		if len(items(m.Node)) > maxValues {
			t.leave(m.path, words.New("foreign.many_variables", "Most", maxValues))
		}
	case jsonc.String:
		for line := range strings.Lines(m.Str()) {
			if strings.TrimSpace(line) != "" {
				assign(m.path, strings.TrimSpace(line))
			}
		}
	default:
		t.leave(m.path, words.New("foreign.no_assignment"))
	}
	if len(*list) > before {
		t.took(field, m)
	}
}

// takePassedOn takes the names of variables that the server gets from the environment.
func takePassedOn(t *translation, m member) {
	if m.Kind == jsonc.Object {
		takeEnvironment(t, m)
		return
	}
	takeWanted(t, m, func(name string) string { return "${" + name + "}" })
}

// takeStoredKeys takes the names of variables whose values the other product keeps to itself.
func takeStoredKeys(t *translation, m member) {
	takeWanted(t, m, func(string) string { return "" })
	if len(items(m.Node)) > 0 {
		t.Stored = true
		t.note(words.New("foreign.secrets_again"))
	}
}

// takeWanted takes a list of names of variables.
func takeWanted(t *translation, m member, value func(name string) string) {
	if m.Kind != jsonc.Array {
		t.leave(m.path, words.New("foreign.no_list"))
		return
	}
	for i, item := range items(m.Node) {
		name := item.Str()
		path := fmt.Sprintf("%s[%d]", m.path, i)
		if item.Kind == jsonc.Object {
			if part := folded(item, "name"); part.Str() != "" {
				name = part.Str()
				leaveOthers(t, path, item, part.Key)
			}
		}
		switch {
		case name == "":
			t.leave(path, words.New("foreign.no_text"))
		case i >= maxValues:
			t.leave(m.path, words.New("foreign.many_variables", "Most", maxValues))
			return
		case slices.ContainsFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name && v.Value != "" }):
		default:
			t.Server.Env = slices.DeleteFunc(t.Server.Env, func(v config.Variable) bool { return v.Name == name })
			t.Server.Env = append(t.Server.Env, config.Variable{Name: name, Value: value(name)})
		}
	}
	t.took("env", m)
}

func takeEnvFile(t *translation, m member) {
	if m.Kind != jsonc.String {
		t.leave(m.path, words.New("foreign.no_text"))
	} else if m.Str() != "" {
		t.leave(m.path, words.New("foreign.env_file", "File", shown(m.Str())))
	}
}
