package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestNamesInMessages checks which names a message repeats: names that people chose, but no name in broken
// text that may be a secret.
func TestNamesInMessages(t *testing.T) {
	in := func(entry string) string {
		return "{\"toolboxes\": {\"dev\": {\"mcpServers\": {\"a\": {\"command\": \"npx\",\n" + entry + "\n}}}}}"
	}
	for _, test := range []struct {
		source, name string
		said         bool
	}{
		{in(`"env": {"LOG": "1", "API_TOKEN": }}"HUNTER2XYZ"}`), "HUNTER2XYZ", false},
		{in(`"env": {"LOG": "1", "API_TOKEN": ]"HUNTER2XYZ"}`), "HUNTER2XYZ", false},
		{in(`"auto approve": []`), "auto approve", true},
		{in(`"#comment": "x"`), "#comment", true},
		{in(`"call timeout": 5`), "call timeout", true},
		{`{"toolboxes": {"my tools" {"mcpServers": {}}}}`, "my tools", true},
		{"{\"toolboxes\": {\"dev\": {\"mcpServers\": {\n\"my server\" {\"command\": \"npx\"}}}}}", "my server", true},
		{in(`"env": {"my variable" "x"}`), "my variable", false},
	} {
		var text strings.Builder
		for _, d := range Parse("config", []byte(test.source)).Diagnostics {
			fmt.Fprintln(&text, d.Path, d.Message, d.Hint)
		}
		if text.Len() == 0 || strings.Contains(text.String(), test.name) != test.said {
			t.Errorf("%s\nsays %s", test.source, &text)
		}
	}
}
