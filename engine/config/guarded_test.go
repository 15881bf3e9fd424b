package config

import (
	"slices"
	"testing"
)

// What runs waits for a person when another program changes it, and so does what decides whether changes of tools are asked about.
func TestGuarded(t *testing.T) {
	var guarded []string
	for _, f := range ServerFields() {
		if f.Guarded {
			guarded = append(guarded, f.Name)
		}
	}
	for _, name := range []string{"command", "args", "env", "cwd", "url", "headers", "trustToolChanges"} {
		if !slices.Contains(guarded, name) {
			t.Errorf("%q is not guarded", name)
		}
	}
}
