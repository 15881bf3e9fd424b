package tools

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// everything is the entry of "toolFilters" that means all tools.
const everything = "*"

// offersAll reports whether clients may see every tool, including tools that the server adds later.
func (v View) offersAll() bool { return v.Filters == nil || slices.Contains(v.Filters, everything) }

// offers reports whether clients may see a tool.
func (v View) offers(tool string) bool { return v.offersAll() || slices.Contains(v.Filters, tool) }

// offered returns how many tools clients may see.
func (v View) offered() int {
	count := 0
	for _, tool := range v.Tools {
		if v.offers(tool.Name) {
			count++
		}
	}
	return count
}

// unknown returns the names in "toolFilters" for which the server has no tool, in their order.
func (v View) unknown() []string {
	has := map[string]bool{everything: true}
	for _, tool := range v.Tools {
		has[tool.Name] = true
	}
	var names []string
	for _, name := range v.Filters {
		if !has[name] {
			has[name] = true
			names = append(names, name)
		}
	}
	return names
}

// offer returns the filters that show a tool to clients or hide it. The other names keep their order. Names for which
// the server has no tool are kept, since the server may offer them again later.
func (v View) offer(tool string, on bool) []string {
	if v.offers(tool) == on {
		return v.Filters
	}
	if !on {
		if !v.offersAll() {
			return v.without(tool)
		}
		filters := []string{} // not nil, which would mean all tools
		for _, known := range v.Tools {
			if known.Name != tool {
				filters = append(filters, known.Name)
			}
		}
		return append(filters, v.unknown()...)
	}
	return slices.Insert(slices.Clone(v.Filters), v.placeFor(tool), tool)
}

// placeFor returns the index at which to insert a tool into the filters, so that they keep the order of the server's
// tools.
func (v View) placeFor(tool string) int {
	at := slices.IndexFunc(v.Tools, func(t status.Tool) bool { return t.Name == tool })
	for i := at - 1; i >= 0; i-- {
		if place := slices.Index(v.Filters, v.Tools[i].Name); place >= 0 {
			return place + 1
		}
	}
	for i := at + 1; i < len(v.Tools); i++ {
		if place := slices.Index(v.Filters, v.Tools[i].Name); place >= 0 {
			return place
		}
	}
	return len(v.Filters)
}

// without returns the filters, which are not nil, without a name.
func (v View) without(name string) []string {
	return slices.DeleteFunc(slices.Clone(v.Filters), func(have string) bool { return have == name })
}

// ops returns the edit that writes the filters. If they are nil, it removes the field, which means all tools.
func (v View) ops(filters []string) []edit.Op {
	field := []string{"toolFilters"}
	if filters == nil {
		return []edit.Op{edit.ClearField{Target: v.Target(), Field: field}}
	}
	return []edit.Op{edit.SetField{Target: v.Target(), Field: field, Value: jsonc.Value(filters)}}
}
