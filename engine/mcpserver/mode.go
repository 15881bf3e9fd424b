package mcpserver

import (
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// EnvToolMode is the environment variable that overrides toolMode of the configuration.
const EnvToolMode = "WORKBENCH_TOOL_MODE"

// resolveMode returns the mode for a client, proxy or dynamic. override is the value of [EnvToolMode], "" for none.
func resolveMode(override, configured config.ToolMode, c *client.Client) config.ToolMode {
	mode := configured
	if override != "" {
		mode = override
	}
	if mode == config.ModeProxy || mode == config.ModeDynamic {
		return mode
	}
	if c.Dynamic() {
		return config.ModeDynamic
	}
	// Proxy mode works with all clients.
	return config.ModeProxy
}

// ParseToolMode parses a value of [EnvToolMode].
func ParseToolMode(value string) (config.ToolMode, error) {
	switch mode := config.ToolMode(value); mode {
	case "", config.ModeAuto, config.ModeProxy, config.ModeDynamic:
		return mode, nil
	}
	return "", words.NewError("workbench.bad_mode", "Variable", EnvToolMode, "Value", value, "First", config.ModeAuto,
		"Second", config.ModeProxy, "Third", config.ModeDynamic)
}
