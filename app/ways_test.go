package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
)

// mostClicks is the largest number of clicks that may lead from the first window to an app that can use the toolboxes.
// Nothing needs to be typed.
const mostClicks = 8

// walk goes through the first steps with the mouse and counts the clicks.
type walk struct {
	*bench
	home   *home
	clicks []string
}

// click waits for a button of the steps and clicks it.
func (w *walk) click(label string) {
	w.t.Helper()
	w.until(func() string {
		var labels []string
		for _, object := range test.LaidOutObjects(w.welcome.Object()) {
			button, ok := object.(*kit.Button)
			if !ok || !button.Visible() || button.Disabled() {
				continue
			}
			if button.Text == label {
				w.clicks = append(w.clicks, label)
				test.Tap(button)
				return ""
			}
			labels = append(labels, button.Text)
		}
		if len(labels) == 0 {
			return "a dead end: nothing can be clicked"
		}
		return fmt.Sprintf("there is no %q, but %q", label, labels)
	})
}

// started simulates that the user starts an app that has our entry in its file.
func (w *walk) started(id, file string) {
	w.t.Helper()
	w.until(func() string {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "workbench-desktop") {
			return fmt.Sprintf("the file of the app has no entry of Workbench: %s, %v", text, err)
		}
		return ""
	})
	w.untilReads("to start Workbench…")
	if err := w.options.Apps.Registrar.RecordProof(
		engine.Proof{Client: id, Time: time.Now(), Config: w.path}); err != nil {
		w.t.Fatal(err)
	}
	w.apps.Find()
}

// newWalk opens the first window in a home folder with the given files.
func newWalk(t *testing.T, files map[string]string) *walk {
	t.Helper()
	// The programs of the example are replaced by a fake server.
	programs := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s'\n", fakeserver.Variable, fakeserver.Script{}, os.Args[0])
	for _, name := range []string{"npx", "workbench-engine"} { // the test is neither of our programs
		if err := os.WriteFile(filepath.Join(programs, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	b, h := newFirstBench(t, "", model.FirstStepsNone)
	if err := os.RemoveAll(filepath.Dir(h.claude)); err != nil {
		t.Fatal(err)
	}
	for path, text := range files {
		h.write(t, filepath.Join(h.folder, path), text)
	}
	b.greet()
	b.until(func() string { // apps may have been looked for before the files were written
		if found, want := b.model.Apps.Sources, imports.Present(b.options.Apps.System); !slices.Equal(found, want) {
			return fmt.Sprintf("servers may be in %q, want %q", found, want)
		}
		return ""
	})
	return &walk{bench: b, home: h}
}

func (w *walk) ends(app string) {
	w.t.Helper()
	w.untilReads(app + " can use your toolboxes")
	w.t.Logf("%d clicks: %s", len(w.clicks), strings.Join(w.clicks, " · "))
	if len(w.clicks) > mostClicks {
		w.t.Errorf("%d clicks are needed, want at most %d", len(w.clicks), mostClicks)
	}
	w.click("Go to my toolboxes")
	if w.places.At() != placeToolboxes {
		w.t.Errorf("the first steps end at %s", w.places.At())
	}
}

// The ways from the first window to an app that can use the toolboxes: with nothing installed, with five servers in
// Claude Desktop, and with Cursor and Claude Code.
func TestWaysToTheFirstAnswer(t *testing.T) {
	server := func(name string) string {
		return fmt.Sprintf(`%q: {"command": "npx", "args": ["-y", %q]}`, name, name)
	}
	t.Run("nothing installed", func(t *testing.T) {
		w := newWalk(t, nil)
		w.click("Add the example and try it")
		w.untilReads("Your first toolbox works")
		w.click("Continue")
		w.click("Get Claude Desktop")
		file := filepath.Join(w.home.folder, ".config", "Claude", "claude_desktop_config.json")
		w.home.write(t, file, "{}") // the app was installed and started once
		w.click("Look again")
		w.click("Connect Claude Desktop")
		w.started("claude-desktop", file)
		w.ends("Claude Desktop")
	})
	t.Run("no app at all", func(t *testing.T) {
		w := newWalk(t, nil)
		w.click("Add the example and try it")
		w.untilReads("Your first toolbox works")
		w.click("Continue")
		w.click("Continue")
		w.click("Try a tool now")
		w.until(func() string {
			if all := kittest.Texts(kittest.Seen(w.detail.Tools.Object())); !strings.Contains(all, "Run") ||
				w.places.At() != placeToolboxes {
				return "no tool can be tried, but:\n" + all
			}
			return ""
		})
	})
	t.Run("five servers in Claude Desktop", func(t *testing.T) {
		var servers []string
		for _, name := range []string{"a", "b", "c", "d"} {
			servers = append(servers, server(name))
		}
		file := ".config/Claude/claude_desktop_config.json"
		w := newWalk(t, map[string]string{
			file: `{"mcpServers": {` + strings.Join(append(servers, `"e": {"command": "uvx-is-not-here", "args": ["e"]}`),
				", ") + `}}`})
		w.click("Find servers")
		w.click("Bring in 5 servers")
		w.click("Connect Claude Desktop")
		w.started("claude-desktop", filepath.Join(w.home.folder, file))
		w.untilReads("4 of 5 servers work")
		w.ends("Claude Desktop")
	})
	t.Run("Cursor and Claude Code", func(t *testing.T) {
		w := newWalk(t, map[string]string{
			".cursor/mcp.json": `{"mcpServers": {` + server("memory") + `, ` + server("fetch") + `}}`,
			".claude.json":     `{"mcpServers": {` + server("memory") + `}}`,
		})
		w.click("Find servers")
		w.click("Bring in 2 servers")
		w.click("Connect Cursor")
		w.started("cursor", filepath.Join(w.home.folder, ".cursor", "mcp.json"))
		w.untilReads("All 2 servers work")
		w.ends("Cursor")
	})
}
