//go:build !windows && !darwin

package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// keychains are those with which no server may stay away.
func keychains() map[string]keychaintest.Behaviour {
	return map[string]keychaintest.Behaviour{"locked": keychaintest.Locked, "refusing": keychaintest.Refusing,
		"silent": keychaintest.Silent}
}

// TestScriptsWithALockedKeychain runs everything of [TestScripts] once more on desktops whose keychain is locked or
// refuses, and what has to do with approvals on one whose keychain does not answer. No question is shown to the
// person, since no secret is needed. Only the doctor asks whether an open keychain answers.
func TestScriptsWithALockedKeychain(t *testing.T) {
	only := map[string][]string{"silent": {"approve", "apps", "always_open", "day", "start", "config"}}
	for name, behaviour := range keychains() {
		t.Run(name, func(t *testing.T) {
			service := keychaintest.Serve(t, behaviour, nil)
			t.Run("scripts", func(t *testing.T) { testscript.Run(t, scripts(service.Address, only[name]...)) })
			if service.Prompts() > 0 || service.Asked() > 0 && name != "refusing" {
				t.Errorf("the keychain was asked %d times, with %d questions to the person", service.Asked(), service.Prompts())
			}
		})
	}
}

// TestSecretOfALockedKeychain: a server that needs a secret of a locked keychain says so, the others run. A question
// that was cancelled comes back only when the person starts the server.
func TestSecretOfALockedKeychain(t *testing.T) {
	service := keychaintest.Serve(t, keychaintest.Locked, map[string]string{"token": "made-up"})
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", service.Address)
	at := linkEndpoint(t)
	hub, _ := appThatAsks(t, at)
	path := configWith(t, map[string]string{"plain": "{}", "secret": "{}"})
	withSecret(t, path, "secret", "${keyring:token}")
	c := startEngine(t, at, path)
	c.initialize()
	if service.Prompts() > 0 {
		t.Error("the person was asked before a secret was needed")
	}
	for range 3 {
		c.send("tools/call", `{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}`)
		if _, text := c.answer(); !strings.Contains(text, "it is locked") || !strings.Contains(text, "echo") {
			t.Fatalf("opening the toolbox answers %s", text)
		}
		c.send("tools/call", `{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"secret","tool":"echo"},"arguments":{}}}`)
		if _, text := c.answer(); !strings.Contains(text, "it is locked") {
			t.Fatalf("the call answers %s", text)
		}
	}
	if got := service.Prompts(); got != 1 {
		t.Errorf("the person was asked %d times, want once", got)
	}
	see(t, hub, "the engine", func(engines []ipc.Engine) bool { return len(engines) == 1 })
	engine := hub.Engines()[0].ID
	if err := hub.Restart(t.Context(), engine, "dev", "secret"); err == nil ||
		!strings.Contains(err.Error(), "it is locked") {
		t.Errorf("the start by the person: %v", err)
	}
	if got := service.Prompts(); got != 2 {
		t.Errorf("after the person has started it, they were asked %d times, want 2", got)
	}
}

// withSecret adds a variable to a server's entry.
func withSecret(t *testing.T, path, server, value string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	var file map[string]map[string]map[string]map[string]map[string]any
	if err == nil {
		err = json.Unmarshal(raw, &file)
	}
	if err == nil {
		file["toolboxes"]["dev"]["mcpServers"][server]["env"] = map[string]string{"TOKEN": value}
		raw, err = json.Marshal(file)
	}
	if err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestVariablesSwitchNothingOff: a client that starts the program with variables which lead elsewhere does not make it
// forget what waits.
func TestVariablesSwitchNothingOff(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	own := func() (paths.Folders, bool) { return paths.Folders{OS: "linux", Home: home}, true }
	path := filepath.Join(home, "config.json")
	write := func(entries string) *config.Config {
		t.Helper()
		text := []byte(`{"toolboxes":{"dev":{"mcpServers":{` + entries + `}}}}`)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return config.Parse(path, text).Config
	}
	record := approval.New(approval.Options{Path: filepath.Join(home, ".local", "state", "workbench", "approvals.json")})
	if err := record.Begin(t.Context(), path, write(`"a":{"command":"true"}`)); err != nil {
		t.Fatal(err)
	}
	write(`"a":{"command":"true"},"evil":{"command":"true","args":["evil"]}`)
	for name, variables := range map[string]map[string]string{
		"XDG_STATE_HOME": {"HOME": home, "XDG_STATE_HOME": elsewhere},
		"HOME":           {"HOME": elsewhere, "XDG_STATE_HOME": ""},
	} {
		for variable, value := range variables {
			t.Setenv(variable, value)
		}
		var out strings.Builder
		runAs(own, testPrinter(), []string{"approve", "--config", path, "--json"}, strings.NewReader(""), &out, &out)
		if got := out.String(); !strings.Contains(got, `"evil"`) ||
			!strings.Contains(got, fmt.Sprintf("%q", approval.Elsewhere)) {
			t.Errorf("with another %s, this waits: %s", name, got)
		}
	}
}

// TestVariablesMakeNoToolNew: with variables that lead elsewhere, the tools in the account's own place are still those
// that were approved. Where the account has none, the variables count.
func TestVariablesMakeNoToolNew(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	s := streams{account: func() (paths.Folders, bool) { return paths.Folders{OS: "linux", Home: home}, true }}
	theirs := filepath.Join(home, ".local", "state", "workbench", "pins")
	for name, variables := range map[string]map[string]string{
		"XDG_STATE_HOME": {"HOME": home, "XDG_STATE_HOME": elsewhere},
		"HOME":           {"HOME": elsewhere, "XDG_STATE_HOME": ""},
	} {
		for variable, value := range variables {
			t.Setenv(variable, value)
		}
		if at := s.openPins(slog.Default()).Path(pin.Hash{}); !strings.HasPrefix(at, elsewhere) {
			t.Errorf("with another %s and no record, pins are in %s", name, at)
		}
		if err := os.MkdirAll(theirs, 0o700); err != nil {
			t.Fatal(err)
		}
		if at := s.openPins(slog.Default()).Path(pin.Hash{}); filepath.Dir(at) != theirs {
			t.Errorf("with another %s, pins are in %s", name, at)
		}
		if err := os.RemoveAll(filepath.Dir(theirs)); err != nil {
			t.Fatal(err)
		}
	}
}
