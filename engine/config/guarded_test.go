package config

import (
	"slices"
	"testing"
)

// What runs waits for a person when another program changes it, and so does what decides whether a person is asked at all.
func TestGuarded(t *testing.T) {
	var guarded []string
	for _, f := range ServerFields() {
		if f.Guarded {
			guarded = append(guarded, f.Name)
		}
	}
	for _, name := range []string{"command", "args", "env", "cwd", "url", "headers", "inheritEnv", "trustToolChanges", "askFirst"} {
		if !slices.Contains(guarded, name) {
			t.Errorf("%q is not guarded", name)
		}
	}
}

// An entry tells all that an approval covers, what its toolbox says included.
func TestToolboxAsksFirst(t *testing.T) {
	document := Parse("x.json", []byte(`{"toolboxes":{"a":{"mcpServers":{"s":{"command":"x"}},"askFirst":true},"b":{"mcpServers":{"s":{"command":"x"}}}}}`))
	for i, want := range []bool{true, false} {
		if got := document.Config.Toolboxes[i].Servers[0].AskFirst; got != want {
			t.Errorf("toolbox %d: its server asks first: %t", i, got)
		}
	}
}
