package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// speaking returns a controller that can change the language. English is restored after the test.
func speaking(t *testing.T, text string) (*bench, *locale.Voice) {
	voice := locale.Install()
	voice.Speak("en")
	t.Cleanup(func() { voice.Speak("en") })
	b := newBench(t, text, func(o *Options) {
		preferences, err := model.OpenPreferences(filepath.Join(t.TempDir(), "preferences.json"))
		if err != nil {
			t.Fatal(err)
		}
		o.voice, o.Preferences = voice, preferences
	})
	return b, voice
}

// A change of the language reaches everything that is shown, and keeps what is shown and selected.
func TestLanguageIsSwitched(t *testing.T) {
	b, _ := speaking(t, oneServer)
	b.untilOwn()
	name := b.now.view.Toolboxes[0].Name
	choice := model.Choice{Toolbox: name, Server: b.now.view.Toolboxes[0].Servers[0].Name}
	b.showTab(choice, model.TabJSON)
	b.places.Choose(placeSettings)
	switchTo := func(tag string) {
		t.Helper()
		if err := b.await(func(done func(error)) { ofSettings{b.computer, b.controller}.SetLanguage(tag, done) }); err != nil {
			t.Fatal(err)
		}
		b.drain()
	}
	switchTo("de")
	if got := b.options.Preferences.Get().Language; got != "de" {
		t.Errorf("the saved language is %q", got)
	}
	if b.places.At() != placeSettings || b.window.Content.Shown() != b.settings.Object() {
		t.Error("the settings are no longer shown")
	}
	_, places := b.places.Bar()
	if got := b.window.Nav.Buttons[slices.Index(places, placeSettings)].Word; got != lang.L("Settings") {
		t.Errorf("the bar says %q", got)
	}
	if b.window.Window.Canvas().Focused() == nil {
		t.Error("nothing has the focus")
	}
	b.places.Choose(placeToolboxes)
	if b.toolboxes.Selected() != choice || b.detail.Editor.Tab() != model.TabJSON {
		t.Errorf("selected is %v, tab %v", b.toolboxes.Selected(), b.detail.Editor.Tab())
	}
	b.places.Choose(placeSettings)
	switchTo("en")
	if got := b.window.Nav.Buttons[slices.Index(places, placeSettings)].Word; got != "Settings" {
		t.Errorf("the bar says %q", got)
	}
}

// Every screen fits into the smallest window in each language.
func TestEachLanguageFitsTheSmallestWindow(t *testing.T) {
	b, _ := speaking(t, oneServer)
	b.untilOwn()
	choice := model.Choice{Toolbox: b.now.view.Toolboxes[0].Name, Server: b.now.view.Toolboxes[0].Servers[0].Name}
	for _, language := range locale.Languages() {
		if err := b.await(func(done func(error)) { ofSettings{b.computer, b.controller}.SetLanguage(language.Tag, done) }); err != nil {
			t.Fatal(err)
		}
		b.drain()
		for _, screen := range b.screens() {
			if screen.Head > 0 {
				continue
			}
			b.places.Choose(screen.At)
			if size := b.window.Window.Content().MinSize(); size.Width > 800 || size.Height > 560 {
				t.Errorf("%s, place %v: it needs %v", language.Tag, screen.At, size)
			}
		}
		b.showTab(choice, model.TabSetup)
		if size := b.window.Window.Content().MinSize(); size.Width > 800 || size.Height > 560 {
			t.Errorf("%s, a server: it needs %v", language.Tag, size)
		}
	}
}

// Every dialog of the window fits into the smallest window in each language. The scenes of the screens check their own
// dialogs.
func TestEachLanguageFitsItsDialogs(t *testing.T) {
	voice := locale.Install()
	voice.Speak("en")
	t.Cleanup(func() { voice.Speak("en") })
	b := newBench(t, withSecret, func(o *Options) {
		preferences, err := model.OpenPreferences(filepath.Join(t.TempDir(), "preferences.json"))
		if err != nil {
			t.Fatal(err)
		}
		o.voice, o.Preferences = voice, preferences
		o.Approvals = approval.New(approval.Options{
			Path: filepath.Join(filepath.Dir(o.Location.Path), "state", "approvals.json")})
	})
	b.untilOwn()
	b.until(func() string { return differs(fmt.Sprint(b.now.Approval.State.On), "true") })
	b.write(strings.Replace(withSecret, `"gh", "env"`, `"sh", "args": ["-c", "touch started"], "env"`, 1))
	b.untilWaiting(1)
	b.window.Window.Resize(fyne.NewSize(800, 560))
	theirs := b.now.File.Now
	conflict := &store.Conflict{Theirs: theirs,
		Ours: config.Parse(theirs.Name, []byte(strings.Replace(string(theirs.Source), "started", "other", 1)))}
	dialogs := map[string]func(){
		"share":     func() { b.share("dev") },
		"approving": func() { b.approving.Show() },
		"engine": func() {
			serverlog.ShowEngine(model.Engine{Client: "Claude Desktop"}, b.window, b.tasks, b.options.Logs)
		},
		"keys":     b.window.ShowKeys,
		"quit":     func() { b.askToQuit([]loss{{text: "dev", back: func() {}}}) },
		"link":     func() { b.openThis("workbench://add?name=x&config=eyJjb21tYW5kIjoieCJ9") },
		"conflict": func() { b.saver.AskConflict(conflict, configfile.Change{}, func(error) {}) },
		"failed":   func() { b.window.Fail(errors.New("it is not there")) },
	}
	for _, language := range locale.Languages() {
		if err := b.await(func(done func(error)) { ofSettings{b.computer, b.controller}.SetLanguage(language.Tag, done) }); err != nil {
			t.Fatal(err)
		}
		b.drain()
		for name, show := range dialogs {
			show()
			b.drain()
			canvas := b.window.Window.Canvas()
			top := canvas.Overlays().Top()
			if top == nil {
				t.Fatalf("%s, %s: there is no dialog", language.Tag, name)
			}
			if least := top.MinSize(); least.Width > 800-2*kit.SheetMargin || least.Height > 560-2*kit.SheetMargin {
				t.Errorf("%s, %s: it needs %v", language.Tag, name, least)
			}
			drawn.Keep(t, canvas, "app-"+name+"-"+language.Tag)
			if dialog := b.adding.Dialog(); dialog != nil {
				dialog.Close()
			}
			b.window.Dismiss()
			if canvas.Overlays().Top() != nil {
				t.Fatalf("%s, %s: it is still open", language.Tag, name)
			}
		}
	}
}

// If text that was typed for a server cannot be saved, it is kept when the language changes.
func TestLanguageKeepsWhatIsTyped(t *testing.T) {
	b, _ := speaking(t, oneServer)
	b.untilOwn()
	choice := model.Choice{Toolbox: b.now.view.Toolboxes[0].Name, Server: b.now.view.Toolboxes[0].Servers[0].Name}
	b.showTab(choice, model.TabSetup)
	for _, r := range "ten" {
		b.limit().TypedRune(r)
	}
	b.places.Choose(placeSettings)
	if err := b.await(func(done func(error)) { ofSettings{b.computer, b.controller}.SetLanguage("de", done) }); err != nil {
		t.Fatal(err)
	}
	b.drain()
	b.places.Choose(placeToolboxes)
	if got := b.limit().Text; got != "ten" {
		t.Errorf("in the other language, the field has %q", got)
	}
}

// drain runs all queued functions for the goroutine of the window, including those that they queue.
func (b *bench) drain() {
	for {
		select {
		case f := <-b.queue:
			f()
		default:
			return
		}
	}
}

// A language without a font is not taken, and what helps is said.
func TestLanguageWithoutAFont(t *testing.T) {
	b := newBench(t, oneServer, func(o *Options) {
		var err error
		if o.Preferences, err = model.OpenPreferences(filepath.Join(t.TempDir(), "preferences.json")); err != nil {
			t.Fatal(err)
		}
		o.System = attending{shows: func(tag string) bool { return tag != "ja" }}
	})
	err := b.await(func(done func(error)) { b.setLanguage("ja", done) })
	if err == nil || !strings.Contains(err.Error(), "fonts-noto-cjk") || b.options.Preferences.Get().Language != "" {
		t.Errorf("got %v, and the language is %q", err, b.options.Preferences.Get().Language)
	}
}
