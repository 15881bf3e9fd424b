package toolbox

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestServerThatWantsAKey: what servers of the registries write when their key is missing or wrong, and what others
// write that has similar words.
func TestServerThatWantsAKey(t *testing.T) {
	entry := &config.Server{Command: "npx", Env: []config.Variable{{Name: "REGION"}, {Name: "ACME_SECRET"},
		{Name: "SITE", Value: "x"}}}
	for wrote, want := range map[string]string{
		"Error: BRAVE_API_KEY environment variable is required":              "BRAVE_API_KEY",
		"Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables": "SLACK_BOT_TOKEN",
		"start | ValueError: Missing SITE | at main":                         "SITE",
		"GITHUB_PERSONAL_ACCESS_TOKEN not set":                               "GITHUB_PERSONAL_ACCESS_TOKEN",
		"Error: Missing API key. Get one at https://example.com/keys":        "ACME_SECRET",
		"401 Unauthorized":                                                       "ACME_SECRET",
		"request failed with status code 401":                                    "ACME_SECRET",
		"RuntimeError: authentication failed":                                    "ACME_SECRET",
		"Fatal: no credentials provided":                                         "ACME_SECRET",
		"Error: Cannot find module '/srv/keys/index.js'":                         "-",
		"SyntaxError: Invalid or unexpected token":                               "-",
		"Usage: server <allowed-directory>":                                      "-",
		"Error: listen EADDRINUSE: address already in use 127.0.0.1:4010":        "-",
		"NODE_MODULE_VERSION 115. This version of Node.js requires 127":          "-",
		"JSON parse error: missing token ] at line 3":                            "-",
		"Server API_KEY read from the environment, listening; port is not a key": "-",
	} {
		how := words.New("downstream.how_stopped", "How", words.New("process.exited", "Status", 1), "Skipped", words.Text{},
			"Wrote", wrote)
		got := problemOf(entry, words.NewError("downstream.stopped", "How", how).Because(downstream.ErrStopped))
		name := "-"
		if got.Kind == status.KindKey {
			name = got.Name
		}
		if name != want || name != "-" && got.Field != "env" {
			t.Errorf("%q: the key is %q, want %q (%+v)", wrote, name, want, got)
		}
	}
}
