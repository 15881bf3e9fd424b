package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// takeFilters takes the names of the tools that may be used.
func takeFilters(t *translation, m member) {
	if m.Kind == jsonc.Object { // other products have the settings of single tools there
		names := folded(m.Node, "toolnames", "include")
		if names != nil {
			takeFilters(t, member{names, m.path + "." + names.Key})
			leaveOthers(t, m.path, m.Node, names.Key)
			return
		}
	}
	if m.Kind != jsonc.Array && m.Kind != jsonc.String {
		t.leave(m.path, words.Text{})
		return
	}
	if list := items(m.Node); len(list) > 0 && !slices.ContainsFunc(list, func(item *jsonc.Node) bool {
		return item.Kind == jsonc.String
	}) {
		t.leave(m.path, words.Text{}) // what the product knows of the tools, not which may be used
		return
	}
	names := textsOf(t, m)
	switch {
	case slices.Contains(names, "*"): // all tools, which is the default
		if len(names) > 1 {
			t.leave(m.path, saidBy("*"))
		}
	case len(t.from["toolFilters"]) > 0:
		t.leave(m.path, t.said("toolFilters"))
	default:
		t.Server.ToolFilters = append([]string{}, names...)
		t.took("toolFilters", m)
	}
}

// takeToolFilter takes the tools that a proxy lets through, or names those that it keeps back.
func takeToolFilter(t *translation, m member) {
	mode, list := folded(m.Node, "mode"), folded(m.Node, "list")
	switch {
	case list == nil:
		t.leave(m.path, words.Text{})
		return
	case fold(mode.Str()) == "block":
		takeExcluded(t, member{list, m.path + "." + list.Key})
	default:
		takeFilters(t, member{list, m.path + "." + list.Key})
	}
	leaveOthers(t, m.path, m.Node, list.Key, "mode")
}

// takeSomeFilters is [takeFilters] for a product in which an empty list means all tools.
func takeSomeFilters(t *translation, m member) {
	if m.Kind != jsonc.Array || len(m.Children) > 0 {
		takeFilters(t, m)
	}
}

// takeExcluded names the tools that the other product does not offer.
func takeExcluded(t *translation, m member) {
	if names := textsOf(t, m); len(names) > 0 {
		t.leave(m.path, words.New("foreign.tools_off", "Tools", shown(strings.Join(names, ", "))))
	} else if m.Kind != jsonc.Array {
		t.leave(m.path, words.Text{})
	}
}
