package clients

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const ownSettings = "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\"files\": {\"command\": \"npx\"}}\n}\n"

// guarded is a place with a guard whose checks the test makes itself, at invented times.
type guarded struct {
	*place
	guard   *Guard
	clock   time.Time
	running bool // whether Claude Desktop is running
	events  []string
}

func newGuarded(t *testing.T) *guarded {
	g := &guarded{place: newPlace(t), clock: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	g.system.Processes = func() ([]Process, error) {
		if g.running {
			return g.claude(), nil
		}
		return nil, nil
	}
	g.restart()
	return g
}

// restart simulates a restart of the app.
func (g *guarded) restart() {
	g.Registrar = New(g.system, filepath.Join(g.home, "state", "clients"))
	g.now = func() time.Time { g.clock = g.clock.Add(time.Millisecond); return g.clock }
	g.guard = NewGuard(g.Registrar, GuardOptions{
		Launch: func() (Launch, error) { return g.launch, nil },
		Told: func(e GuardEvent) {
			if e.Kind == GuardChanged {
				return
			}
			word := string(e.Kind) + " " + e.Client.ID
			if e.Again {
				word += " again"
			}
			g.events = append(g.events, word)
		},
	})
}

// looks makes the guard check as often as it asks to within a time.
func (g *guarded) looks(within time.Duration) {
	for end := g.clock.Add(within); ; {
		again := g.guard.look()
		if again == 0 || g.clock.Add(again).After(end) {
			g.clock = end
			return
		}
		g.clock = g.clock.Add(again)
	}
}

func (g *guarded) told(when string, want ...string) {
	g.t.Helper()
	if !slices.Equal(g.events, want) {
		g.t.Errorf("%s: the events are %q, not %q", when, g.events, want)
	}
	g.events = nil
}

func (g *guarded) state(id string, want State) {
	g.t.Helper()
	if got := g.status(id).State; got != want {
		g.t.Errorf("%s is %q, not %q", id, got, want)
	}
}

// connected connects a client that has its own file with other settings.
func (g *guarded) connected(id, before string) (file string) {
	g.t.Helper()
	file = g.file(id)
	g.put(file, before)
	g.must(g.connect(id))
	g.looks(time.Minute)
	g.told("connected")
	return file
}

// TestGuardMendsOnce: when an entry is lost for the first time it is put back; the second time a person is
// asked.
func TestGuardMendsOnce(t *testing.T) {
	for name, wipe := range map[string]string{"the entry": ownSettings, "all": "{}", "the file": "",
		"an empty file": "\n"} {
		t.Run(name, func(t *testing.T) {
			g := newGuarded(t)
			file := g.connected("claude-desktop", ownSettings)
			want := g.text(file)
			lose := func() {
				g.put(file, wipe)
				if wipe == "" {
					if err := os.Remove(file); err != nil {
						t.Fatal(err)
					}
				}
			}
			lose()
			g.looks(time.Minute)
			g.told("lost", "mended claude-desktop")
			g.state("claude-desktop", Connected)
			if got := g.text(file); wipe == ownSettings && got != want {
				t.Errorf("the entry was restored as\n%s\nnot\n%s", got, want)
			}
			mended := g.text(file)

			g.restart() // earlier losses are remembered
			g.looks(time.Minute)
			lose()
			lost := g.text(file)
			g.looks(time.Minute)
			g.told("lost again", "asks claude-desktop again")
			g.restart()
			g.looks(time.Hour)
			g.told("after a restart")
			status := g.status("claude-desktop")
			if g.text(file) != lost || status.State != Lost || status.Loss == nil || !status.Loss.Asks || !status.Loss.Again ||
				status.Mends() {
				t.Errorf("the guard does not ask the user: %+v\n%s", status, g.text(file))
			}

			// The person puts the entry back. Earlier losses do not count any more.
			g.must(g.connect("claude-desktop"))
			if g.text(file) != mended {
				t.Errorf("after connecting again, the file is\n%s", g.text(file))
			}
			g.looks(time.Minute)
			lose()
			g.looks(time.Minute)
			g.told("lost after connecting", "mended claude-desktop")
		})
	}
}

// TestGuardWaitsForTheEnd: what an app does to its file while it runs must not be disturbed.
func TestGuardWaitsForTheEnd(t *testing.T) {
	g := newGuarded(t)
	file := g.connected("claude-desktop", ownSettings)
	g.running = true
	g.put(file, ownSettings)
	g.looks(time.Minute)
	g.told("while it runs", "waits claude-desktop")
	if g.text(file) != ownSettings || !g.status("claude-desktop").Mends() {
		t.Errorf("the file is %s", g.text(file))
	}
	g.put(file, "{\"last\": \"words\"}\n")
	g.running = false
	g.looks(guardQuit + guardSettled)
	g.told("when it has been quit", "mended claude-desktop")
	if got := g.text(file); !strings.Contains(got, `"last": "words"`) || !strings.Contains(got, "workbench") {
		t.Errorf("the file is %s", got)
	}

	// The app restores the entry itself.
	g.restart()
	g.must(g.disconnect("claude-desktop"))
	file = g.connected("claude-desktop", ownSettings)
	good := g.text(file)
	g.running = true
	g.put(file, "{}")
	g.looks(10 * time.Second)
	g.put(file, good)
	g.running = false
	g.looks(time.Minute)
	g.told("it came back", "waits claude-desktop")
	if g.status("claude-desktop").Loss != nil {
		t.Error("that counts as a loss")
	}
}

// TestGuardDoesNotFight: an app that was started right after the repair writes its file from memory again.
// The guard does not put the entry back a second time.
func TestGuardDoesNotFight(t *testing.T) {
	g := newGuarded(t)
	file := g.connected("claude-desktop", ownSettings)
	g.put(file, ownSettings)
	for range 10 {
		g.looks(guardBelief + 100*time.Millisecond)
		if strings.Contains(g.text(file), "workbench") {
			g.put(file, ownSettings)
		}
	}
	g.looks(time.Minute)
	g.told("rewritten twice", "asks claude-desktop again")
	if g.text(file) != ownSettings {
		t.Error("the guard has restored the entry a second time")
	}
}

// TestGuardMakesPeace: a loss long after an earlier one that was repaired counts as the first, if the client
// has started Workbench in between.
func TestGuardMakesPeace(t *testing.T) {
	for _, test := range []struct {
		name    string
		started bool
		after   time.Duration
		want    string
	}{
		{"days later", true, guardPeace, "mended claude-desktop"},
		{"too early", true, guardPeace - time.Hour, "asks claude-desktop again"},
		{"without a proof", false, guardPeace * 10, "asks claude-desktop again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newGuarded(t)
			file := g.connected("claude-desktop", ownSettings)
			g.prove(g.proof("claude-desktop"))
			g.put(file, ownSettings)
			g.looks(time.Minute)
			g.told("once", "mended claude-desktop")
			if test.started {
				g.prove(g.proof("claude-desktop"))
			}
			g.clock = g.clock.Add(test.after)
			g.put(file, ownSettings)
			g.looks(time.Minute)
			g.told("twice", test.want)
		})
	}
}

// TestGuardLeavesAlone checks what the guard does not touch, and what it reports.
func TestGuardLeavesAlone(t *testing.T) {
	for _, test := range []struct {
		name, client string
		change       func(g *guarded, file string)
		told         []string
		state        State
	}{
		{"an app that keeps its file", "cursor", func(g *guarded, file string) {
			g.put(file, ownSettings)
		}, []string{"asks cursor"}, Lost},
		{"an app that reflows its file", "goose", func(g *guarded, file string) {
			g.put(file, "extensions:\n")
		}, []string{"asks goose"}, Lost},
		{"its file is gone", "codex", func(g *guarded, file string) { _ = os.Remove(file) }, []string{"asks codex"}, Lost},
		{"the app is gone", "claude-desktop", func(g *guarded, file string) {
			_ = os.RemoveAll(filepath.Dir(file))
		}, nil, NotConnected},
		{"one of its files that it made for a while", "vscode", func(g *guarded, file string) {
			profile := filepath.Join(filepath.Dir(file), "profiles", "a", "mcp.json")
			g.put(profile, "{}")
			g.must(g.connect("vscode"))
			_ = os.RemoveAll(filepath.Dir(profile))
		}, nil, Connected},
		{"a broken file", "claude-desktop", func(g *guarded, file string) { g.put(file, `{"mcpServers": `) }, nil, Broken},
		{"an entry of that name of another's", "claude-desktop", func(g *guarded, file string) {
			g.put(file, strings.Replace(g.text(file), escaped(g.launch.Program), "/usr/bin/other", 1))
		}, []string{"asks claude-desktop"}, Lost},
		{"an entry with another name", "claude-desktop", func(g *guarded, file string) {
			g.put(file, strings.Replace(g.text(file), `"workbench"`, `"mine"`, 1))
		}, nil, Connected},
		{"an entry that was changed", "claude-desktop", func(g *guarded, file string) {
			g.put(file, strings.Replace(g.text(file), `"stdio",`, `"stdio", "--verbose",`, 1))
		}, nil, Outdated},
		{"disconnected at the command line", "claude-desktop", func(g *guarded, file string) {
			line := New(g.system, g.Folder())
			if err := line.Apply(t.Context(), g.must(line.PlanDisconnect(rowOf(g.t, "claude-desktop")))); err != nil {
				g.t.Fatal(err)
			}
		}, nil, NotConnected},
		{"a group that is no object", "claude-desktop", func(g *guarded, file string) {
			g.put(file, `{"mcpServers": 7}`)
		}, nil, Broken},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newGuarded(t)
			before := map[string]string{"codex": "model = \"x\"\n", "goose": "extensions:\n"}[test.client]
			if before == "" {
				before = ownSettings
			}
			file := g.connected(test.client, before)
			test.change(g, file)
			after := g.text(file)
			g.looks(time.Hour)
			g.told(test.name, test.told...)
			g.state(test.client, test.state)
			if g.text(file) != after {
				t.Errorf("the guard has written\n%s", g.text(file))
			}
		})
	}
}

// TestLeaveOut: a person decides to leave the entry out.
func TestLeaveOut(t *testing.T) {
	g := newGuarded(t)
	file := g.connected("cursor", ownSettings)
	other := g.connected("codex", "model = \"x\"\n")
	kept := g.text(file)
	g.put(file, ownSettings)
	g.looks(time.Minute)
	g.told("lost", "asks cursor")
	if err := errors.Join(g.LeaveOut(rowOf(t, "cursor")), g.LeaveOut(rowOf(t, "codex"))); err != nil {
		t.Fatal(err)
	}
	g.state("cursor", NotConnected)
	g.state("codex", Connected) // the entry is there, so there is nothing to leave out
	g.looks(time.Hour)
	g.told("left out")
	if g.text(file) != ownSettings || !strings.Contains(g.text(other), "workbench") || len(g.lossesKept()) > 0 {
		t.Errorf("left are %+v", g.lossesKept())
	}

	// The person puts the entry back in an editor.
	g.must(g.connect("cursor"))
	g.put(file, ownSettings)
	g.looks(time.Minute)
	g.told("lost", "asks cursor")
	g.put(file, kept)
	g.looks(time.Minute)
	g.put(file, ownSettings)
	g.looks(time.Minute)
	g.told("lost anew", "asks cursor")
}

func (g *guarded) lossesKept() []Loss {
	g.t.Helper()
	file, _, err := g.ledger.losses().load()
	if err != nil {
		g.t.Fatal(err)
	}
	return file.Losses
}

// TestGuardAgainstAWriter: another program writes the file at the same moment.
func TestGuardAgainstAWriter(t *testing.T) {
	g := newGuarded(t)
	file := g.connected("claude-desktop", ownSettings)
	g.put(file, ownSettings)
	looked := 0
	quiet := g.system.Processes
	g.Registrar.system.Processes = func() ([]Process, error) {
		if looked++; looked == 2 { // the file has been read and is about to be written
			g.put(file, `{"of": "another"}`)
		}
		return quiet()
	}
	g.looks(time.Minute)
	g.told("after a race", "mended claude-desktop")
	if got := g.text(file); !strings.Contains(got, `"of": "another"`) || !strings.Contains(got, "workbench") ||
		looked < 4 {
		t.Errorf("after %d checks, the file is %s", looked, got)
	}

	// The app is started at the same moment.
	g = newGuarded(t)
	file = g.connected("claude-desktop", ownSettings)
	g.put(file, ownSettings)
	looked = 0
	g.Registrar.system.Processes = func() ([]Process, error) {
		looked++
		g.running = looked > 1
		return g.system.Processes()
	}
	g.looks(time.Minute)
	g.told("it was started", "waits claude-desktop")
	if g.text(file) != ownSettings {
		t.Error("the file was written while the app was running")
	}
}

// TestGuardOfAMovedProgram: the entry that is put back starts the program at its new place.
func TestGuardOfAMovedProgram(t *testing.T) {
	g := newGuarded(t)
	file := g.connected("claude-desktop", ownSettings)
	old := g.launch
	g.launch.Program, g.launch.Config = filepath.Join(g.home, "new", "workbench-desktop"), "/elsewhere.json"
	g.put(g.launch.Program, "#!")
	g.put(file, ownSettings)
	g.looks(time.Minute)
	if text := g.text(file); !strings.Contains(text, escaped(old.Program)) ||
		!strings.Contains(text, escaped(old.Config)) {
		t.Errorf("the entry starts another program: %s", text)
	}
	g.must(g.disconnect("claude-desktop"))
	g.launch.Config = old.Config
	g.events = nil
	file = g.connected("claude-desktop", ownSettings)
	if err := os.Remove(g.launch.Program); err != nil {
		t.Fatal(err)
	}
	g.launch = old
	g.put(file, ownSettings)
	g.looks(time.Minute)
	g.told("its program is gone", "mended claude-desktop")
	if text := g.text(file); !strings.Contains(text, escaped(old.Program)) {
		t.Error(text)
	}
	g.must(g.disconnect("claude-desktop"))
	file = g.connected("claude-desktop", ownSettings)
	g.put(file, ownSettings)
	if err := os.Remove(old.Program); err != nil {
		t.Fatal(err)
	}
	g.looks(time.Minute)
	g.told("there is no program", "asks claude-desktop")
	if loss := g.status("claude-desktop").Loss; loss == nil || !strings.Contains(loss.Why, "there is no program") {
		t.Errorf("%+v", loss)
	}
}

// TestGuardWithoutMemory: a damaged list of losses is started again. A list of a newer version is not
// changed, and then no client's file is changed either.
func TestGuardWithoutMemory(t *testing.T) {
	g := newGuarded(t)
	file := g.connected("claude-desktop", ownSettings)
	g.put(g.ledger.losses().path, `{"format": 2}`)
	g.put(file, ownSettings)
	g.looks(time.Hour)
	g.told("of another version")
	if g.text(file) != ownSettings || g.text(g.ledger.losses().path) != `{"format": 2}` {
		t.Error("something was written")
	}
	g.put(g.ledger.losses().path, `{"form`)
	g.looks(time.Minute)
	g.told("damaged", "mended claude-desktop")
	g.put(g.ledger.entries().path, "{")
	g.put(file, ownSettings)
	g.looks(time.Hour)
	g.told("without the ledger")
}

// TestGuardRuns tests the guard with the notifications of the system: it notices losses by itself, also of
// entries that are made later and in folders that come and go.
func TestGuardRuns(t *testing.T) {
	p := newPlace(t)
	claude, cursor := p.file("claude-desktop"), p.file("cursor")
	p.put(claude, ownSettings)
	p.must(p.connect("claude-desktop"))
	good := p.text(claude)
	p.put(claude, ownSettings) // while the guard was not running
	events := make(chan GuardEvent, 100)
	guard := NewGuard(p.Registrar, GuardOptions{
		Launch: func() (Launch, error) { return p.launch, nil },
		Told:   func(e GuardEvent) { events <- e },
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- guard.Run(ctx) }()
	next := func(kind GuardKind, id string) {
		t.Helper()
		deadline := time.After(30 * time.Second)
		for {
			select {
			case e := <-events:
				if e.Kind == GuardChanged && kind != GuardChanged {
					continue
				}
				if e.Kind != kind || e.Client.ID != id {
					t.Fatalf("the event is %q of %q, not %q of %q", e.Kind, e.Client.ID, kind, id)
				}
				return
			case <-deadline:
				t.Fatalf("there is no event %q of %q", kind, id)
			}
		}
	}
	next(GuardMended, "claude-desktop")
	if p.text(claude) != good {
		t.Errorf("the file is %s", p.text(claude))
	}
	p.put(cursor, ownSettings)
	p.must(p.connect("cursor"))
	next(GuardChanged, "")
	if err := os.RemoveAll(filepath.Dir(cursor)); err != nil {
		t.Fatal(err)
	}
	next(GuardChanged, "")
	p.put(cursor, "{}") // the app was installed again
	next(GuardAsks, "cursor")
	p.put(claude+".new", "{}")
	if err := os.Rename(claude+".new", claude); err != nil {
		t.Fatal(err)
	}
	next(GuardAsks, "claude-desktop")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
