package config

import (
	"path"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// State is what a server keeps of the app that uses it, apart from files and accounts, which are common to all apps
// anyway. If several apps use one process, they have it in common.
type State int

// What servers keep.
const (
	StateUnknown State = iota
	StateNone          // nothing: each call stands alone
	StateFolders       // nothing but the folders that the app works in, for which it asks
	StateSession       // what was said or opened before, such as a connection, a running program, a chosen board
	StateBrowser       // a browser with its pages
)

// KeepsNothing reports whether one app cannot notice in the server what another does.
func (s State) KeepsNothing() bool { return s == StateNone || s == StateFolders }

// State returns what a well-known server keeps. It is recognized by the package, image or built-in server that its
// entry names. Unless the entry says something else, apps share the servers that keep nothing, those with folders if
// the apps work in the same ones, and never those of which it is known that they keep more.
func (s *Server) State() State {
	if s.URL != "" {
		return StateUnknown
	}
	if process.Name(s.Command) == process.Engine {
		if len(s.Args) > 1 && s.Args[0] == "server" {
			return stateOfBuiltIn(s.Args[1])
		}
		return StateUnknown
	}
	for _, word := range s.Args {
		if state := stateOf(unversioned(word)); state != StateUnknown {
			return state
		}
	}
	return stateOf(process.Name(s.Command))
}

func stateOfBuiltIn(name string) State {
	switch name {
	case "files", "notes", "web", "time":
		return StateNone
	}
	return StateUnknown
}

func stateOf(name string) State {
	switch name {
	case "@modelcontextprotocol/server-filesystem", "mcp-server-git":
		return StateFolders
	case "@modelcontextprotocol/server-memory", "mcp-server-fetch", "mcp-server-time", "mcp-obsidian", "excel-mcp-server", "duckduckgo-mcp-server",
		"@brave/brave-search-mcp-server", "tavily-mcp", "exa-mcp-server", "firecrawl-mcp", "@perplexity-ai/mcp-server",
		"awslabs.aws-documentation-mcp-server", "wikipedia-mcp", "@upstash/context7-mcp", "@notionhq/notion-mcp-server",
		"airtable-mcp-server", "figma-developer-mcp", "@antv/mcp-server-chart":
		return StateNone
	case "@playwright/mcp", "chrome-devtools-mcp", "@browserbasehq/mcp":
		return StateBrowser
	case "@wonderwhy-er/desktop-commander", "@modelcontextprotocol/server-sequential-thinking",
		"@modelcontextprotocol/server-everything", "mongodb-mcp-server", "mcp-server-kubernetes",
		"@delorenj/mcp-server-trello", "basic-memory":
		return StateSession
	}
	return StateUnknown
}

// unversioned returns the name of a package without its version: @scope/name for @scope/name@1.2, and name for
// name==1.2. Of a path it returns the name below node_modules, so that an installed package is known too.
func unversioned(word string) string {
	if at := strings.LastIndex(strings.ReplaceAll(word, `\`, "/"), "/node_modules/"); at >= 0 {
		parts := strings.Split(strings.ReplaceAll(word[at+len("/node_modules/"):], `\`, "/"), "/")
		if strings.HasPrefix(parts[0], "@") && len(parts) > 1 {
			return path.Join(parts[0], parts[1])
		}
		return parts[0]
	}
	if at := strings.IndexAny(strings.TrimPrefix(word, "@"), "@="); at > 0 {
		return word[:len(word)-len(strings.TrimPrefix(word, "@"))+at]
	}
	return word
}
