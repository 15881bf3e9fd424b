package welcome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	m.Run()
}

// The size of the whole window. The steps have no bar at the left and no line at the bottom.
var (
	normal = fyne.NewSize(1100, 720)
	small  = fyne.NewSize(800, 560)
)

// opened is a screen in a window, with a record of the actions that it has called.
type opened struct {
	*Screen
	*Service
	facts    Facts
	t        testing.TB
	window   fyne.Window
	did      []string
	read     func(clients.Offer, error)
	example  func(string, error)
	tries    map[string]func(status.Server) // by server: ends the trial
	planned  map[string]func(clients.Proposal, error)
	carried  map[string]func(error)
	taken    map[string]func(setup.Moved, error)
	removed  map[string]func(setup.Preview)
	carrying context.Context
	fake     *fake
}

// fake records what the steps do. bring, getting and get do it, if they are set.
type fake struct {
	*opened
	bring   func(plan imports.Plan, keychain bool, done func(error))
	getting func(id string) (label, doing string)
	get     func(id string, there func()) bool
	later   func()
}

func (f *fake) note(words ...any) { f.did = append(f.did, strings.TrimSpace(fmt.Sprintln(words...))) }

func (f *fake) Facts() Facts { return f.facts }

// Later keeps f for the test, which calls it in place of the time.
func (f *fake) Later(_ time.Duration, do func()) { f.later = do }

func (f *fake) TryTool() { f.note("try a tool") }

func (f *fake) Changed() {
	if f.Screen != nil {
		f.Screen.Apply(f.View())
	}
}

func (f *fake) Look(again bool) {
	f.facts.Known = f.facts.Known && !again
	f.note("look")
}

func (f *fake) Getting(id string) (string, string) {
	if f.getting == nil {
		return "", ""
	}
	return f.getting(id)
}

func (f *fake) Get(id string, there func()) bool { return f.get != nil && f.get(id, there) }

func (f *fake) RepairTitle(string, string) string  { return "" }
func (f *fake) Repair(string, string, func(error)) {}
func (f *fake) Read(apps []string, done func(clients.Offer, error)) {
	f.note("read", apps)
	f.read = done
}

func (f *fake) Bring(_ clients.Offer, plan imports.Plan, keychain bool, done func(error)) {
	f.bring(plan, keychain, done)
}

func (f *fake) Example(servers []ExampleServer, done func(string, error)) {
	f.note("example", len(servers))
	f.example = done
}

func (f *fake) Try(_ context.Context, toolbox, server string, _, done func(status.Server)) {
	f.note("try", toolbox, server)
	f.tries[server] = done
}

func (f *fake) Plan(id string, connect bool, done func(clients.Proposal, error)) {
	f.note("plan", id, connect)
	f.planned[id] = done
}

func (f *fake) Carry(ctx context.Context, plan engine.Plan, wait bool, done func(error)) {
	f.note("carry", plan.Client.ID, wait)
	f.carrying, f.carried[plan.Client.ID] = ctx, done
}

func (f *fake) TakeOver(ctx context.Context, plan engine.Plan, brought imports.Plan, wait bool,
	done func(setup.Moved, error)) {
	f.note("take over", plan.Client.ID, len(brought.Servers), wait)
	f.carrying, f.taken[plan.Client.ID] = ctx, done
}

func (f *fake) Preview(plan engine.Plan, brought imports.Plan, done func(setup.Preview)) {
	f.note("preview", plan.Client.ID, len(brought.Servers))
	f.removed[plan.Client.ID] = done
}

func (f *fake) CanUpdate() bool             { return true }
func (f *fake) AllowUpdates(on bool)        { f.note("updates", on) }
func (f *fake) Copy(text string)            { f.note("copy", text) }
func (f *fake) OpenURL(address string)      { f.note("open", address) }
func (f *fake) Reached(step model.Step)     { f.note("reached", int(step)) }
func (f *fake) Finish()                     { f.note("finish") }
func (f *fake) Help(toolbox, server string) { f.note("help " + toolbox + " " + server) }

func open(t testing.TB, facts Facts, at model.Step, size fyne.Size) *opened {
	o := &opened{
		t: t, window: test.NewWindow(nil), tries: map[string]func(status.Server){},
		planned: map[string]func(clients.Proposal, error){}, carried: map[string]func(error){},
		taken: map[string]func(setup.Moved, error){}, removed: map[string]func(setup.Preview){},
	}
	t.Cleanup(o.window.Close)
	o.facts = facts
	o.fake = &fake{opened: o}
	o.Service = NewService(model.NewSteps(at), o.fake)
	o.Screen = New(o.window, o.Service)
	// The window does the same.
	o.window.Canvas().SetOnTypedKey(func(event *fyne.KeyEvent) {
		if event.Name == fyne.KeyEscape {
			o.Escape()
		}
	})
	o.window.SetPadded(false)
	o.window.SetContent(o.Object())
	o.window.Resize(size)
	o.Apply(facts)
	return o
}

// Apply shows the screen with other facts.
func (o *opened) Apply(facts Facts) {
	o.facts = facts
	o.Screen.Apply(o.View())
}

// texts returns all visible texts.
func (o *opened) texts() string { return kittest.Texts(kittest.Seen(o.Object())) }

func (o *opened) reads(wanted ...string) {
	o.t.Helper()
	kittest.Reads(o.t, o.texts(), wanted...)
}

func (o *opened) tap(label string) {
	o.t.Helper()
	for _, button := range o.buttons {
		if button.Text == lang.L(label) && !button.Disabled() {
			test.Tap(button)
			return
		}
	}
	o.t.Fatalf("there is no button %q in\n%s", label, o.texts())
}

// tapMain taps the main button of the step.
func (o *opened) tapMain() {
	o.t.Helper()
	if o.buttons["main"].Disabled() {
		o.t.Fatalf("the main button %q is disabled", o.buttons["main"].Text)
	}
	test.Tap(o.buttons["main"])
}

func (o *opened) press(key fyne.KeyName) {
	o.t.Helper()
	focused := o.window.Canvas().Focused()
	if focused == nil {
		o.window.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: key})
		return
	}
	focused.TypedKey(&fyne.KeyEvent{Name: key})
}

func (o *opened) asked(want ...string) {
	o.t.Helper()
	if !slices.Equal(o.did, want) {
		o.t.Errorf("the actions are %q, not %q", o.did, want)
	}
	o.did = nil
}

// hasKeyboard checks which button has the focus.
func (o *opened) hasKeyboard(label string) {
	o.t.Helper()
	button, ok := o.window.Canvas().Focused().(*kit.Button)
	if !ok || button.Text != label {
		o.t.Errorf("%q does not have the focus, but %#v has it", label, o.window.Canvas().Focused())
	}
}

func app(id string) App {
	client, ok := engine.ByID(id)
	if !ok {
		panic("there is no " + id)
	}
	return App{ID: id, Name: client.Name, ByHand: client.ByHand != "", Guarded: client.ByHand != "",
		Next: words.English().Texts(client.Next())}
}

func facts() Facts {
	return Facts{
		Known:   true,
		Sources: []string{"claude-desktop", "cursor", "vscode"},
		Apps:    []App{app("claude-desktop"), app("claude-code"), app("cursor"), app("vscode")},
	}
}

func connected() Facts {
	f := facts()
	f.Servers, f.Usable = 3, true
	return f
}

// found returns a server of an app.
func found(app, as, line string) imports.Found {
	words := strings.Fields(line)
	return imports.Found{
		Origin: imports.Origin{Client: app, App: imports.Name(app), File: "/home/ada/." + app, Name: as}, As: as,
		Entry: config.Server{Name: as, Transport: config.TransportStdio, Command: words[0], Args: words[1:]},
	}
}

// offer returns an offer whose servers are brought in by a function.
func (o *opened) offer(bring func(imports.Plan, bool, func(error))) clients.Offer {
	o.fake.bring = bring
	return offer()
}

func offer() clients.Offer {
	github := found("cursor", "github", "npx -y @modelcontextprotocol/server-github")
	github.Entry.Env = []config.Variable{{Name: "GITHUB_TOKEN", Value: "ghp_secret"}}
	github.Secrets = []imports.Secret{
		{Part: foreign.Part{Text: "ghp_secret"}, Where: "env GITHUB_TOKEN", Keychain: "github-GITHUB_TOKEN"}}
	files := found("claude-desktop", "filesystem", "npx -y @modelcontextprotocol/server-filesystem /home/ada/Documents")
	files.Same = []imports.Origin{{Client: "vscode", App: "VS Code", Name: "filesystem"}}
	search := found("vscode", "search", "uvx search-server")
	search.ToFill = []string{"SEARCH_KEY"}
	return clients.Offer{
		Plan: imports.Plan{
			Toolbox: "imported", New: true, Servers: []imports.Found{files, github, search},
			Skipped: []imports.Skipped{{Origin: imports.Origin{App: "VS Code", Name: "browser"},
				Reason: words.Foreign("It is built into VS Code.")}},
		},
	}
}

// broken is a file of an app that could not be read.
var broken = imports.Skipped{
	Origin: imports.Origin{Client: "vscode", App: "VS Code", File: "/home/ada/.config/Code/User/mcp.json"},
	Reason: words.Foreign(`The file cannot be read: line 3, column 31: a "," is missing here.`),
}

// brought returns the second step, after servers of Claude Desktop, Claude Code, Cursor and VS Code were brought in.
func brought(t testing.TB, size fyne.Size) *opened {
	o := open(t, facts(), model.StepBring, size)
	o.tap("Find servers")
	offer := o.offer(func(_ imports.Plan, _ bool, done func(error)) { done(nil) })
	offer.Plan.Servers = append(offer.Plan.Servers, found("claude-code", "time", "uvx mcp-server-time"))
	o.read(offer, nil)
	o.tapMain()
	o.Apply(connected())
	return o
}

// tried ends all trials well, those that begin then included.
func (o *opened) tried() {
	for o.steps.Bring.Trying() {
		for name, done := range o.tries {
			delete(o.tries, name)
			done(works)
		}
	}
}

// planOf returns a real plan to connect an app, in a folder of the test.
func planOf(t testing.TB, id string, running bool) clients.Proposal {
	home := t.TempDir()
	client, _ := engine.ByID(id)
	system := engine.System{OS: "linux", Home: home, Getenv: func(string) string {
		return ""
	}, Stat: os.Stat, ReadDir: os.ReadDir}
	program := filepath.Join(home, "workbench-desktop")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	launch, err := system.Launch(program, filepath.Join(home, "workbench-config.json"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := engine.New(system, filepath.Join(home, "state")).PlanConnect(client, launch)
	if err != nil {
		t.Fatal(err)
	}
	return clients.Proposal{Plan: plan, Running: running}
}

var works = status.Server{State: status.Connected, Tools: 9, AllTools: 9}

// scenes returns every state of the steps, by name.
func scenes() map[string]func(t *testing.T, size fyne.Size) *opened {
	type scene = func(t *testing.T, size fyne.Size) *opened
	nothing := Facts{Known: true}
	offered := func(t *testing.T, size fyne.Size) *opened {
		o := open(t, facts(), model.StepBring, size)
		o.tap("Find servers")
		o.read(o.offer(func(imports.Plan, bool, func(error)) {}), nil)
		return o
	}
	example := func(t *testing.T, size fyne.Size) *opened {
		o := open(t, nothing, model.StepBring, size)
		o.tap("Add the example and try it")
		o.example("example", nil)
		with := nothing
		with.Servers, with.Usable = 2, true
		o.Apply(with)
		return o
	}
	return map[string]scene{
		"1-looking": func(t *testing.T, size fyne.Size) *opened { return open(t, Facts{}, model.StepBring, size) },
		"1-apps":    func(t *testing.T, size fyne.Size) *opened { return open(t, facts(), model.StepBring, size) },
		"1-many": func(t *testing.T, size fyne.Size) *opened {
			many := facts()
			many.Sources = imports.IDs()[:12]
			return open(t, many, model.StepBring, size)
		},
		"1-reading": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, facts(), model.StepBring, size)
			o.tap("Find servers")
			return o
		},
		"1-failed": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, facts(), model.StepBring, size)
			o.tap("Find servers")
			o.read(clients.Offer{}, errors.New("the configuration has an error that must be corrected first"))
			return o
		},
		"1-servers": offered,
		"1-broken": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, facts(), model.StepBring, size)
			o.tap("Find servers")
			partly := offer()
			partly.Plan.Skipped = append(partly.Plan.Skipped, broken)
			o.read(partly, nil)
			return o
		},
		"1-no-keychain": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, facts(), model.StepBring, size)
			o.tap("Find servers")
			o.read(o.offer(func(_ imports.Plan, _ bool, done func(error)) {
				done(words.NewError("imports.not_kept", "Why",
					words.Foreign("the keychain cannot be used: no program here provides one")))
			}), nil)
			o.tapMain()
			return o
		},
		"1-writing": func(t *testing.T, size fyne.Size) *opened {
			o := offered(t, size)
			o.tapMain()
			return o
		},
		"1-many-servers": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, facts(), model.StepBring, size)
			o.tap("Find servers")
			many := offer()
			for i := range 37 {
				many.Plan.Servers = append(many.Plan.Servers,
					found("cursor", fmt.Sprintf("server-%d-%s", i, strings.Repeat("long ", i%20)),
						"npx -y server-with-a-name "+strings.Repeat("--argument ", i%30)))
			}
			o.read(many, nil)
			return o
		},
		"1-nothing": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, facts(), model.StepBring, size)
			o.tap("Find servers")
			skipped := append(offer().Plan.Skipped, broken)
			o.read(clients.Offer{Plan: imports.Plan{Toolbox: "imported", Skipped: skipped}}, nil)
			return o
		},
		"1-none": func(t *testing.T, size fyne.Size) *opened { return open(t, nothing, model.StepBring, size) },
		"1-again": func(t *testing.T, size fyne.Size) *opened {
			has := nothing
			has.Servers = 3
			return open(t, has, model.StepBring, size)
		},
		"1-trying": example,
		"1-works": func(t *testing.T, size fyne.Size) *opened {
			o := example(t, size)
			o.tries["notes"](works)
			o.tries["time"](status.Server{State: status.Connected, AllTools: 13})
			return o
		},
		"1-fails": func(t *testing.T, size fyne.Size) *opened {
			o := example(t, size)
			o.tries["notes"](works)
			o.tries["time"](status.Server{State: status.Failed,
				Problem: &status.Problem{Kind: status.KindNetwork, Message: words.Foreign("npm could not reach the registry"),
					Hint: words.Foreign("check the connection to the internet")}})
			return o
		},
		"2-apps": func(t *testing.T, size fyne.Size) *opened { return open(t, connected(), model.StepConnect, size) },
		"2-takes-out": func(t *testing.T, size fyne.Size) *opened {
			o := brought(t, size)
			test.Tap(o.boxes["app cursor"])
			o.do(Button{Action: ActionShow, With: "claude-code"})
			o.planned["claude-code"](planOf(t, "claude-code", false), nil)
			o.removed["claude-code"](setup.Preview{Commands: []string{"claude mcp remove -s user time"}})
			return o
		},
		"2-keeps": func(t *testing.T, size fyne.Size) *opened {
			o := brought(t, size)
			test.Tap(o.boxes["switch"])
			return o
		},
		"2-looking": func(t *testing.T, size fyne.Size) *opened { return open(t, Facts{}, model.StepConnect, size) },
		"2-none":    func(t *testing.T, size fyne.Size) *opened { return open(t, nothing, model.StepConnect, size) },
		"2-problem": func(t *testing.T, size fyne.Size) *opened {
			f := connected()
			f.Problem = "AI apps cannot be connected now: this program runs from a folder that will not be there any more " +
				"when they start it."
			f.Apps[2].Name = strings.Repeat("long ", 60)
			return open(t, f, model.StepConnect, size)
		},
		"2-change": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, connected(), model.StepConnect, size)
			o.do(Button{Action: ActionShow, With: "claude-desktop"})
			o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
			o.do(Button{Action: ActionShow, With: "claude-code"})
			o.planned["claude-code"](planOf(t, "claude-code", false), nil)
			return o
		},
		"2-quitting": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, connected(), model.StepConnect, size)
			o.tapMain()
			o.planned["claude-desktop"](planOf(t, "claude-desktop", true), nil)
			return o
		},
		"2-failed": func(t *testing.T, size fyne.Size) *opened {
			o := open(t, connected(), model.StepConnect, size)
			test.Tap(o.boxes["app cursor"])
			o.tapMain()
			o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
			o.carried["claude-desktop"](nil)
			o.planned["cursor"](clients.Proposal{},
				errors.New("/home/ada/.cursor/mcp.json was left alone: line 3, column 7: a comma is missing; repair it in a "+
					"text editor, or move it away, then try again"))
			return o
		},
		"2-twelve": func(t *testing.T, size fyne.Size) *opened {
			f := connected()
			f.Apps = nil
			for _, id := range client.IDs()[:12] {
				f.Apps = append(f.Apps, app(id))
			}
			f.Apps[3].Linked, f.Apps[4].Linked, f.Apps[4].Proven = true, true, true
			return open(t, f, model.StepConnect, size)
		},
		"3-waiting": func(t *testing.T, size fyne.Size) *opened {
			f := connected()
			f.Apps[0].Linked, f.Apps[2].Linked = true, true
			return open(t, f, model.StepDone, size)
		},
		"3-done": func(t *testing.T, size fyne.Size) *opened {
			f := connected()
			f.Apps[0].Linked, f.Apps[0].Proven, f.Apps[2].Linked = true, true, true
			return open(t, f, model.StepDone, size)
		},
		"3-taken-out": func(t *testing.T, size fyne.Size) *opened {
			o := brought(t, size)
			o.tried()
			o.do(Button{Action: ActionShow, With: "claude-code"})
			o.planned["claude-code"](planOf(t, "claude-code", false), nil)
			o.removed["claude-code"](setup.Preview{Commands: []string{"claude mcp remove -s user time"}})
			test.Tap(o.boxes["app cursor"])
			o.tapMain()
			o.planned["claude-desktop"](planOf(t, "claude-desktop", false), nil)
			o.taken["claude-desktop"](setup.Moved{Files: []setup.MovedFile{{Names: []string{"filesystem"}}}}, nil)
			o.planned["cursor"](planOf(t, "cursor", false), nil)
			o.taken["cursor"](setup.Moved{
				Failed: []error{errors.New("/home/ada/.cursor/mcp.json was left alone: it has the name \"github\" twice; take " +
					"the servers out of it by hand")}}, nil)
			return o
		},
		"3-blocked": func(t *testing.T, size fyne.Size) *opened {
			f := connected()
			f.Apps[0].Linked, f.Apps[0].Problem = true,
				"Your organisation has switched off local servers in Claude Desktop. Ask its administrators."
			return open(t, f, model.StepDone, size)
		},
		"3-empty": func(t *testing.T, size fyne.Size) *opened {
			f := facts()
			f.Apps[0].Linked, f.Apps[0].Proven = true, true
			return open(t, f, model.StepDone, size)
		},
		"3-no-app": func(t *testing.T, size fyne.Size) *opened {
			has := nothing
			has.Servers, has.Usable = 2, true
			return open(t, has, model.StepDone, size)
		},
		"3-nobody": func(t *testing.T, size fyne.Size) *opened { return open(t, connected(), model.StepDone, size) },
	}
}

// TestScenes draws every scene in both sizes. None may need more room than there is, and each may have one main button
// at most. If WORKBENCH_PICTURES is set to a folder, the pictures are saved there, light and dark.
func TestScenes(t *testing.T) {
	for name, make := range scenes() {
		t.Run(name, func(t *testing.T) {
			for size, pixels := range map[string]fyne.Size{"normal": normal, "small": small} {
				for tone, look := range drawn.Looks(pixels) {
					if !drawn.Wanted() && size == "normal" {
						continue // the small size checks the same
					}
					test.NewTempApp(t).Settings().SetTheme(look.Begin(t))
					o := make(t, pixels)
					if least := o.Object().MinSize(); least.Width > pixels.Width || least.Height > pixels.Height {
						t.Errorf("the screen needs %v and has %v", least, pixels)
					}
					drawn.Keep(t, o.window.Canvas(), fmt.Sprintf("welcome-%s-%s-%s", name, tone, size))
				}
			}
		})
	}
}
