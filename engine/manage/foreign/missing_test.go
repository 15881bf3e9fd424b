package foreign

import (
	"fmt"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestMissing: an empty key and what instructions leave to fill in are missing; whatever has a value or may be meant as
// it is, is not.
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
