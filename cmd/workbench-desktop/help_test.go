package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestHelpWords checks that each command has a short description, and that all texts of the help belong to existing
// commands.
func TestHelpWords(t *testing.T) {
	data, err := assets.Words.ReadFile("translations/help.en.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]any
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	ofCommands := map[string]bool{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if _, ok := kept[cmd.Short]; !ok {
			t.Errorf("there is no text %q", cmd.Short)
		}
		if example, _ := kept[cmd.Example].(string); !strings.Contains(example, cmd.CommandPath()) {
			t.Errorf("%q has no example", cmd.CommandPath())
		}
		if len(cmd.Groups()) > 0 {
			for _, sub := range cmd.Commands() {
				if sub.GroupID == "" && sub.Name() != "help" {
					t.Errorf("%q is in no group of the help", sub.CommandPath())
				}
			}
		}
		_, arguments, _ := strings.Cut(cmd.Use, " ")
		for _, code := range []string{arguments, cmd.Short, cmd.Long, cmd.Example} {
			ofCommands[code] = true
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	capitals := regexp.MustCompile(`^([A-Z-]+|--[a-z]+|-- [A-Z]+|[\[\]()|.]| )+$`)
	for code, text := range kept {
		if text, ok := text.(string); ok && strings.HasSuffix(code, ".args") &&
			(!capitals.MatchString(text) || strings.Contains(text, "]...")) {
			t.Errorf("%s is %q; arguments are written in capital letters, as in [ARGUMENT...]", code, text)
		}
	}
	root := newRoot(streams{words: words.English()})
	root.InitDefaultHelpCmd()
	visit(root)
	for code := range kept {
		if regexp.MustCompile(`\.(args|short|long|example)$`).MatchString(code) && !ofCommands[code] {
			t.Errorf("the text %s belongs to no command", code)
		}
	}
}
