package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// CheckTools tells where "toolFilters" name tools that a server does not have, in the order of the
// file. All are warnings, since a tool may come later. Known returns the tools of a server, and false
// when they are not known, for example because the server was never started. Documents that are
// not valid are left alone.
func (d *Document) CheckTools(known func(toolbox, server string) ([]string, bool)) []Diagnostic {
	if d.tree == nil || !d.Valid() {
		return nil
	}
	c := diagnoser{source: d.Source, shift: len(d.Source) - len(withoutMark(d.Source)), isText: true}
	root := &place{key: "toolboxes", index: -1}
	eachMember(memberOf(d.tree, "toolboxes"), func(toolbox string, box *hujson.Value) {
		at := root.member(toolbox).member("mcpServers")
		eachMember(memberOf(box, "mcpServers"), func(server string, entry *hujson.Value) {
			filters := memberOf(entry, "toolFilters")
			if filters == nil {
				return
			}
			array, ok := filters.Value.(*hujson.Array)
			if !ok || len(array.Elements) == 0 {
				return
			}
			if tools, ok := known(toolbox, server); ok {
				c.unknownTools(server, array, tools, at.member(server).member("toolFilters"))
			}
		})
	})
	return c.finish()
}

func (d *diagnoser) unknownTools(server string, filters *hujson.Array, tools []string, at *place) {
	names := make([]string, len(filters.Elements))
	for i, element := range filters.Elements {
		names[i] = decode(element.Value.(hujson.Literal))
	}
	for i, name := range names {
		// What has a star or nothing in it has been said to match nothing.
		if slices.Contains(tools, name) || strings.Contains(name, "*") || strings.TrimSpace(name) == "" || slices.Contains(names[:i], name) {
			continue
		}
		near := nearest(name, tools)
		hint := "did you mean " + quote(near) + "?"
		if near == "" {
			hint = toolNames(tools)
		}
		problem := d.sayAt(SeverityWarning, &filters.Elements[i], at.element(i), "the server "+quote(server)+" has no tool "+quote(name), hint)
		if problem != nil && near != "" && cleanName(near) == near && !slices.Contains(names, near) {
			problem.Fix = &Fix{"Write " + quote(near), []Change{d.replace(&filters.Elements[i], near)}}
		}
	}
}

// toolNames lists a server's tools as far as they fit into a hint.
func toolNames(tools []string) string {
	if len(tools) == 0 {
		return "it has no tools at all"
	}
	const most = 8
	list := make([]string, 0, most)
	for _, tool := range tools[:min(most, len(tools))] {
		list = append(list, quote(tool))
	}
	hint := "its tools are " + strings.Join(list, ", ")
	if more := len(tools) - most; more > 0 {
		hint += fmt.Sprintf(" and %d more", more)
	}
	return hint
}

// memberOf returns the value of a member, or nil.
func memberOf(v *hujson.Value, key string) *hujson.Value {
	if v == nil {
		return nil
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range object.Members {
		if isKey(object.Members[i].Name.Value.(hujson.Literal), key) {
			return &object.Members[i].Value
		}
	}
	return nil
}

func eachMember(v *hujson.Value, f func(key string, value *hujson.Value)) {
	if v == nil {
		return
	}
	if object, ok := v.Value.(*hujson.Object); ok {
		for i := range object.Members {
			f(decode(object.Members[i].Name.Value.(hujson.Literal)), &object.Members[i].Value)
		}
	}
}
