package foreign

import (
	"fmt"
	"slices"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestMissing: an empty key and what instructions leave to fill in are missing; whatever has a value or may be meant
// as it is, is not.
func TestMissing(t *testing.T) {
	env := func(name, value string) config.Server {
		return config.Server{Command: "npx", Env: []config.Variable{{Name: name, Value: value}}}
	}
	for _, c := range []struct {
		server config.Server
		want   string
	}{
		{env("BRAVE_API_KEY", ""), "[{env BRAVE_API_KEY true false}]"},
		{env("BRAVE_API_KEY", "YOUR_API_KEY"), "[{env BRAVE_API_KEY true true}]"},
		{env("BRAVE_API_KEY", "<key>"), "[{env BRAVE_API_KEY true true}]"},
		{env("BRAVE_API_KEY", "BSAabcdef"), "[]"},
		{env("BRAVE_API_KEY", "${keyring:brave}"), "[]"},
		{env("BRAVE_API_KEY", "${BRAVE_API_KEY}"), "[]"},
		{env("LOG_LEVEL", ""), "[]"},
		{env("ROOT", "<folder>"), "[{env ROOT false true}]"},
		{config.Server{Command: "npx", Args: []string{"-y", "server-filesystem", "<folder>"}}, "[{args  false true}]"},
		{config.Server{Command: "x", Args: []string{"--key", "<api-key>", "--re", "a<b>c", "/path/to/x"}},
			"[{args --key true true} {args --re false true}]"},
		{config.Server{Command: "sh", Args: []string{"-c", "cat <in >out"}}, "[]"},
		{config.Server{URL: "https://example.com/mcp", Headers: []config.Variable{{Name: "Authorization"}}},
			"[{headers Authorization true false}]"},
	} {
		if got := fmt.Sprint(MissingIn(&c.server)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.server, got, c.want)
		}
	}
}

// TestMissingWithout: what refers to a variable that is not set is missing, and is filled in where only the value
// stands.
func TestMissingWithout(t *testing.T) {
	of := func(name, value string) []config.Variable { return []config.Variable{{Name: name, Value: value}} }
	for _, c := range []struct {
		server config.Server
		want   string
	}{
		{config.Server{Command: "npx", Env: of("KEY", "${API_KEY}")}, "[{env KEY true false}]"},
		{config.Server{Command: "npx", Env: of("KEY", "${env:API_KEY}")}, "[{env KEY true false}]"},
		{config.Server{Command: "npx", Env: of("TEAM", "${GROUP}")}, "[{env TEAM false false}]"},
		{config.Server{Command: "npx", Env: of("PLACE", "team/${GROUP}")}, "[{env GROUP false false}]"},
		{config.Server{Command: "npx", Args: []string{"--key", "${API_KEY}", "${API_KEY}"}}, "[{env API_KEY true false}]"},
		{config.Server{Command: "${GROUP}/run", Env: of("A", "${SET}")}, "[{env GROUP false false}]"},
		{config.Server{Command: "npx", Env: of("A", "${API_KEY:-none}")}, "[]"},
		{config.Server{Command: "npx", Env: of("A", "${keyring:API_KEY}")}, "[]"},
		{config.Server{URL: "https://a.b", Headers: of("Authorization", "Bearer ${API_KEY}")},
			"[{headers Authorization true false}]"},
		{config.Server{URL: "https://a.b/${GROUP}"}, "[{url  false false}]"},
	} {
		if got := fmt.Sprint(MissingWithout(&c.server, []string{"API_KEY", "GROUP"})); got != c.want {
			t.Errorf("%+v: %s, want %s", c.server, got, c.want)
		}
	}
}

// TestFolders: folders that a person chooses are told from the program's own files and from other words.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		command string
		args    []string
		want    []int
	}{
		{"npx", []string{"-y", "server-filesystem", "/home/ada/Documents", `C:\\Akten`, "~/Notes", "${HOME}"}, []int{2, 3, 4, 5}},
		{"node", []string{"/opt/server/index.js", "/work", "--root", "/work/two"}, []int{1, 3}},
		{"python", []string{"/opt/server", "--db", "/work/notes.db", "${LEVEL}", "https://example.com/a"}, nil},
		{"npx", []string{"server-x", "<folder>", "<api-key>", "--dir=/x"}, []int{1}},
	} {
		if got := FoldersIn(&config.Server{Command: c.command, Args: c.args}); !slices.Equal(got, c.want) {
			t.Errorf("%s %q: %v, want %v", c.command, c.args, got, c.want)
		}
	}
}
