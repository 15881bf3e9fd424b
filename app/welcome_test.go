package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// newFirstBench returns a controller in a temporary home folder. The user has come as far as at in the first steps.
// Claude Desktop has two servers. The functions may change the options.
func newFirstBench(t *testing.T, text string, at model.FirstSteps, more ...func(*Options)) (*bench, *home) {
	t.Helper()
	keychaintest.Mock(t)
	folder := t.TempDir()
	h := &home{folder: folder, claude: filepath.Join(folder, ".config", "Claude", "claude_desktop_config.json")}
	h.write(t, h.claude, fmt.Sprintf(`{"mcpServers": {"a": {"command": %q, "env": {%q: %q}}, "b": {"command": "sh"}}}`,
		os.Args[0], fakeserver.Variable, fakeserver.Script{}.String()))
	program := filepath.Join(folder, "bin", "workbench-desktop")
	h.write(t, program, "")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	system := engine.System{OS: "linux", Home: folder, Getenv: func(string) string {
		return ""
	}, Stat: os.Stat, ReadDir: os.ReadDir}
	kept, err := model.OpenPreferences(filepath.Join(folder, "preferences.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Update(func(p *model.Preferences) { p.FirstSteps = at }); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, text, func(o *Options) {
		path := o.Location.Path
		o.Preferences = kept
		o.Apps = &setup.Setup{Location: o.Location,
			System: system, Registrar: engine.New(system, filepath.Join(folder, "state")),
			Launch: func() (engine.Launch, error) { return system.Launch(program, path) },
		}
		for _, change := range more {
			change(o)
		}
	})
	return b, h
}

// untilReads waits until the first steps show a text.
func (b *bench) untilReads(wanted string) {
	b.t.Helper()
	b.until(func() string {
		var texts []string
		if b.welcome == nil {
			return "they are not shown"
		}
		for _, object := range test.LaidOutObjects(b.welcome.Object()) {
			switch object := object.(type) {
			case *kit.Lines:
				texts = append(texts, object.Text())
			case *code.Whole:
				texts = append(texts, object.Text())
			case *kit.Text:
				texts = append(texts, object.Text())
			case *kit.Button:
				texts = append(texts, object.Text)
			}
		}
		if all := strings.Join(texts, "\n"); !strings.Contains(all, wanted) {
			return fmt.Sprintf("it does not say %q, but\n%s", wanted, all)
		}
		return ""
	})
}

// untilMain waits until the main button of the first steps has a label, and presses it.
func (b *bench) untilMain(label string) {
	b.t.Helper()
	b.untilReads(label)
	b.welcome.Enter()
}

// The first steps from start to end: the servers of an app are brought in, the app is connected, and the steps say
// when it has started Workbench.
func TestFirstStart(t *testing.T) {
	b, h := newFirstBench(t, "", model.FirstStepsNone)
	if b.greet(); b.places.At() != placeWelcome || b.window.Side.Visible() || b.window.Status.Root.Visible() {
		t.Fatalf("shown is %s", b.places.At())
	}
	before := h.read(t, h.claude)
	b.untilMain("Find servers")
	b.untilMain("Bring in 2 servers")
	b.untilReads("A connected app starts Workbench by itself and gets your toolboxes.")
	if text := b.text(); !strings.Contains(text, `"a"`) || !strings.Contains(text, `"b"`) {
		t.Errorf("the configuration is\n%s", text)
	}
	if h.read(t, h.claude) != before {
		t.Error("the file of the app was changed")
	}
	b.untilMain("Connect Claude Desktop")
	b.untilReads("Waiting for Claude Desktop to start Workbench…")
	// The app now gets these servers from Workbench. What does not start, or is still being tried, stays in its file.
	if file := h.read(t, h.claude); !strings.Contains(file, "workbench-desktop") || !strings.Contains(file, `"b"`) {
		t.Errorf("the file of the app is\n%s", h.read(t, h.claude))
	}
	// where the next start continues
	b.until(func() string { return differs(string(b.options.Preferences.Get().FirstSteps), "done") })
	if err := b.options.Apps.Registrar.RecordProof(
		engine.Proof{Client: "claude-desktop", Time: time.Now(), Config: b.path}); err != nil {
		t.Fatal(err)
	}
	b.apps.Find()
	b.untilReads("Claude Desktop can use your toolboxes")
	b.undo()
	b.untilReads("Your toolboxes are still empty") // no server is left to use
	b.saver.Redo()
	b.untilReads("Claude Desktop can use your toolboxes")
	b.untilMain("Go to my toolboxes")
	if b.places.At() != placeToolboxes || !b.window.Side.Visible() || !b.window.Status.Root.Visible() ||
		b.welcome != nil {
		t.Errorf("the first steps end at %s", b.places.At())
	}
	b.until(func() string { return differs(string(b.options.Preferences.Get().FirstSteps), "over") })
}

// The language can be changed during the first steps. They keep their page and what was found and brought in.
func TestFirstStepsInAnotherLanguage(t *testing.T) {
	voice := locale.Install()
	voice.Speak("en")
	t.Cleanup(func() { voice.Speak("en") })
	b, _ := newFirstBench(t, "", model.FirstStepsNone)
	b.options.voice = voice
	b.greet()
	b.untilMain("Find servers")
	b.untilReads("Bring in 2 servers")
	if err := b.await(func(done func(error)) { b.setLanguage("de", done) }); err != nil {
		t.Fatal(err)
	}
	b.untilReads("2 Server übernehmen")
	if b.places.At() != placeWelcome {
		t.Errorf("the window shows %s", b.places.At())
	}
	b.untilMain("2 Server übernehmen")
	b.untilReads("Claude Desktop verbinden")
	if err := b.await(func(done func(error)) { b.setLanguage("en", done) }); err != nil {
		t.Fatal(err)
	}
	b.untilMain("Connect Claude Desktop")
	b.untilReads("Waiting for Claude Desktop to start Workbench…")
}

// The steps are not shown if there are servers, if the user has finished or skipped them, or if the file is broken.
func TestWhenTheFirstStepsAreShown(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		at    model.FirstSteps
		shown bool
		step  model.Step
	}{
		"no file":          {"", model.FirstStepsNone, true, model.StepBring},
		"no toolboxes":     {"{}", model.FirstStepsNone, true, model.StepBring},
		"an empty toolbox": {`{"toolboxes": {"dev": {"mcpServers": {}}}}`, model.FirstStepsNone, true, model.StepBring},
		"servers":          {oneServer, model.FirstStepsNone, false, 0},
		"in the middle":    {oneServer, model.FirstStepsConnect, true, model.StepConnect},
		"at the end":       {oneServer, model.FirstStepsDone, true, model.StepDone},
		"over":             {"", model.FirstStepsOver, false, 0},
		"broken":           {"{", model.FirstStepsNone, false, 0},
		"broken later":     {"{", model.FirstStepsDone, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := newFirstBench(t, c.text, c.at)
			if b.greet(); (b.places.At() == placeWelcome) != c.shown || c.shown && b.model.Steps.Step != c.step {
				t.Errorf("the window shows %s, %+v", b.places.At(), b.welcome)
			}
		})
	}
	// Without preferences, nothing would remember that the steps are over.
	if b := newBench(t, "", nil); true {
		if b.greet(); b.places.At() == placeWelcome {
			t.Error("the first steps are shown without preferences")
		}
	}
}

// If the program starts in the tray, the steps are shown when the window is opened, if they are still wanted.
func TestFirstStepsOfAHiddenStart(t *testing.T) {
	b, _ := newFirstBench(t, "", model.FirstStepsNone)
	b.visible.Store(false)
	b.write(oneServer) // meanwhile
	b.until(func() string { return differs(b.word("a"), "Not started") })
	if b.open(); b.places.At() != placeToolboxes {
		t.Error("the first steps are shown although there are servers by now")
	}
}

// The steps can be shown again, and keys work in them as users expect.
func TestFirstStepsAgain(t *testing.T) {
	b, _ := newFirstBench(t, oneServer, model.FirstStepsOver)
	b.greet()
	b.places.Choose(placeSettings)
	ofSettings{b.computer, b.controller}.FirstSteps()
	b.untilReads("Welcome to Workbench")
	b.untilMain("Find servers")
	b.untilReads("Bring in 1 server") // the other one is in a toolbox already
	b.escape()
	b.untilReads("Find servers")
	b.elsewhere(func() { t.Error("a key of another screen leads away") })()

	// The window is hidden and shown again.
	b.visible.Store(false)
	b.open()
	b.untilReads("Find servers")

	b.write("{")
	b.until(func() string {
		if b.places.At() != placeToolboxes || !b.window.Side.Visible() {
			return "a broken file is not shown"
		}
		return ""
	})
	b.write(oneServer)
	b.until(func() string {
		if b.now.view.Broken {
			return "the file is not read"
		}
		return ""
	})
	ofSettings{b.computer, b.controller}.FirstSteps()
	b.untilReads("Find servers")
}

// A server that cannot start does not count as usable.
func TestUsable(t *testing.T) {
	b := newBench(t, "", nil)
	until := func(text string, want bool) {
		t.Helper()
		b.write(text)
		b.until(func() string {
			if b.now.ServerCount() != 1 || (b.model.Findings.Usable() != model.Choice{}) != want {
				return fmt.Sprintf("usable is %v of %d in %s: %+v", b.model.Findings.Usable(), b.now.ServerCount(), text,
					b.now.view.Problems)
			}
			return ""
		})
	}
	until(strings.Replace(oneServer, `"sh"`, `"nothing-of-that-name"`, 1), false)
	until(oneServer, true)
	until(strings.Replace(oneServer, `"sh"`, `"sh", "args": ["${WORKBENCH_TEST_UNSET}"]`, 1), false)
	until(strings.Replace(oneServer, `"sh"`, `"sh", "toolFilters": ["x"]`, 1), true)
	until(strings.Replace(oneServer, `"sh"`, `"sh", "disabled": true`, 1), false)
}

// If there is nothing to bring in, the steps offer an example, which is added as a single edit.
func TestExampleToolbox(t *testing.T) {
	b, h := newFirstBench(t, "", model.FirstStepsNone)
	if err := os.Remove(h.claude); err != nil {
		t.Fatal(err)
	}
	servers := []welcome.ExampleServer{{Name: "memory", Entry: entryOf(fakeserver.Script{})}}
	got := ""
	for _, want := range []string{"example", "example-2"} {
		if err := b.await(func(done func(error)) {
			welcome.AddExample(b.saver, b.now.ToolboxNames(), servers, func(name string, err error) { got = name; done(err) })
		}); err != nil || got != want {
			t.Errorf("the toolbox is called %q, not %q: %v", got, want, err)
		}
	}
	b.undo()
	b.until(func() string {
		if strings.Contains(b.text(), "example-2") {
			return "it is not undone"
		}
		return ""
	})
	b.greet()
	if b.places.At() == placeWelcome {
		t.Error("the first steps are shown although there is a server")
	}
}

// A link, a dropped file, the tray and a notification ask before they lead away from the first steps.
func TestNothingLeavesTheFirstStepsUnasked(t *testing.T) {
	for name, come := range map[string]func(b *bench){
		"link": func(b *bench) { b.openThis("workbench://add?name=n&config=%7B%22command%22%3A%22sh%22%7D") },
		"drop": func(b *bench) { b.dropped(fyne.Position{}, []fyne.URI{storage.NewFileURI(b.path)}) },
		"tray": func(b *bench) {
			ofTray{b.controller}.Do(tray.Action{Verb: tray.VerbLog, Toolbox: "dev", Server: "a"})
		},
		"notification": func(b *bench) {
			b.answerNotice(notify.Notice{About: notify.Apps}, notify.Look)
		},
	} {
		b, _ := newFirstBench(t, oneServer, model.FirstStepsOver)
		b.greet()
		b.firstSteps(model.StepBring)
		come(b)
		if b.places.At() != placeWelcome || !strings.Contains(b.overlay(), "Leave the first steps?") {
			t.Errorf("%s: the window shows %s", name, b.overlay())
		}
		b.press("Leave")
		b.until(func() string {
			if b.places.At() == placeWelcome {
				return name + " is forgotten"
			}
			return ""
		})
	}
}

// What is dropped while a question is open does not cover it.
func TestDropOverAQuestion(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.window.Ask(func() frame.Asked { return frame.Asked{Title: "Sure?", Text: "It matters.", Yes: "Yes"} }, func() {})
	b.adding.Drop("", []fyne.URI{storage.NewFileURI(b.path)})
	if b.adding.Dialog() != nil || !strings.HasPrefix(b.toast(), "A file or link was not opened") {
		t.Errorf("a dialog is open, or %q is said", b.toast())
	}
}
