package toolbox

import (
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestInherited(t *testing.T) {
	m := NewManager(&config.Config{}, Options{Environ: []string{"PATH=/bin", "SOME_TOKEN=x", "GIVEN=y"}})
	defer m.Shutdown(t.Context())
	for _, test := range []struct {
		entry         config.Server
		env, withheld string
	}{
		{config.Server{Command: "x"}, "PATH=/bin", "GIVEN SOME_TOKEN"},
		{config.Server{Command: "x", Env: []config.Variable{{Name: "GIVEN", Value: "z"}}}, "PATH=/bin", "SOME_TOKEN"},
		{config.Server{Command: "x", InheritEnv: true}, "PATH=/bin SOME_TOKEN=x GIVEN=y", ""},
		{config.Server{URL: "https://example.com"}, "PATH=/bin SOME_TOKEN=x GIVEN=y", ""},
	} {
		env, withheld := inherited(t.Context(), &m.options, &test.entry)
		if strings.Join(env, " ") != test.env || strings.Join(withheld, " ") != test.withheld {
			t.Errorf("%+v inherits %q without %q", test.entry, env, withheld)
		}
	}
}

func TestMentionedNames(t *testing.T) {
	lines := []status.LogLine{
		{Source: "stderr", Text: "GITHUB_TOKEN: not set, nor is ${API_KEY}. MY_VARIABLE_NAME, DEBUG"},
		{Source: sourceEngine, Text: "OWN_WORDS"},
	}
	got := mentionedIn(lines, []string{"API_KEY", "DEBUG", "GITHUB_TOKEN", "OWN_WORDS", "VARIABLE", "MY_VARIABLE",
		"VARIABLE_NAME"})
	if want := []string{"API_KEY", "GITHUB_TOKEN"}; !slices.Equal(got, want) {
		t.Errorf("mentioned are %q, want %q", got, want)
	}
	if got := keysAmong([]string{"A", "EDITOR_MODE", "SOME_TOKEN"}); !slices.Equal(got, []string{"SOME_TOKEN"}) {
		t.Errorf("the keys are %q", got)
	}
}

func FuzzMentions(f *testing.F) {
	f.Add("A_TOKEN A_TOKENS", "A_TOKEN")
	f.Fuzz(func(t *testing.T, text, name string) {
		if name == "" {
			return
		}
		if mentions(text, name) && !strings.Contains(text, name) {
			t.Errorf("%q is in %q", name, text)
		}
		if !mentions("("+name+")", name) {
			t.Errorf("%q is not found alone", name)
		}
	})
}

// A name counts as mentioned if it is a whole word, not if it is part of a longer one.
func TestEndsOfNames(t *testing.T) {
	for _, c := range []byte("09azAZ_") {
		for _, text := range []string{string(c) + "KEY", "KEY" + string(c)} {
			if mentions(text, "KEY") {
				t.Errorf("KEY is found in %s", text)
			}
		}
	}
	for _, c := range []byte("/:`{@[-. ") {
		for _, text := range []string{string(c) + "KEY", "KEY" + string(c)} {
			if !mentions(text, "KEY") {
				t.Errorf("KEY is not found in %s", text)
			}
		}
	}
}
