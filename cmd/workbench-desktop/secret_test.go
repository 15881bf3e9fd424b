package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// running runs commands of the program on a configuration.
type running struct{ t *testing.T }

func (r running) command(in string, args ...string) (status int, out, log string) {
	r.t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(words.English(), args, strings.NewReader(in), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// TestSecrets stores, lists and removes secrets. Values are never printed.
func TestSecrets(t *testing.T) {
	keychaintest.Mock(t)
	home := t.TempDir()
	path := filepath.Join(home, "config.json")
	t.Setenv("HOME", home)
	t.Setenv("WORKBENCH_CONFIG", path)
	if err := os.WriteFile(path, []byte(`{"toolboxes": {"dev": {"mcpServers": {
		"a": {"command": "x", "env": {"T": "${keyring:github}"}}, "b": {"url": "https://b.example", "headers": {"Authorization": "Bearer ${keyring:github}", "X": "${keyring:other}"}}}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r := running{t}
	all := ""
	for _, c := range []struct{ name, in, stored string }{
		{"github", "made-up-token\n", "made-up-token"},
		{"github", "made-up-token-2\r\n", "made-up-token-2"},
		{"a key", "-----BEGIN-----\nmade-up-token\n-----END-----\n", "-----BEGIN-----\nmade-up-token\n-----END-----"},
		{"x:-y/z", " made-up-token ", " made-up-token "},
	} {
		status, out, log := r.command(c.in, "secret", "set", c.name)
		all += out + log
		if got, err := keyring.Get(keychain.Service, c.name); status != exitOK || got != c.stored || err != nil ||
			!strings.Contains(log, "${keyring:"+c.name+"}") {
			t.Errorf("%s: status %d, %q is stored (%v)\n%s", c.name, status, got, err, log)
		}
	}
	for _, c := range []struct {
		in, want string
		args     []string
	}{
		{"", "there is no value", []string{"set", "x"}},
		{"\n", "there is no value", []string{"set", "x"}},
		{"a\x00b", "is text of at most", []string{"set", "x"}},
		{"a\xffb", "is text of at most", []string{"set", "x"}},
		{strings.Repeat("x", 100_000), "is text of at most", []string{"set", "x"}},
		{"made-up-token", "cannot be the name", []string{"set", "a}b"}},
		{"made-up-token", "cannot be the name", []string{"set", " a"}},
		{"made-up-token", "cannot be the name", []string{"set", ""}},
		{"made-up-token", "cannot be the name", []string{"set", "a\nb"}},
		{"", "too many arguments: \"workbench-desktop secret set\" takes NAME", []string{"set", "x", "made-up-argument"}},
		{"", "has no secret \"nobody\"", []string{"remove", "nobody"}},
	} {
		status, out, log := r.command(c.in, append([]string{"secret"}, c.args...)...)
		if all += out + log; status == exitOK || !strings.Contains(log, c.want) {
			t.Errorf("%q: status %d\n%s", c.args, status, log)
		}
		if _, err := keyring.Get(keychain.Service, "x"); !errors.Is(err, keyring.ErrNotFound) {
			t.Fatalf("%q has stored something", c.args)
		}
	}
	status, out, log := r.command("", "secret", "list")
	if all += out + log; status != exitOK ||
		!strings.Contains(out, "github   in the keychain   dev/a, dev/b\nother    missing           dev/b\n") {
		t.Errorf("status %d, the list is\n%s%s", status, out, log)
	}
	_, out, _ = r.command("", "secret", "list", "--json")
	all += out
	var listed struct {
		File    string
		Secrets []secretJSON
	}
	if err := json.Unmarshal([]byte(out), &listed); err != nil || listed.File != path || len(listed.Secrets) != 2 ||
		listed.Secrets[1].State != "missing" {
		t.Errorf("%v\n%s", err, out)
	}
	status, out, log = r.command("", "secret", "remove", "github")
	all += out + log
	if _, err := keyring.Get(keychain.Service, "github"); status != exitOK || !errors.Is(err, keyring.ErrNotFound) ||
		!strings.Contains(log, "Still needed by: dev/a, dev/b.") {
		t.Errorf("status %d, %v\n%s", status, err, log)
	}
	if strings.Contains(all, "made-up") {
		t.Errorf("a value was printed:\n%s", all)
	}
	keychaintest.Fail(t, errors.New("it is locked"))
	if status, out, log := r.command("", "secret", "list"); status != exitOK || strings.Count(out, "not known") != 2 ||
		!strings.Contains(log, "locked") {
		t.Errorf("a locked keychain: status %d\n%s%s", status, out, log)
	}
}

// TestCatalogueAdd adds servers of the program's own list.
func TestCatalogueAdd(t *testing.T) {
	keychaintest.Mock(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("WORKBENCH_CONFIG", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_STATE_HOME", "")
	r := running{t}
	for _, c := range []struct {
		args   []string
		status int
		want   string // in what is printed
	}{
		{[]string{"notes"}, exitFailed, "--into TOOLBOX"}, // there is no toolbox
		{[]string{"notes", "--into", "office"}, exitOK, `+          "args": ["server", "notes"]`},
		{[]string{"notes"}, exitOK, `"notes-2"`},
		{[]string{"files"}, exitFailed, "--value NAME=VALUE: folders"},
		{[]string{"tavily"}, exitFailed, "https://"}, // where its key is to be had
		{[]string{"files", "--value", "folders=/one", "--value", "folders=two"}, exitOK,
			`"files", "/one", "` + filepath.Join(mustGetwd(t), "two") + `"]`},
		{[]string{"github", "--value", "token=made-up-token", "--dry-run", "--keychain=false"}, exitOK, "Not saved"},
		{[]string{"github", "--value", "token=made-up-token"}, exitOK, `"Bearer ${keyring:github/token}"`},
		{[]string{"tavily", "--value", "key=${TAVILY}"}, exitOK, `${TAVILY}`},
		{[]string{"playwright", "--value", "headless=sometimes"}, exitFailed, "headless"},
		{[]string{"notes", "--value", "nosuch=1"}, exitFailed, "nosuch"},
		{[]string{"notes", "--value", "nosuch"}, exitUsage, "NAME=value"},
		{[]string{"nosuch"}, exitFailed, "catalogue search"},
		{[]string{"notes", "--into", "dev"}, exitOK, `"dev"`},
		{[]string{"notes"}, exitFailed, "office, dev"}, // there are two toolboxes now
	} {
		status, out, log := r.command("", append([]string{"catalogue", "add"}, c.args...)...)
		if all := out + log; status != c.status || !strings.Contains(all, c.want) || strings.Contains(all, "made-up") {
			t.Errorf("%q: status %d, want %d and %q in\n%s", c.args, status, c.status, c.want, all)
		}
	}
	if got, err := keyring.Get(keychain.Service, "github/token"); got != "made-up-token" {
		t.Errorf("the keychain has %q, %v", got, err)
	}
	if status, _, log := r.command("", "validate"); status != exitOK {
		t.Errorf("the configuration is wrong:\n%s", log)
	}
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}
