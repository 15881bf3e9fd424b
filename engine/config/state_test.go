package config

import (
	"strings"
	"testing"
)

// TestState: well-known servers are recognized however they are started, and others are not taken for them.
func TestState(t *testing.T) {
	for line, want := range map[string]State{
		"npx -y @modelcontextprotocol/server-filesystem /data": StateFolders,
		"npx -y @modelcontextprotocol/server-filesystem@1.2 a": StateFolders,
		"uvx mcp-server-fetch==2026.1.1":                       StateNone,
		"uvx awslabs.aws-documentation-mcp-server@latest":      StateNone,
		"node /x/node_modules/@playwright/mcp/cli.js":          StateBrowser,
		`node C:\x\node_modules\chrome-devtools-mcp\index.js`:  StateBrowser,
		"/usr/bin/mcp-server-git --repository=/r":              StateFolders,
		"npx -y @wonderwhy-er/desktop-commander@latest":        StateSession,
		"workbench-engine server files /data":                  StateNone,
		"workbench-engine server unheard-of":                   StateUnknown,
		"workbench-engine":                                     StateUnknown,
		"npx -y somebodys-own-server mcp":                      StateUnknown,
		"node /data/node_modules":                              StateUnknown,
		"":                                                     StateUnknown,
	} {
		s := &Server{}
		if words := strings.Fields(line); len(words) > 0 {
			s.Command, s.Args = words[0], words[1:]
		}
		if got := s.State(); got != want {
			t.Errorf("%q keeps %v, want %v", line, got, want)
		}
	}
	if got := (&Server{URL: "https://example.com/mcp-server-fetch"}).State(); got != StateUnknown {
		t.Errorf("a web address keeps %v", got)
	}
}
