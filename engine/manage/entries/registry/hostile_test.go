package registry

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// one reads an answer with one server.
func one(t *testing.T, server string) (Server, bool) {
	t.Helper()
	a, ok := readAnswer([]byte(`{"servers": [{"server": ` + server + `}]}`))
	if !ok {
		t.Fatal("no list")
	}
	if len(a.servers) == 0 {
		return Server{}, false
	}
	return a.servers[0], true
}

// TestNotShown checks which servers are left out.
func TestNotShown(t *testing.T) {
	for name, server := range map[string]string{
		"no name":       `{"description": "x"}`,
		"no namespace":  `{"name": "weather"}`,
		"two slashes":   `{"name": "a.b/c/d"}`,
		"other letters": `{"name": "io.github.us\u0435r/x"}`,
		"a number":      `{"name": 5}`,
		"not an object": `"x"`,
		"withdrawn":     `{"name": "a.b/c", "status": "deleted"}`,
		"very long":     `{"name": "a.b/` + strings.Repeat("x", 200) + `"}`,
	} {
		if s, ok := one(t, server); ok {
			t.Errorf("%s is shown: %+v", name, s)
		}
	}
}

// TestCannotBeAdded checks that an unsafe package or address gives no entry, and says why.
func TestCannotBeAdded(t *testing.T) {
	for name, way := range map[string]string{
		"an option as package": `"packages": [{"registryType": "npm", "identifier": "--eval=evil"}]`,
		"an option as image":   `"packages": [{"registryType": "oci", "identifier": "--privileged"}]`,
		"a shell":              `"packages": [{"registryType": "npm", "identifier": "x; rm -rf ~"}]`,
		"an address":           `"packages": [{"registryType": "npm", "identifier": "https://evil.example/x.tgz"}]`,
		"a file":               `"packages": [{"registryType": "pypi", "identifier": "../evil"}]`,
		"an alias":             `"packages": [{"registryType": "npm", "identifier": "good@npm:evil"}]`,
		"a tag with a space":   `"packages": [{"registryType": "npm", "identifier": "x", "version": "1 --registry=https://evil.example"}]`,
		"another registry":     `"packages": [{"registryType": "npm", "registryBaseUrl": "https://npm.evil.example", "identifier": "x", "version": "1"}]`,
		"one that listens":     `"packages": [{"registryType": "npm", "identifier": "x", "transport": {"type": "sse", "url": "http://localhost:1"}}]`,
		"an unknown kind":      `"packages": [{"registryType": "shell", "identifier": "x"}]`,
		"a hidden character":   `"packages": [{"registryType": "npm", "identifier": "x", "packageArguments": [{"type": "positional", "value": "a\u202eb"}]}]`,
		"a line end":           `"packages": [{"registryType": "npm", "identifier": "x", "environmentVariables": [{"name": "A", "value": "a\nb"}]}]`,
		"a long argument":      `"packages": [{"registryType": "npm", "identifier": "x", "packageArguments": [{"type": "positional", "value": "` + strings.Repeat("x", 3000) + `"}]}]`,
		"many arguments": `"packages": [{"registryType": "npm", "identifier": "x", "packageArguments": [` +
			strings.Repeat(`{"type": "positional", "value": "a"},`, 80) + `{}]}]`,
		"no encryption":       `"remotes": [{"type": "sse", "url": "http://evil.example/sse"}]`,
		"somebody in it":      `"remotes": [{"type": "sse", "url": "https://good.example@evil.example/sse"}]`,
		"a header's end":      `"remotes": [{"type": "sse", "url": "https://good.example/sse", "headers": [{"name": "A: b\r\nC", "value": "x"}]}]`,
		"a host that is open": `"remotes": [{"type": "sse", "url": "https://{host}/sse"}]`,
		"no address":          `"remotes": [{"type": "sse", "url": "javascript:alert(1)"}]`,
	} {
		s, ok := one(t, `{"name": "a.b/c", `+way+`}`)
		if !ok || len(s.Ways) != 1 {
			t.Errorf("%s: %+v", name, s)
			continue
		}
		if w := s.Ways[0]; w.Usable() || w.Entry.Server.Command != "" || len(w.Entry.Blanks) > 0 ||
			strings.Contains(w.Problem.String(), "\u202e") {
			t.Errorf("%s can be added: %s", name, foreign.JSON(&w.Entry.Server))
		}
	}
}

// TestNothingOfTheUsers checks that defaults and choices cannot refer to the user's variables or secrets, and
// that a value with such a reference is kept, so that the review asks about it.
func TestNothingOfTheUsers(t *testing.T) {
	s, ok := one(t, `{"name": "a.b/c", "packages": [{"registryType": "npm", "identifier": "x", "environmentVariables": [
		{"name": "A", "default": "${AWS_SECRET_ACCESS_KEY}"}, {"name": "B", "choices": ["${keyring:work/bank}", "b"]}, {"name": "C", "value": "${HOME}"}, {"name": "D", "isSecret": true, "default": "x"}]}]}`)
	if !ok || len(s.Ways) != 1 || !s.Ways[0].Usable() {
		t.Fatalf("%+v", s)
	}
	for _, blank := range s.Ways[0].Entry.Blanks {
		if blank.Default != "" || strings.Contains(fmt.Sprint(blank.Options), "keyring") {
			t.Errorf("%+v", blank)
		}
	}
	if !strings.Contains(string(foreign.JSON(&s.Ways[0].Entry.Server)), "${HOME}") {
		t.Error("the reference is gone, so the user is not asked about it")
	}
}

// TestManyAndLong checks the limits of what is kept from an answer.
func TestManyAndLong(t *testing.T) {
	var list []string
	for i := range 500 {
		list = append(list, fmt.Sprintf(`{"server": {"name": "a.b/c%d", "title": %q, "description": %q}}`, i,
			strings.Repeat("t\u202e ", 5000), strings.Repeat("d", 20_000)))
	}
	a, ok := readAnswer([]byte(`{"servers": [` + strings.Join(list, ",") + `], "metadata": {"nextCursor": "` +
		strings.Repeat("x", 5000) + `"}}`))
	if !ok || len(a.servers) != maxServers || a.skipped != 400 || a.next != "" {
		t.Fatalf("%d servers, %d left out, next %d", len(a.servers), a.skipped, len(a.next))
	}
	if s := a.servers[0]; len([]rune(s.Title)) > 80 || len([]rune(s.Description)) > 300 ||
		strings.Contains(s.Title, "\u202e") {
		t.Errorf("%q", s.Title)
	}
	var c cache
	for i := range 1000 {
		c.put(page{key: fmt.Sprint(i), size: 1 << 20})
	}
	if len(c.pages) > maxKept>>20 {
		t.Errorf("%d pages are kept", len(c.pages))
	}
}

// FuzzAnswer checks, for any answer, that what is shown is one visible line, and that what would be started
// is one of the known programs with a package that is no option, or an encrypted address.
func FuzzAnswer(f *testing.F) {
	f.Add(string(recorded(f)))
	f.Add(`{"servers": [{"server": {"name": "a.b/c", "packages": [{"registryType": "npm", "identifier": "-x"}]}}]}`)
	f.Add(`{"servers": [{"server": {"name": "a.b/c", "title": "t\u202e\nt", "description": "d\u202e\nd",
		"version": "1\u202e\n2", "websiteUrl": "https://a.example/\u202e"}, "_meta": {
		"io.modelcontextprotocol.registry/official": {"status": "deprecated", "statusMessage": "a\u202e\nb"}}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		a, ok := readAnswer([]byte(text))
		if !ok {
			return
		}
		for _, s := range a.servers {
			for _, shown := range []string{s.Title, s.Description, s.Version, s.Advice, s.Name, s.Page} {
				if visible.Line(shown) != shown || len(shown) > 2000 {
					t.Errorf("shown is %q", shown)
				}
			}
			for _, w := range s.Ways {
				if !w.Usable() {
					continue
				}
				server := &w.Entry.Server
				sample := server.URL
				for _, blank := range w.Entry.Blanks {
					sample = strings.ReplaceAll(sample, blank.Parts[0].Text, "x")
				}
				address, err := url.Parse(sample)
				switch server.Command {
				case "npx", "uvx", "docker", "dnx":
				case "":
					if err != nil || address.Scheme != "https" || address.User != nil {
						t.Errorf("the address is %q", server.URL)
					}
				default:
					t.Errorf("the command is %q", server.Command)
				}
				if !json.Valid(foreign.JSON(server)) || strings.TrimSpace(server.Name) == "" {
					t.Errorf("the entry is %q %s", server.Name, foreign.JSON(server))
				}
			}
		}
	})
}
