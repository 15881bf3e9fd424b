package config

import (
	"os"
	"testing"
)

// TestEnvironmentWithoutHome: an entry that says ${HOME} works on Windows, which has no such variable.
func TestEnvironmentWithoutHome(t *testing.T) {
	if home, ok := os.LookupEnv("HOME"); ok {
		os.Unsetenv("HOME")
		t.Cleanup(func() { os.Setenv("HOME", home) })
	}
	t.Setenv("USERPROFILE", `C:\Users\Jürgen O'Brien`)
	s := Server{Command: "npx", Args: []string{"${HOME}", `${HOME:-C:\other}\docs`},
		Env: []Variable{{Name: "DIR", Value: `${HOME}\x`}}, Cwd: "${HOME}"}
	expanded, err := s.Expand(SystemLookup())
	if err != nil {
		t.Fatal(err)
	}
	const home = `C:\Users\Jürgen O'Brien`
	if expanded.Args[0] != home || expanded.Args[1] != home+`\docs` || expanded.Env[0].Value != home+`\x` ||
		expanded.Cwd != home {
		t.Errorf("it is %+v", expanded)
	}
	if value, ok := SystemLookup().Env("HOME"); value != home || !ok {
		t.Errorf("what the window shows is %q", value)
	}
	if got, err := Locate(`~\boxes.json`, os.Getenv); err != nil || got.Path != home+`\boxes.json` {
		t.Errorf("the configuration is at %q, %v", got.Path, err)
	}
}
