package mcpserver

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func TestMode(t *testing.T) {
	for _, test := range []struct {
		name       string
		override   config.ToolMode
		configured config.ToolMode
		id, client string
		want       config.ToolMode
	}{
		{"an unknown client", "", config.ModeAuto, "", "somebody", config.ModeProxy},
		{"no client at all", "", config.ModeAuto, "", "", config.ModeProxy},
		{"Claude Desktop", "", config.ModeAuto, "", "claude-ai", config.ModeProxy},
		{"Claude Code by its name", "", config.ModeAuto, "", "claude-code", config.ModeDynamic},
		{"VS Code, which offers new tools too late", "", config.ModeAuto, "", "Visual Studio Code", config.ModeProxy},
		{"Cline, which never asks again", "", config.ModeAuto, "cline", "Cline", config.ModeProxy},
		{"registration knows better than the name", "", config.ModeAuto, "claude-desktop", "claude-code", config.ModeProxy},
		{"registered as Claude Code", "", config.ModeAuto, "claude-code", "whatever", config.ModeDynamic},
		{"the file says proxy", "", config.ModeProxy, "claude-code", "", config.ModeProxy},
		{"the file says dynamic", "", config.ModeDynamic, "", "claude-ai", config.ModeDynamic},
		{"the environment overrides the file", config.ModeProxy, config.ModeDynamic, "claude-code", "", config.ModeProxy},
		{"the environment asks for auto", config.ModeAuto, config.ModeDynamic, "", "claude-ai", config.ModeProxy},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := resolveMode(test.override, test.configured, client.Find(test.id, test.client)); got != test.want {
				t.Errorf("mode is %q, want %q", got, test.want)
			}
		})
	}
}

func TestParseToolMode(t *testing.T) {
	for _, good := range []string{"", "auto", "proxy", "dynamic"} {
		if mode, err := ParseToolMode(good); err != nil || string(mode) != good {
			t.Errorf("%q gave %q, %v", good, mode, err)
		}
	}
	if _, err := ParseToolMode("Dynamic"); err == nil {
		t.Error("a misspelled mode was accepted")
	}
}
