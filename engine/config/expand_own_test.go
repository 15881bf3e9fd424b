package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestExpandOwn tries references to variables of the server's own env.
func TestExpandOwn(t *testing.T) {
	server := &Server{
		Transport: TransportStdio, Command: "${BIN}/x", Cwd: "${BIN}", URL: "https://${HOST}/mcp",
		Args: []string{"--header", "Authorization:${AUTH}", "${NO:-${LEVEL}}", "${EMPTY:-none}", "$${AUTH}", "${HOME}"},
		Env: []Variable{{"AUTH", "Bearer ${TOKEN}"}, {"TOKEN", "${keyring:github}"}, {"BIN", "/opt"},
			{"PATH", "/opt:${PATH}"}, {"LEVEL", "low"}, {"EMPTY", ""}, {"HOST", "x.example"}, {"HOME", "${HOME}"}},
		Headers: []Variable{{"X", "${TOKEN}"}},
	}
	lookup := testLookup()
	env := lookup.Env
	lookup.Env = func(name string) (string, bool) {
		if name == "PATH" {
			return "/bin", true
		}
		return env(name)
	}
	got, err := server.Expand(lookup)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"--header", "Authorization:Bearer s3cret", "low", "none", "${AUTH}",
		"/home/ada"}; !slices.Equal(got.Args, want) {
		t.Errorf("args are %q", got.Args)
	}
	if got.Command != "/opt/x" || got.Cwd != "/opt" || got.URL != "https://x.example/mcp" ||
		got.Headers[0].Value != "s3cret" {
		t.Errorf("got %+v", got)
	}
	if got.Env[0].Value != "Bearer s3cret" || got.Env[3].Value != "/opt:/bin" {
		t.Errorf("env is %v", got.Env)
	}
	if names := server.Secrets(); !slices.Contains(names, "github") {
		t.Errorf("the secrets are %v", names)
	}
}

// TestExpandOwnErrors tries values that refer to themselves, to what is not set, and without end.
func TestExpandOwnErrors(t *testing.T) {
	circle := &Server{Command: "${A}", Env: []Variable{{"A", "x${B}"}, {"B", "${C}"}, {"C", "${A}"}, {"D", "d"}}}
	_, err := circle.Expand(Lookup{})
	if !errors.Is(err, ErrCircular) || !strings.Contains(err.Error(), "A → B → C → A") {
		t.Errorf("got %v", err)
	}
	unset := &Server{Command: "x", Args: []string{"${A}", "${A}"}, Env: []Variable{{"A", "${NOT}"}}}
	var problem *ExpandError
	if _, err := unset.Expand(Lookup{}); !errors.As(err, &problem) || len(problem.Problems) != 1 ||
		problem.Problems[0].Field != "env.A" {
		t.Errorf("got %v", err)
	}
	if _, err := (&Server{URL: "https://x/${A}", Transport: TransportHTTP,
		Env: unset.Env}).ExpandRemote(Lookup{}); !errors.Is(err, ErrUnset) {
		t.Errorf("got %v", err)
	}
	if _, err := (&Server{URL: "https://x/", Transport: TransportHTTP,
		Env: unset.Env}).ExpandRemote(Lookup{}); err != nil {
		t.Errorf("a variable that the address does not use: %v", err)
	}
	long := &Server{Command: "x", Args: []string{"${V0}"}}
	for i := range 60 {
		long.Env = append(long.Env, Variable{fmt.Sprint("V", i), fmt.Sprintf("${V%d}${V%d}", i+1, i+1)})
	}
	long.Env = append(long.Env, Variable{"V60", "x"})
	if _, err := long.Expand(Lookup{}); err == nil || len(err.Error()) > 4096*20 {
		t.Errorf("got %v", err)
	}
	chain := &Server{Command: "x", Args: []string{"${V0}"}}
	for i := range 100_000 {
		chain.Env = append(chain.Env, Variable{fmt.Sprint("V", i), fmt.Sprintf("${V%d}", i+1)})
	}
	if _, err := chain.Expand(Lookup{}); err == nil {
		t.Error("an endless chain is expanded")
	}
}

// TestWithDefaults tries what of a server does not depend on the computer.
func TestWithDefaults(t *testing.T) {
	server := &Server{Command: "${SHELL:-bash}",
		Args: []string{"-c", "${CODE}", "${HOME}", "${keyring:x}", "${X:-${CODE}}", "${"},
		Env:  []Variable{{"CODE", "a; b"}, {"PATH", "${PATH}"}}}
	got := server.WithDefaults()
	if want := []string{"-c", "a; b", "${HOME}", "${keyring:x}", "a; b", "${"}; got.Command != "bash" ||
		!slices.Equal(got.Args, want) || got.Env[1].Value != "${PATH}" {
		t.Errorf("got %q %q", got.Command, got.Args)
	}
}

// TestCheckOwn checks that a variable of the server's own env is never "not set", and that a circle is said.
func TestCheckOwn(t *testing.T) {
	document := Parse("", inEntry(
		`"command": "npx", "args": ["--header", "Authorization:${AUTH}", "${A:-${B:-${AUTH}}}"], "env": {"AUTH": "Bearer x"}`))
	for _, d := range append(document.Diagnostics, document.CheckEnvironment(Lookup{})...) {
		if d.Code != ProgramNotFound {
			t.Error(d.Format(""))
		}
	}
	remote := Parse("", inEntry(`"url": "https://${HOST}/mcp", "headers": {"A": "${KEY}"}, "env": {"HOST": "x", "KEY": "y"}`))
	for _, d := range append(remote.Diagnostics, remote.CheckEnvironment(Lookup{})...) {
		t.Error(d.Format(""))
	}
	circle := Parse("", inEntry(`"command": "npx", "env": {"A": "${B}", "B": "${A}"}`))
	if circle.Valid() || circle.Diagnostics[0].Code != "circular-reference" {
		t.Errorf("got %v", circle.Diagnostics)
	}
}
