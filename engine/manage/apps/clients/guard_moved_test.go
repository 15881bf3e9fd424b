package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGuardCorrectsAMovedProgram moves the program to another folder: entries that are as we wrote them start it
// there, with the same configuration, and everything else in their files stays. An app that would undo it is waited
// for.
func TestGuardCorrectsAMovedProgram(t *testing.T) {
	for _, id := range []string{"claude-desktop", "cursor", "codex"} {
		t.Run(id, func(t *testing.T) {
			g := newGuarded(t)
			before := ownSettings
			if id == "codex" {
				before = "model = \"o3\" # mine\n"
			}
			file := g.connected(id, before)
			entry, old := g.text(file), g.launch
			g.move(filepath.Join(g.home, "new", "workbench-desktop"))
			g.running = true
			g.looks(time.Minute)
			if id == "claude-desktop" && g.text(file) != entry {
				t.Error("the file was written while the app was running")
			}
			g.running = false
			g.looks(time.Minute)
			// JSON has the path escaped, TOML as it is
			moved := strings.NewReplacer(escaped(old.Program), escaped(g.launch.Program), old.Program, g.launch.Program)
			if want := moved.Replace(entry); g.text(file) != want {
				t.Errorf("the file is\n%s\nand should be\n%s", g.text(file), want)
			}
			g.state(id, Connected)
			g.told("moved")
			g.must(g.disconnect(id))
			if g.text(file) != before {
				t.Errorf("after disconnecting it is\n%s", g.text(file))
			}
		})
	}
}

// move moves the program, and this is the program at its new place.
func (g *guarded) move(to string) {
	g.t.Helper()
	g.put(to, "#!")
	if err := os.Remove(g.launch.Program); err != nil {
		g.t.Fatal(err)
	}
	g.launch.Program = to
}

// TestGuardLeavesOtherPrograms leaves entries alone whose program is still there, is being replaced in its folder, or
// was written there by a person, and those that no program of ours could replace.
func TestGuardLeavesOtherPrograms(t *testing.T) {
	for name, change := range map[string]func(g *guarded, file string){
		"two versions beside each other": func(g *guarded, _ string) {
			g.launch.Program = filepath.Join(g.home, "new", "workbench-desktop")
			g.put(g.launch.Program, "#!")
		},
		"an installer is at work": func(g *guarded, _ string) {
			g.move(filepath.Join(filepath.Dir(g.launch.Program), "workbench-engine"))
		},
		"another argument": func(g *guarded, file string) {
			g.put(file, strings.Replace(g.text(file), `"stdio"`, `"stdio", "--verbose"`, 1))
			g.move(filepath.Join(g.home, "new", "workbench-desktop"))
		},
		"nothing is there": func(g *guarded, _ string) {
			g.move(filepath.Join(g.home, "new", "workbench-desktop"))
			if err := os.Remove(g.launch.Program); err != nil {
				g.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGuarded(t)
			file := g.connected("cursor", ownSettings)
			change(g, file)
			entry := g.text(file)
			g.looks(time.Minute)
			if g.text(file) != entry {
				t.Errorf("the file is now\n%s", g.text(file))
			}
			g.told("left alone")
		})
	}
}
