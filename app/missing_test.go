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
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
)

// A server whose program comes with a product that Workbench cannot install opens the page of that product. Once the user has installed it, also in a
// folder that is not in PATH yet, "Try again" starts the server, and the file has no problem any more.
func TestGetFromAPage(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is one for Unix")
	}
	home := t.TempDir()
	surroundings := environ.NewWith([]string{"HOME=" + home, "PATH=/usr/bin:/bin", "SHELL=/no/such/shell"}, environ.Options{Fresh: time.Nanosecond})
	t.Cleanup(func() { surroundings.Close() })
	server, err := json.Marshal(map[string]any{"command": "bunx", "env": map[string]string{fakeserver.Variable: fakeserver.Script{}.String(), "GORACE": "atexit_sleep_ms=0"}})
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {"a": `+string(server)+`}}}}`, func(o *Options) { o.Environ = surroundings })
	at := model.Choice{Toolbox: "dev", Server: "a"}
	b.untilOwn()
	b.until(func() string { return differs(b.serverShown("a").FixWord(), "Get Bun…") }) // before it was started
	b.openToolbox("dev", true)
	b.untilWord("a", "Can't start")
	if got := b.serverShown("a").FixWord(); got != "Get Bun…" {
		t.Errorf("it offers %q", got)
	}
	if help := trayState(b.now, b.model.Login).Toolboxes[0].Servers[0].Help; help != "Get Bun…" {
		t.Errorf("the tray offers %q", help)
	}
	b.fix(at)
	if len(b.app.opened) != 1 || b.app.opened[0].String() != config.FindProduct("bun").Page {
		t.Errorf("opened is %v", b.app.opened)
	}
	b.restart(at)
	b.untilWord("a", "Can't start") // it was not installed

	folder := filepath.Join(home, ".bun", "bin")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "bunx"), []byte("#!/bin/sh\nexec '"+os.Args[0]+"' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	b.restart(at)
	b.untilWord("a", "Connected")
	b.until(func() string {
		for _, d := range b.now.Warnings {
			if runtimes.Missing(d) {
				return "the file still has a warning: " + d.Message.String()
			}
		}
		return ""
	})
	if got := b.serverShown("a"); strings.HasPrefix(got.FixWord(), "Get ") {
		t.Errorf("it still offers %q", got.FixWord())
	}
}
