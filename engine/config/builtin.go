package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// builtInFor returns the server that comes with the program and does the same work as a package with a reference
// server.
func builtInFor(of string) (name string, ok bool) {
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

// BuiltInInstead returns an entry that starts the server that comes with the program instead of a reference server,
// which needs Node.js or uv; false if there is none that takes the same arguments.
func BuiltInInstead(s *Server) (*Server, bool) {
	name, at, ok := s.builtIn()
	if !ok {
		return nil, false
	}
	instead := *s
	instead.Command, instead.Args = process.Engine, append([]string{"server", name}, s.Args[at+1:]...)
	return &instead, true
}

// builtIn returns the built-in server that does the work of an entry, and the index of the argument that names the
// package of the reference server. What follows it are the arguments of the server.
func (s *Server) builtIn() (name string, at int, ok bool) {
	if len(s.Env) > 0 || len(s.ToolFilters) > 0 || !launcher.MayInstall(s.Command, s.Args) {
		return "", 0, false
	}
	for at, arg := range s.Args {
		if version := strings.LastIndexByte(arg, '@'); version > 0 {
			arg = arg[:version]
		}
		name, known := builtInFor(arg)
		if !known && strings.HasPrefix(arg, "-") {
			continue
		}
		rest := s.Args[at+1:]
		flags := slices.ContainsFunc(rest, func(arg string) bool { return strings.HasPrefix(arg, "-") })
		return name, at, known && !flags && (len(rest) > 0) == (name == "files") // only files takes arguments: its folders
	}
	return "", 0, false
}

// useBuiltIn returns the fix that starts the server that comes with the program; nil if there is none. The user
// decides about it by itself, since something else is run, whose tools have other names.
func (d *Document) useBuiltIn(t *stringText) *Fix {
	if t.args == nil || t.value != t.server.Command || len(t.args.Children) != len(t.server.Args) {
		return nil
	}
	name, at, ok := t.server.builtIn()
	if !ok {
		return nil
	}
	first, last := t.args.Children[0].Start, t.args.Children[at].End
	if between := string(d.Source[first:last]); strings.Contains(between, "//") || strings.Contains(between, "/*") {
		return nil // a comment would be lost
	}
	changes := []Change{
		put(t.start, t.start+len(t.in.Raw()), `"`+process.Engine+`"`), put(first, last, `"server", "`+name+`"`)}
	sortChanges(changes)
	return &Fix{Title: words.New("config.fix.built_in"), Changes: changes, Alone: true}
}
