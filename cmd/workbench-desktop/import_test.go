package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// importing runs "import" in a temporary home whose Cursor has one server with a secret. It returns the output and our
// file.
func importing(t *testing.T, args ...string) (status int, said, file string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	t.Setenv("LOCALAPPDATA", filepath.Join(home, "local"))
	path := filepath.Join(home, "workbench-config.json")
	t.Setenv("WORKBENCH_CONFIG", path)
	for name, text := range map[string]string{
		path: `{"toolboxes": {}}`,
		filepath.Join(home, ".cursor",
			"mcp.json"): `{"mcpServers": {"github": {"command": "gh", "env": {"GITHUB_TOKEN": "made-up-token"}}}}`,
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	status = run(words.English(), append([]string{"import", "cursor", "--yes"}, args...), strings.NewReader(""), &out,
		&out)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "made-up-token") {
		t.Errorf("a secret was printed: %s", out.String())
	}
	return status, out.String(), string(data)
}

func TestImportIntoKeychain(t *testing.T) {
	keychaintest.Mock(t)
	status, said, file := importing(t, "--keychain")
	if status != exitOK || !strings.Contains(said, "Into the keychain as github/GITHUB_TOKEN: env GITHUB_TOKEN.") {
		t.Errorf("status %d: %s", status, said)
	}
	if !strings.Contains(file, `"${keyring:github/GITHUB_TOKEN}"`) || strings.Contains(file, "made-up") {
		t.Error(file)
	}
	if value, err := keyring.Get(keychain.Service, "github/GITHUB_TOKEN"); err != nil || value != "made-up-token" {
		t.Errorf("the keychain has %q (%v)", value, err)
	}
}

func TestImportWithoutKeychain(t *testing.T) {
	keychaintest.Fail(t, errors.New("not asked for"))
	status, said, file := importing(t)
	if status != exitOK || !strings.Contains(said, "Values that look like secrets: 1.") ||
		!strings.Contains(file, "made-up-token") {
		t.Errorf("status %d: %s%s", status, said, file)
	}
}

func TestImportWithBrokenKeychain(t *testing.T) {
	keychaintest.Fail(t, errors.New("it is locked"))
	status, said, file := importing(t, "--keychain")
	if status != exitFailed || !strings.Contains(said,
		"nothing was imported: the keychain cannot be used: it is locked") || file != `{"toolboxes": {}}` {
		t.Errorf("status %d: %s%s", status, said, file)
	}
}

// TestImportThatCannotBeSaved checks that the keychain is unchanged if the file was not written.
func TestImportThatCannotBeSaved(t *testing.T) {
	keychaintest.Mock(t)
	path := filepath.Join(t.TempDir(), "workbench-config.json")
	if err := os.WriteFile(path, []byte(`{"toolboxes": {}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	entries := filepath.Join(t.TempDir(), "entries.json")
	if err := os.WriteFile(entries,
		[]byte(`{"mcpServers": {"github": {"command": "gh", "env": {"GITHUB_TOKEN": "made-up-token"}}}}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	i := &importer{editor: editor{
		shared: &shared{streams: streams{in: strings.NewReader(""), out: &out, err: &out, words: words.English()},
			config: path}}, keychain: true}
	s, err := i.open()
	if err != nil {
		t.Fatal(err)
	}
	plan := imports.Make(imports.Options{File: entries})
	if len(plan.Servers) != 1 || len(plan.Servers[0].Secrets) != 1 {
		t.Fatalf("%+v", plan)
	}
	gone, stop := context.WithCancel(t.Context())
	stop()
	if err := i.bring(gone, s, s.Current(), &plan); err == nil {
		t.Errorf("the import was saved: %s", out.String())
	}
	if plan.Servers[0].Entry.Env[0].Value != "${keyring:github/GITHUB_TOKEN}" {
		t.Error("the secret was never in the keychain")
	}
	if _, err := keyring.Get(keychain.Service, "github/GITHUB_TOKEN"); !errors.Is(err, keyring.ErrNotFound) {
		t.Errorf("the keychain still has the secret: %v", err)
	}
}

// TestImportSaysWhatIsWithheld checks that a server that would not get a variable is reported before it is imported,
// and gets the variable if the user agrees.
func TestImportSaysWhatIsWithheld(t *testing.T) {
	keychaintest.Mock(t)
	t.Setenv("HUB_KEY", "made-up-value")
	entries := filepath.Join(t.TempDir(), "entries.json")
	if err := os.WriteFile(entries,
		[]byte(`{"mcpServers": {"hub": {"command": "docker", "args": ["run", "-i", "-e", "HUB_KEY", "hub"]}}}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		answers string
		passed  bool
		flags   []string
	}{{"y\ny\n", true, nil}, {"n\ny\n", false, nil}, {"", false, []string{"--yes"}}} {
		path := filepath.Join(t.TempDir(), "workbench-config.json")
		if err := os.WriteFile(path, []byte(`{"toolboxes": {}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		status := run(words.English(), append([]string{"import", "--config", path, "--file", entries}, test.flags...),
			strings.NewReader(test.answers), &out, &out)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if status != exitOK || !strings.Contains(out.String(), "Warning: It needs HUB_KEY, and would not get it here") ||
			strings.Contains(out.String(), "made-up-value") {
			t.Errorf("%q: status %d: %s", test.answers, status, out.String())
		}
		if got := strings.Contains(string(data), `"HUB_KEY": "${HUB_KEY}"`); got != test.passed ||
			!strings.Contains(string(data), `"hub"`) {
			t.Errorf("%q: %s", test.answers, data)
		}
	}
}
