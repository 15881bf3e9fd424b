package workbench

import (
	"fmt"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// EnvToolMode is the environment variable that overrides the file's toolMode.
const EnvToolMode = "WORKBENCH_TOOL_MODE"

// peer is what is known of a client application, by tests of its makers and users
// (docs/clients: sources). Everything that is not known is left at its zero value, which is safe.
type peer struct {
	id    string   // as in --client
	names []string // clientInfo.name, compared without regard to case
	// followsListChanged: the client asks for the tools again after notifications/tools/list_changed,
	// so that tools may come and go (dynamic mode).
	followsListChanged bool
	// nameBudget is how long a tool name may be beside the prefix that this client adds; 0: unknown.
	nameBudget int
}

// peers returns the clients that are known to differ from the careful default.
func peers() []peer {
	return []peer{
		{id: "claude-code", names: []string{"claude-code"}, followsListChanged: true, nameBudget: 64 - len("mcp__workbench__")},
		{id: "vscode", names: []string{"Visual Studio Code"}, followsListChanged: true, nameBudget: 64 - 18},
		{id: "vscode-insiders", names: []string{"Visual Studio Code - Insiders"}, followsListChanged: true, nameBudget: 64 - 18},
		{id: "copilot", names: []string{"github-copilot-developer"}, followsListChanged: true},
		{id: "zed", names: []string{"Zed"}, followsListChanged: true},
		{id: "cline", names: []string{"Cline"}, followsListChanged: true},
		{id: "gemini", names: []string{"gemini-cli-mcp-client"}, followsListChanged: true, nameBudget: 63 - len("mcp_workbench_")},
		{id: "opencode", names: []string{"opencode"}, followsListChanged: true},
	}
}

// findPeer returns what is known of the client: by the id that our registration wrote, which is
// certain, else by the name that it gives itself.
func findPeer(id, name string) peer {
	for _, p := range peers() {
		if id != "" {
			if p.id == id {
				return p
			}
			continue
		}
		for _, known := range p.names {
			if strings.EqualFold(known, name) {
				return p
			}
		}
	}
	return peer{}
}

// resolveMode decides between proxy and dynamic. override is the value of [EnvToolMode], "" for none.
func resolveMode(override, configured config.ToolMode, client peer) config.ToolMode {
	mode := configured
	if override != "" {
		mode = override
	}
	if mode == config.ModeProxy || mode == config.ModeDynamic {
		return mode
	}
	if client.followsListChanged {
		return config.ModeDynamic
	}
	// Proxy works everywhere, Claude Desktop and unknown clients included.
	return config.ModeProxy
}

// ParseToolMode checks a value of [EnvToolMode].
func ParseToolMode(value string) (config.ToolMode, error) {
	switch mode := config.ToolMode(value); mode {
	case "", config.ModeAuto, config.ModeProxy, config.ModeDynamic:
		return mode, nil
	}
	return "", fmt.Errorf("%s is %q; it must be %q, %q or %q", EnvToolMode, value, config.ModeAuto, config.ModeProxy, config.ModeDynamic)
}

func (p peer) budget() int {
	if p.nameBudget == 0 {
		return toolbox.DefaultNameBudget
	}
	return p.nameBudget
}
