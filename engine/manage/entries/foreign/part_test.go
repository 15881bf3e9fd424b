package foreign

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// inKeychain returns an entry with its secrets replaced by references to the keychain.
func inKeychain(t *testing.T, entry string) *config.Server {
	t.Helper()
	server, problems, ok := Read("x", []byte(entry))
	if !ok {
		t.Fatal(problems)
	}
	var all []Replacement
	for _, s := range Of(*server, nil).Secrets {
		all = append(all, Replacement{s.Part, "${keyring:k}"})
	}
	return Replace(server, all)
}

// TestSecretsAreReplacedWhereTheyWereFound checks that nothing of a secret stays, even if its text occurs
// twice in the value or is part of another word.
func TestSecretsAreReplacedWhereTheyWereFound(t *testing.T) {
	for entry, want := range map[string]string{
		`{"command":"run","args":["--pass=pass"]}`:                      `{"command":"run","args":["--pass=${keyring:k}"]}`,
		`{"command":"run","args":["postgres://db:db@host/db"]}`:         `{"command":"run","args":["postgres://db:${keyring:k}@host/db"]}`,
		`{"url":"https://token.example.com/mcp?a=token&token=token"}`:   `{"url":"https://token.example.com/mcp?a=token&token=${keyring:k}"}`,
		`{"url":"https://me:abc@example.com/abcdef?key=abc&token=abc"}`: `{"url":"https://me:${keyring:k}@example.com/abcdef?key=${keyring:k}&token=${keyring:k}"}`,
		`{"url":"https://x.com/mcp?token=ab&key=abcd&secret=ab"}`:       `{"url":"https://x.com/mcp?token=${keyring:k}&key=${keyring:k}&secret=${keyring:k}"}`,
		`{"url":"https://x.com","headers":{"Authorization":"Basic c"}}`: `{"url":"https://x.com","headers":{"Authorization":"Basic ${keyring:k}"}}`,
	} {
		if got := string(JSON(inKeychain(t, entry))); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", entry, got, want)
		}
	}
}

// TestReplaceInPlace checks that each part is replaced at its place in the original entry, whatever else is
// put into the same value.
func TestReplaceInPlace(t *testing.T) {
	server := &config.Server{URL: "https://HOST/x?a=x&b=x"}
	host, x := Replacement{Part{Field: "url", Text: "HOST"}, "x.example.com"}, Part{Field: "url", Text: "x", Start: 21}
	all := []Replacement{host, {x, "1"}, {Part{Field: "url", Text: "x", Start: 17}, "2"},
		{Part{Field: "url", Text: "x"}, "3"}, {Part{Field: "url", Text: "x"}, "left"}, {Part{Field: "url"}, "left"},
		{Part{Field: "url", Text: "gone"}, "left"}, {Part{Field: "args", Text: "x"}, "left"}, {Part{Field: "cwd"}, "4"},
		{Part{Field: "cwd"}, "left"}}
	got := Replace(server, all)
	if got.URL != "https://x.example.com/3?a=2&b=1" || got.Cwd != "4" || server.URL != "https://HOST/x?a=x&b=x" {
		t.Errorf("%s, %s, %s", got.URL, got.Cwd, server.URL)
	}
	if moved := Moved(server, x, []Replacement{host}); moved.Start != 30 ||
		Replace(Replace(server, []Replacement{host}), []Replacement{{moved, "1"}}).URL != "https://x.example.com/x?a=x&b=1" {
		t.Errorf("the part is at %d", moved.Start)
	}
}
