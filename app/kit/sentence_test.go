package kit

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"unknown key":         "Unknown key.",
		" unknown key. ":      "Unknown key.",
		"":                    "",
		`"x" is missing`:      `"x" is missing.`,
		"${HOME} is not set":  "${HOME} is not set.",
		"toolMode: not known": "toolMode: not known.",
		"Überall":             "Überall.",
		"what is this?":       "What is this?",
		"and more…":           "And more…",
		"見つかりません":             "見つかりません。",
		"見つかりません。":            "見つかりません。",
	} {
		if got := Sentence(in); got != want {
			t.Errorf("Sentence(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Ended("npx was not found"); got != "npx was not found." {
		t.Errorf("Ended gives %q", got)
	}
}

func TestHint(t *testing.T) {
	missing := words.New("config.program_not_found", "Program", words.Quoted("uvx"))
	for _, c := range []struct {
		message    words.Text
		hint, want string
	}{
		{missing, "uvx comes with uv", "uvx comes with uv."},
		{missing, "install uv", "Install uv."},
		{words.Foreign("something"), "", ""},
	} {
		if got := Hint(c.message, c.hint); got != c.want {
			t.Errorf("%q", got)
		}
	}
}
