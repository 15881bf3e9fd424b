package config

import (
	"slices"
	"testing"
)

func TestReferences(t *testing.T) {
	for text, want := range map[string][]Reference{
		"":                            nil,
		"plain":                       nil,
		"${HOME}/x ${A:-b}":           {{Name: "HOME"}, {Name: "A", HasDefault: true}},
		"Bearer ${keyring:my:-key}":   {{Name: "my:-key", Keyring: true}},
		"$${HOME} ${ } ${input:x} ${": nil,
		"${open ${B}":                 {{Name: "B"}},
	} {
		if got := References(text); !slices.Equal(got, want) {
			t.Errorf("References(%q) = %v, want %v", text, got, want)
		}
	}
}
