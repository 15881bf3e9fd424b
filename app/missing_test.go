package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
)

// If a server is started with pipx and pipx is missing, its card offers to start it with uvx, and then to get uv. Only
// that button changes what runs: repairing everything does not. Neither approves a server that waits for approval.
func TestStartWithUvx(t *testing.T) {
	entry := func(name string) string {
		return `"` + name + `": {"command": "pipx", "args": ["run", "mcp-server-time"], "env": {"PATH": "` +
			filepath.ToSlash(t.TempDir()) + `"}}`
	}
	ann, evil := entry("a"), entry("evil")
	text := configured(ann)
	b := guardedBench(t, text)
	at := model.Choice{Toolbox: "dev", Server: "a"}
	b.model.Runtimes = model.Runtimes{{ID: "uv", Name: "uv", Size: 25_000_000}}
	b.judge()
	b.untilOwn()
	b.until(func() string { return differs(b.serverShown("a").FixWord(), "Start it with uvx") })
	if b.now.view.Repairable() {
		t.Error("the window offers to repair everything")
	}
	if err := b.await(b.saver.FixAll); err != nil || b.text() != text {
		t.Errorf("repairing everything changes it, %v:\n%s", err, b.text())
	}
	b.toolboxes.Mend(at)
	b.until(func() string {
		return differs(b.text(), strings.Replace(text, `"pipx", "args": ["run", "mcp-server-time"]`,
			`"uvx", "args": ["mcp-server-time"]`, 1))
	})
	b.until(func() string { return differs(b.serverShown("a").FixWord(), "Get uv") })
	b.untilWaiting(0)
	b.undo()
	b.until(func() string { return differs(b.text(), text) })

	b.write(configured(ann, evil))
	b.untilWaiting(1)
	b.until(func() string {
		if len(b.now.view.Toolboxes[0].Servers) < 2 {
			return "the new server is not shown"
		}
		return differs(b.serverShown("evil").FixWord(), "Review…")
	})
	b.until(func() string {
		for _, problem := range b.now.Warnings {
			if problem.Path == config.ServerPath("dev", "evil")+".command" {
				if err := b.await(func(done func(error)) { b.saver.ApplyFix(problem, done) }); err != nil {
					t.Fatal(err)
				}
				return ""
			}
		}
		return "its problem is not known"
	})
	if got := b.text(); strings.Count(got, `"uvx"`) != 1 {
		t.Errorf("the file is\n%s", got)
	}
	b.untilWaiting(1)
	if got := b.serverShown("evil").FixWord(); got != "Review…" {
		t.Errorf("after the change, the card offers %q", got)
	}
}

// If the program of a server comes with a product that Workbench cannot install, the button opens the page of that
// product. Once the user has installed it, even in a folder that is not in PATH yet, "Try again" starts the server,
// and the file has no problem any more.
func TestGetFromAPage(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is one for Unix")
	}
	home := t.TempDir()
	surroundings := environ.NewWith([]string{"HOME=" + home, "PATH=/usr/bin:/bin", "SHELL=/no/such/shell"},
		environ.Options{Fresh: time.Nanosecond})
	t.Cleanup(func() { surroundings.Close() })
	server, err := json.Marshal(map[string]any{"command": "bunx",
		"env": map[string]string{fakeserver.Variable: fakeserver.Script{}.String(), "GORACE": "atexit_sleep_ms=0"}})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {"a": `+string(server)+`}}}}`, func(o *Options) {
		o.Environ = surroundings
	})
	at := model.Choice{Toolbox: "dev", Server: "a"}
	b.untilOwn()
	b.until(func() string { return differs(b.serverShown("a").FixWord(), "Get Bun") }) // before it was started
	b.openToolbox("dev", true)
	b.untilFailed("a", "Needs Bun")
	if got := b.serverShown("a").FixWord(); got != "Get Bun" {
		t.Errorf("the card offers %q", got)
	}
	if help := tray.StateOf(b.now.Snapshot, b.now.view, b.model.Login).Toolboxes[0].Servers[0].Help; help != "Get Bun" {
		t.Errorf("the tray offers %q", help)
	}
	b.fix(at)
	if len(b.app.opened) != 1 || b.app.opened[0].String() != config.FindProduct("bun").Page {
		t.Errorf("opened is %v", b.app.opened)
	}
	b.restart(at)
	b.untilFailed("a", "Needs Bun") // it was not installed

	folder := filepath.Join(home, ".bun", "bin")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "bunx"), []byte("#!/bin/sh\nexec '"+os.Args[0]+"' \"$@\"\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	b.restart(at)
	b.untilWord("a", "Connected")
	b.until(func() string {
		for _, d := range b.now.Warnings {
			if model.NoProgram(d) {
				return "the file still has a warning: " + d.Message.String()
			}
		}
		return ""
	})
	if got := b.serverShown("a"); strings.HasPrefix(got.FixWord(), "Get ") {
		t.Errorf("the card still offers %q", got.FixWord())
	}
}
