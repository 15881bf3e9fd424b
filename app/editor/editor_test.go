package editor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// bench is a screen in a window, with a real file and the real store. Its clock advances only when pass is called.
type bench struct {
	*Screen
	t      *testing.T
	window fyne.Window
	store  *store.Store
	path   string

	toolbox, server string
	live            model.Server
	shown           live.Shown
	warnings        []config.Diagnostic
	runtimes        model.Runtimes
	environment     map[string]string
	keychain        map[string]string
	programs        map[string]string

	clock    time.Duration
	timers   []*timer
	edits    [][]edit.Op
	log      []string
	hold     bool // Check keeps its answers in held
	held     []func()
	tools    *widget.Label
	onEdit   func() // called before an edit is saved
	seenTabs []model.Tab
	fake     *fake
}

type timer struct {
	at      time.Duration
	f       func()
	stopped bool
}

var (
	wide   = fyne.NewSize(680, 690)
	narrow = fyne.NewSize(480, 530)
)

const plain = `{
  // My tools.
  "toolboxes": {
    "dev": {
      "mcpServers": {
        "files": {
          "command": "npx", // from Node
          "args": [
            "-y", // don't ask
            "server-filesystem",
            "${HOME}"
          ],
          "env": {
            "LEVEL": "info", // or debug
            "TOKEN": "sesame-open-1234567"
          }
        },
        "git": {"command": "uvx", "args": ["mcp-git"]}
      }
    },
    "prod": {"mcpServers": {"remote": {"url": "https://example.com/mcp", "headers": {"X-Team": "blue"}}}}
  }
}
`

func open(t *testing.T, source string, size fyne.Size) *bench {
	t.Helper()
	return openIn(t, theme.Theme{}, source, size)
}

func openIn(t *testing.T, style fyne.Theme, source string, size fyne.Size) *bench {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(style)
	folder := t.TempDir()
	b := &bench{
		t: t, path: filepath.Join(folder, "workbench-config.json"), toolbox: "dev", server: "files",
		environment: map[string]string{"HOME": "/home/me"}, keychain: map[string]string{},
		programs: map[string]string{"npx": "/usr/bin/npx", "uvx": "/usr/bin/uvx", "node": "/usr/bin/node"},
		shown: live.Shown{State: theme.StateIdle, Word: "Not started", Note: "Not started",
			Detail: "Starts when an AI app uses it."},
		tools: widget.NewLabel("the tools"),
	}
	if err := os.WriteFile(b.path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	b.store, err = store.Open(store.Options{Location: config.Location{Path: b.path, Named: true},
		HistoryDir: filepath.Join(folder, "history"), Author: store.AuthorWindow})
	if err != nil {
		t.Fatal(err)
	}
	b.fake = &fake{bench: b, saves: b.save}
	b.Screen = New(b.fake, Slots{Tools: container.NewStack(b.tools)}, &model.Drafts{},
		&model.Opened{Tab: model.TabSetup})
	b.setup.form.how.set(true)
	b.setup.form.advanced.set(true)
	b.window = test.NewTempWindow(t, kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, b.Object()))
	b.window.SetPadded(false)
	b.window.Resize(size)
	b.apply()
	return b
}

// fake is the program around a bench. A test may put a function of its own in place of an answer.
type fake struct {
	*bench
	saves      func(base *config.Document, ops []edit.Op, done func(error))
	signedIn   func(model.Choice) bool
	lookPath   func(config.Server, func(string, error))
	pickFolder func(func(string))
	keepSecret func(name, value string, done func(string, error))
}

func (f *fake) Check(ops []edit.Op, done func(*config.Document)) {
	answer := func() {
		current := f.store.Current()
		result, err := edit.Apply(current.Source, ops...)
		if err != nil {
			done(nil)
			return
		}
		done(config.Parse(f.path, result))
	}
	if f.hold {
		f.held = append(f.held, answer)
		return
	}
	answer()
}

func (f *fake) Save(base *config.Document, ops []edit.Op, done func(error)) { f.saves(base, ops, done) }
func (f *fake) Edit(ops []edit.Op, done func(error))                        { f.save(f.store.Current(), ops, done) }
func (f *fake) Typed([]string)                                              {}
func (f *fake) NotSaved(at model.Choice, _ error)                           { f.did("not saved", at) }
func (f *fake) SignOut(at model.Choice)                                     { f.did("sign out", at) }
func (f *fake) Start(at model.Choice)                                       { f.did("start", at) }
func (f *fake) Restart(at model.Choice)                                     { f.did("restart", at) }
func (f *fake) Stop(at model.Choice)                                        { f.did("stop", at) }
func (f *fake) Fix(at model.Choice)                                         { f.did("fix", at) }
func (f *fake) OpenFile()                                                   { f.log = append(f.log, "open file") }
func (f *fake) PickFile(done func(string))                                  { done("/opt/node") }
func (f *fake) SignedIn(at model.Choice) bool                               { return f.signedIn != nil && f.signedIn(at) }

func (f *fake) did(what string, at model.Choice) {
	f.log = append(f.log, what+" "+at.Toolbox+"/"+at.Server)
}

func (f *fake) Turned(to model.Tab, again bool) {
	if !again {
		f.seenTabs = append(f.seenTabs, to)
	}
}

func (f *fake) Show(at model.Choice) {
	f.did("show", at)
	if at.Server != "" {
		f.toolbox, f.server = at.Toolbox, at.Server
		f.apply()
	}
}

func (f *fake) LookPath(server config.Server, done func(string, error)) {
	if f.lookPath != nil {
		f.lookPath(server, done)
		return
	}
	f.found(server, done)
}

// found answers with the program that there is.
func (f *fake) found(server config.Server, done func(string, error)) {
	path, ok := f.programs[server.Command]
	if !ok {
		done("", fmt.Errorf("%w (looked in PATH: /usr/bin)", process.ErrNotFound))
		return
	}
	done(path, nil)
}

func (f *fake) PickFolder(done func(string)) {
	if f.pickFolder != nil {
		f.pickFolder(done)
		return
	}
	done("/home/me/work")
}

func (f *fake) Env(name string) (string, bool) {
	value, ok := f.environment[name]
	return value, ok
}

func (f *fake) HasSecret(name string, done func(bool, error)) {
	_, ok := f.keychain[name]
	done(ok, nil)
}

func (f *fake) KeepSecret(name, value string, done func(string, error)) {
	if f.keepSecret != nil {
		f.keepSecret(name, value, done)
		return
	}
	f.keychain[name] = value
	done(name, nil)
}

func (f *fake) ReadSecret(name string, done func(string, error)) { done(f.keychain[name], nil) }

func (f *fake) After(wait time.Duration, do func()) func() {
	if wait == 0 {
		wait = 1
	}
	next := &timer{at: f.clock + wait, f: do}
	f.timers = append(f.timers, next)
	return func() { next.stopped = true }
}

func (b *bench) save(base *config.Document, ops []edit.Op, done func(error)) {
	if b.onEdit != nil {
		b.onEdit()
	}
	b.edits = append(b.edits, ops)
	_, err := b.store.EditFrom(context.Background(), base, store.LabelFor(ops...), store.Edits(ops...))
	if err == nil {
		b.apply()
		b.Edited(ops)
	}
	done(err)
}

// Unsavable reports whether closing the window would lose something.
func (b *bench) Unsavable() bool {
	_, _, any := b.Screen.Unsavable(b.store.Current())
	return any
}

// Unsaved reports whether something is typed that is not saved.
func (b *bench) Unsaved() bool { return len(b.setup.typed()) > 0 || b.json.dirty() }

// apply shows the entry as it is in the file now.
func (b *bench) apply() {
	if shown := b.Shown(); shown.Server != "" && shown != (model.Choice{Toolbox: b.toolbox, Server: b.server}) {
		b.Leave() // as the window does when the user goes there
	}
	b.Apply(new(Views).Of(Source{At: model.Choice{Toolbox: b.toolbox, Server: b.server}, Now: b.store.Current(),
		Warnings: b.warnings, Live: b.live, Shown: b.shown, Runtimes: b.runtimes}))
	b.settle()
}

// settle runs the functions that are due now.
func (b *bench) settle() { b.pass(1) }

// pass advances the clock and runs the functions that are due.
func (b *bench) pass(wait time.Duration) {
	b.clock += wait
	for {
		var due *timer
		for _, timer := range b.timers {
			if !timer.stopped && timer.at <= b.clock && (due == nil || timer.at < due.at) {
				due = timer
			}
		}
		if due == nil {
			return
		}
		due.stopped = true
		due.f()
	}
}

// other changes the file as another editor does.
func (b *bench) other(old, new string) {
	b.t.Helper()
	source := b.file()
	if !strings.Contains(source, old) {
		b.t.Fatalf("the file has no %q:\n%s", old, source)
	}
	b.write(strings.Replace(source, old, new, 1))
}

func (b *bench) write(source string) {
	b.t.Helper()
	if err := os.WriteFile(b.path, []byte(source), 0o600); err != nil {
		b.t.Fatal(err)
	}
	_ = b.store.Reload(context.Background())
	b.apply()
}

func (b *bench) file() string {
	b.t.Helper()
	source, err := os.ReadFile(b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(source)
}

// has checks that the file is source with old replaced by new.
func (b *bench) has(source, old, new string) {
	b.t.Helper()
	if !strings.Contains(source, old) {
		b.t.Fatalf("%q is not in the source", old)
	}
	if got, want := b.file(), strings.Replace(source, old, new, 1); got != want {
		b.t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}

// objects returns all visible objects.
func (b *bench) objects() []fyne.CanvasObject { return seen(b.window.Content()) }

func seen(object fyne.CanvasObject) []fyne.CanvasObject { return kittest.Seen(object) }

// texts returns all visible texts.
func (b *bench) texts() string {
	var texts []string
	for _, object := range b.objects() {
		switch object := object.(type) {
		case *kit.Text:
			texts = append(texts, object.Text())
		case *kit.Lines:
			texts = append(texts, object.Text())
		case *widget.RichText:
			texts = append(texts, object.String())
		case *kit.Button:
			texts = append(texts, "["+object.AccessibilityLabel()+"]")
		case *kit.Input:
			texts = append(texts, "<"+object.Text+">")
		}
	}
	return strings.Join(texts, "\n")
}

func (b *bench) reads(wanted ...string) {
	b.t.Helper()
	kittest.Reads(b.t, b.texts(), wanted...)
}

func (b *bench) lacks(unwanted ...string) {
	b.t.Helper()
	kittest.Lacks(b.t, b.texts(), unwanted...)
}

// tap clicks a button.
func (b *bench) tap(label string) {
	b.t.Helper()
	for _, object := range b.objects() {
		if button, ok := object.(*kit.Button); ok && button.AccessibilityLabel() == lang.L(label) {
			if button.Disabled() {
				b.t.Fatalf("the button %q is disabled", label)
			}
			button.Tapped(nil)
			b.settle()
			return
		}
	}
	b.t.Fatalf("there is no button %q:\n%s", label, b.texts())
}

// focus focuses an input and moves the caret to its end.
func (b *bench) focus(input *kit.SecretInput) {
	b.t.Helper()
	b.window.Canvas().Focus(input.Input)
	if b.window.Canvas().Focused() != input.Input {
		b.t.Fatal("the input does not take the focus")
	}
	input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	b.settle()
}

// enter replaces the text of an input by typing.
func (b *bench) enter(input *kit.SecretInput, text string) {
	b.t.Helper()
	b.focus(input)
	if input.Text != "" {
		input.TypedShortcut(&fyne.ShortcutSelectAll{})
		input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	}
	b.typed(input, text)
}

func (b *bench) typed(input *kit.SecretInput, text string) {
	for _, r := range text {
		input.TypedRune(r)
	}
	b.settle()
}

// leave takes the focus away from the form.
func (b *bench) leave() {
	b.press()
	b.pass(time.Second) // long enough to see that no button was pressed
}

// press is the first half of a click: Fyne takes the focus away.
func (b *bench) press() {
	b.window.Canvas().Unfocus()
	b.settle()
}
