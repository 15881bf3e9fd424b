package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
)

const cursorFile = `{
	// mine
	"mcpServers": {
		"github": {"command": "npx", "args": ["-y", "server-github"], "env": {"GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}},
		"notes": {"command": "uvx", "args": ["notes"]},
	},
}
`

// home is a temporary home folder with two apps.
type home struct {
	folder  string
	cursor  string // path of Cursor's file
	claude  string
	running atomic.Bool // Claude Desktop is running
}

// newHomeBench returns a controller in a temporary home folder.
func newHomeBench(t *testing.T) (*bench, *home) {
	folder := t.TempDir()
	h := &home{folder: folder, cursor: filepath.Join(folder, ".cursor", "mcp.json"),
		claude: filepath.Join(folder, ".config", "Claude", "claude_desktop_config.json")}
	h.write(t, h.cursor, cursorFile)
	h.write(t, h.claude, `{"theme": "dark"}`)
	program := filepath.Join(folder, "bin", "workbench-desktop")
	h.write(t, program, "")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	system := engine.System{
		OS: "linux", Home: folder, Getenv: func(string) string { return "" }, Stat: os.Stat, ReadDir: os.ReadDir,
		Processes: func() ([]engine.Process, error) {
			if h.running.Load() {
				return []engine.Process{{Pid: 7, Path: "/usr/bin/claude-desktop"}}, nil
			}
			return nil, nil
		},
	}
	start := filepath.Join(folder, "programs")
	for _, name := range []string{"npx", "uvx", "files", "memory", "mail"} {
		runnable(t, filepath.Join(start, name))
	}
	t.Setenv("PATH", start+string(os.PathListSeparator)+os.Getenv("PATH"))
	b := newBench(t, oneServer, func(o *Options) {
		path := o.Location.Path
		o.Lookup.Keyring = keychain.Get
		o.Apps = &setup.Setup{Location: o.Location,
			System: system, Registrar: engine.New(system, filepath.Join(folder, "state")),
			Launch: func() (engine.Launch, error) { return system.Launch(program, path) },
		}
	})
	b.places.Choose(placeClients)
	b.until(func() string { return differs(b.clientWord("Cursor"), lang.L("Not connected")) })
	return b, h
}

// runnable makes a program that is an MCP server.
func runnable(t *testing.T, path string) {
	t.Helper()
	text := "#!/bin/sh\nexport " + fakeserver.Variable + "='" + fakeserver.Script{}.String() + "'\nexec '" + os.Args[0] +
		"'\n"
	if runtime.GOOS == "windows" {
		path += ".cmd"
		text = "@set " + fakeserver.Variable + "=" + fakeserver.Script{}.String() + "\r\n@\"" + os.Args[0] + "\"\r\n"
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

func (h *home) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (h *home) read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// clientWord returns the state of an app as the window shows it.
func (b *bench) clientWord(name string) string {
	for _, card := range b.apps.View(&b.model).Cards {
		if card.Name == name {
			return card.Word
		}
	}
	return "(no app)"
}

// plan finds out how connecting an app would change its file.
func (b *bench) plan(id string, connect bool) (clients.Proposal, error) {
	b.t.Helper()
	var found clients.Proposal
	err := b.await(func(done func(error)) {
		b.apps.Plan(id, connect, func(proposal clients.Proposal, err error) { found = proposal; done(err) })
	})
	return found, err
}

func TestConnectAndDisconnect(t *testing.T) {
	b, h := newHomeBench(t)
	carry := func(connect bool) {
		t.Helper()
		found, err := b.plan("cursor", connect)
		if err != nil || !found.Plan.Changed() || found.Running {
			t.Fatalf("the plan is %+v, %v", found, err)
		}
		if err := b.await(func(done func(error)) { b.apps.Carry(t.Context(), found.Plan, false, done) }); err != nil {
			t.Fatal(err)
		}
	}
	carry(true)
	if text := h.read(t, h.cursor); !strings.Contains(text, filepath.Join(h.folder, "bin", "workbench-desktop")) ||
		!strings.Contains(text, "// mine") {
		t.Errorf("connected, the file is\n%s", text)
	}
	b.until(func() string { return differs(b.clientWord("Cursor"), "Set up") })
	carry(false)
	if text := h.read(t, h.cursor); text != cursorFile {
		t.Errorf("disconnected, the file is\n%s", text)
	}
	b.until(func() string { return differs(b.clientWord("Cursor"), "Not connected") })

	h.write(t, h.cursor, "{")
	_, err := b.plan("cursor", true)
	var refused *engine.RefusedError
	if !errors.As(err, &refused) || h.read(t, h.cursor) != "{" {
		t.Errorf("a file that cannot be read ends with %v", err)
	}
}

// If an app writes its file when it ends, Workbench waits for that before it connects the app.
func TestConnectAfterQuitting(t *testing.T) {
	b, h := newHomeBench(t)
	h.running.Store(true)
	found, err := b.plan("claude-desktop", true)
	if err != nil || !found.Running {
		t.Fatalf("the plan is %+v, %v", found, err)
	}
	var running *engine.RunningError
	if err := b.await(func(done func(error)) {
		b.apps.Carry(t.Context(), found.Plan, false, done)
	}); !errors.As(err, &running) {
		t.Errorf("without waiting, connecting ends with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.apps.Carry(ctx, found.Plan, true, func(err error) { t.Errorf("the cancelled change reports %v", err) })
	cancel()
	result := make(chan error, 1)
	b.apps.Carry(t.Context(), found.Plan, true, func(err error) { result <- err })
	h.write(t, h.claude, `{"theme": "light"}`) // the app does this when it ends
	h.running.Store(false)
	b.until(func() string {
		if len(result) == 0 {
			return "it is still waited for"
		}
		return ""
	})
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	if text := h.read(t, h.claude); !strings.Contains(text, `"light"`) || !strings.Contains(text, "claude-desktop") {
		t.Errorf("the file is\n%s", text)
	}
}

func TestBringInServers(t *testing.T) {
	keychaintest.Mock(t)
	b, h := newHomeBench(t)
	var offer clients.Offer
	if err := b.await(func(done func(error)) {
		b.apps.Actions().Import(clients.Ask{ID: "cursor", Into: "dev"}, func(found clients.Offer, err error) {
			offer = found
			done(err)
		})
	}); err != nil {
		t.Fatal(err)
	}
	plan := offer.Plan
	if len(plan.Servers) != 2 {
		t.Fatalf("found are %+v", plan.Servers)
	}
	plan.Servers = append([]imports.Found{}, plan.Servers[0])
	if err := b.await(func(done func(error)) { b.apps.Bring(offer, plan, true, done) }); err != nil {
		t.Fatal(err)
	}
	text := b.text()
	if !strings.Contains(text, "server-github") || strings.Contains(text, "notes") || strings.Contains(text, "ghp_") ||
		!strings.Contains(text, "${keyring:") {
		t.Errorf("the configuration is\n%s", text)
	}
	if h.read(t, h.cursor) != cursorFile {
		t.Error("the file of the app was changed")
	}
	b.places.Choose(placeToolboxes)
	if (ofToolboxes{b.controller}).Import(); b.places.At() != placeClients {
		t.Error("Import does not show the AI apps")
	}
	b.until(func() string { return differs(b.toast(), "Brought 1 server into “dev” Undo") })
	b.undo()
	b.until(func() string {
		if b.text() != oneServer {
			return "it is not undone"
		}
		return ""
	})
}
