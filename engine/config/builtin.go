package config

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// builtIn returns the server that comes with the program and does the same work as a package with a reference server.
func builtIn(of string) (name string, ok bool) {
	switch of {
	case "@modelcontextprotocol/server-filesystem":
		return "files", true
	case "@modelcontextprotocol/server-memory":
		return "notes", true
	case "mcp-server-fetch":
		return "web", true
	case "mcp-server-time":
		return "time", true
	}
	return "", false
}

// useBuiltIn returns the fix that starts the server that comes with the program instead of a reference server, which
// needs Node.js or uv; nil if there is none that takes the same arguments. The user decides about it by itself, since
// something else is run, whose tools have other names.
func (d *Document) useBuiltIn(t *stringText) *Fix {
	if t.args == nil || len(t.server.Env) > 0 || len(t.server.ToolFilters) > 0 || t.value != t.server.Command ||
		!launcher.MayInstall(t.value, t.server.Args) {
		return nil
	}
	for i, arg := range t.server.Args {
		if at := strings.LastIndexByte(arg, '@'); at > 0 {
			arg = arg[:at] // a version
		}
		name, known := builtIn(arg)
		if !known {
			if strings.HasPrefix(arg, "-") {
				continue
			}
			return nil
		}
		rest := t.server.Args[i+1:]
		for _, folder := range rest {
			known = known && name == "files" && !strings.HasPrefix(folder, "-")
		}
		first, last := t.args.Children[0].Start, t.args.Children[i].End
		if !known || name == "files" && len(rest) == 0 || len(t.args.Children) != len(t.server.Args) {
			return nil
		}
		if between := string(d.Source[first:last]); strings.Contains(between, "//") || strings.Contains(between, "/*") {
			return nil // a comment would be lost
		}
		changes := []Change{
			put(t.start, t.start+len(t.in.Raw()), `"`+process.Engine+`"`), put(first, last, `"server", "`+name+`"`)}
		sortChanges(changes)
		return &Fix{Title: words.New("config.fix.built_in"), Changes: changes, Alone: true}
	}
	return nil
}
