package clients

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// install adds the engine beside the program with the window, as an update of the package does, and uses the
// new launch.
func (p *place) install() {
	p.t.Helper()
	p.put(filepath.Join(p.home, "bin", "workbench-engine"), "#!")
	p.relaunch("workbench-desktop")
}

// relaunch acts as if this process were a program of that name.
func (p *place) relaunch(name string) {
	p.t.Helper()
	launch, err := p.system.Launch(filepath.Join(p.home, "bin", name), p.launch.Config)
	if err != nil {
		p.t.Fatal(err)
	}
	p.launch = launch
}

// TestBothPrograms checks each client with both programs present. Its entry is the golden one except for the
// name of the program, whether it is new or was written by an earlier version, and disconnecting restores the
// original bytes.
func TestBothPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the golden files have the paths of other systems")
	}
	for _, c := range All() {
		if c.ByHand != "" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			before, after, alone := golden(t, c.ID, "before"), golden(t, c.ID, "after"), golden(t, c.ID, "alone")
			p := newPlace(t)
			file := p.system.Locate(c).Files[0].Path
			check := func(when, want string) {
				t.Helper()
				got := strings.ReplaceAll(p.text(file), p.home, "/home/ada")
				if want = strings.Replace(want, "/bin/workbench-desktop", "/bin/workbench-engine", 1); got != want {
					t.Errorf("%s:\n%s\nwant:\n%s", when, got, want)
				}
				if plan := p.must(p.connect(c.ID)); plan.Changed() {
					t.Errorf("%s: twice is not once", when)
				}
			}
			for _, earlier := range []bool{false, true} {
				connect := func(when, want string) {
					t.Helper()
					if earlier {
						p.must(p.connect(c.ID))
						when += ", moved"
					}
					p.install()
					if status := p.status(c.ID); earlier && (status.State != Connected || !status.StartsWindow) {
						t.Errorf("%s: an earlier entry is %q, and starts the window: %v", when, status.State, status.StartsWindow)
					}
					p.must(p.connect(c.ID))
					check(when, want)
					if status := p.status(c.ID); status.State != Connected || status.StartsWindow {
						t.Errorf("%s: the state is %q; the entry starts the window: %v", when, status.State, status.StartsWindow)
					}
					p.must(p.disconnect(c.ID))
					if err := os.Remove(p.launch.Program); err != nil {
						t.Fatal(err)
					}
					p.relaunch("workbench-desktop")
				}
				connect("a new file", alone)
				if there(file) || there(filepath.Dir(file)) {
					t.Error("the file or its folder was left")
				}
				p.put(file, before)
				connect("a file as people have it", after)
				if got := p.text(file); got != before {
					t.Errorf("after disconnecting:\n%s", got)
				}
				if err := os.RemoveAll(filepath.Dir(file)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestEitherProgram: each program recognises the entry of the other as ours.
func TestEitherProgram(t *testing.T) {
	p := newPlace(t)
	p.must(p.connect("cursor"))
	p.install()
	for _, name := range []string{"workbench-engine", "workbench-desktop"} {
		p.relaunch(name)
		if status := p.status("cursor"); status.State != Connected || !status.StartsWindow {
			t.Errorf("%s finds the entry of an earlier version %q, which starts the window: %v", name, status.State,
				status.StartsWindow)
		}
	}
	p.relaunch("workbench-engine")
	p.must(p.connect("cursor"))
	moved := p.text(p.file("cursor"))
	p.relaunch("workbench-desktop")
	if plan := p.must(p.connect("cursor")); plan.Changed() || !strings.Contains(moved, "workbench-engine") {
		t.Errorf("the two programs write different entries:\n%s", moved)
	}
	// An older package has no engine. Connecting corrects the entry.
	if err := os.Remove(p.launch.Program); err != nil {
		t.Fatal(err)
	}
	p.relaunch("workbench-desktop")
	if state := p.stateOf("cursor"); state != Outdated {
		t.Errorf("the state of an entry whose program was removed is %q", state)
	}
	p.must(p.connect("cursor"))
	if text := p.text(p.file("cursor")); strings.Contains(text, "workbench-engine") {
		t.Errorf("the entry still starts the engine:\n%s", text)
	}
	p.must(p.disconnect("cursor"))
	p.whole(p.file("cursor"))
}

// TestByHandMoves: an entry made by Claude Code's own command is moved by commands too.
func TestByHandMoves(t *testing.T) {
	p := newPlace(t)
	p.claudeCode(map[string]Launch{"wb": p.launch}, nil)
	p.install()
	if status := p.status("claude-code"); status.State != Connected || !status.StartsWindow {
		t.Errorf("the state is %q; the entry starts the window: %v", status.State, status.StartsWindow)
	}
	want := "claude mcp remove -s user wb\n" +
		p.system.lines([]Command{addCommand(rowOf(t, "claude-code"), p.launch, "wb")})
	if plan := p.must(p.connect("claude-code")); plan.Paste != want || !strings.Contains(want, "workbench-engine") {
		t.Errorf("connect: %q, want %q", plan.Paste, want)
	}
	p.claudeCode(map[string]Launch{"wb": p.launch}, nil)
	if plan := p.must(p.connect("claude-code")); plan.Paste != "" || p.status("claude-code").StartsWindow {
		t.Errorf("connect again: %q", plan.Paste)
	}
}

// TestGuardMovesToTheEngine: a client that starts the entry of an earlier version proves it, and the guard
// puts back an entry that starts the engine.
func TestGuardMovesToTheEngine(t *testing.T) {
	g := newGuarded(t)
	file := g.connected("claude-desktop", ownSettings)
	g.install()
	if err := g.RecordProof(Proof{Client: "claude-desktop", Time: g.now(), Config: g.launch.Config}); err != nil {
		t.Fatal(err)
	}
	g.looks(time.Minute)
	g.told("updated") // nothing was lost
	if status := g.status("claude-desktop"); !status.Proven() || !status.StartsWindow {
		t.Errorf("the earlier entry is %q, proven: %v", status.State, status.Proven())
	}
	g.put(file, ownSettings)
	g.looks(time.Minute)
	g.told("lost", "mended claude-desktop")
	if status := g.status("claude-desktop"); status.State != Connected || status.StartsWindow ||
		!strings.Contains(g.text(file), "workbench-engine") {
		t.Errorf("after the restoration, the state is %q:\n%s", status.State, g.text(file))
	}
	g.must(g.disconnect("claude-desktop"))
	if got := g.text(file); got != ownSettings {
		t.Errorf("after disconnecting:\n%s", got)
	}
}
