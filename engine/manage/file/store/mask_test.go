package store

import (
	"strings"
	"testing"
)

func TestMaskSecrets(t *testing.T) {
	const source = `{"toolboxes": {"a": {"mcpServers": {"x": {
  "command": "npx", // TOKEN=abcdef0123456789abcdef
  "args": ["--api-key", "sesame-open-1234567", "--level", "info"],
  "env": {"API_TOKEN": "s3cret\nvalue", "HOME": "/home", "KEY": "${keyring:k}"}
}}}}}`
	masked := string(MaskSecrets([]byte(source)))
	for _, value := range []string{"abcdef0123456789abcdef", "sesame-open", "s3cret"} {
		if strings.Contains(masked, value) {
			t.Errorf("%q is in clear:\n%s", value, masked)
		}
	}
	for _, value := range []string{"npx", "info", `"/home"`, "${keyring:k}"} {
		if !strings.Contains(masked, value) {
			t.Errorf("%q is hidden:\n%s", value, masked)
		}
	}
	if strings.Count(masked, "\n") != strings.Count(source, "\n") {
		t.Error("the lines are others")
	}
	if got := string(MaskSecrets([]byte(`{"a": 1}`))); got != `{"a": 1}` {
		t.Errorf("without secrets, the text is %q", got)
	}
}
