package app

import (
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// speaking gives a bench with a voice of its own, which speaks English again when the test has ended.
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

// Another language reaches all that is shown, and what was shown and selected stays.
func TestLanguageIsSwitched(t *testing.T) {
	b, _ := speaking(t, oneServer)
	b.untilOwn()
	name := b.now.view.Toolboxes[0].Name
	choice := model.Choice{Toolbox: name, Server: b.now.view.Toolboxes[0].Servers[0].Name}
	b.showTab(choice, editor.TabJSON)
	b.choose(placeSettings)
	switchTo := func(tag string) {
		t.Helper()
		if err := b.await(func(done func(error)) { b.computer.Actions().SetLanguage(tag, done) }); err != nil {
			t.Fatal(err)
		}
		b.drain()
	}
	switchTo("de")
	if got := b.preferences().Language; got != "de" {
		t.Errorf("kept is %q", got)
	}
	if b.at != placeSettings || b.window.Content.Shown() != b.settings.Object() {
		t.Error("the settings are no longer shown")
	}
	_, places := b.bar()
	if got := b.window.Nav.Buttons[slices.Index(places, placeSettings)].Word; got != lang.L("Settings") {
		t.Errorf("the bar says %q", got)
	}
	if b.window.Window.Canvas().Focused() == nil {
		t.Error("the keyboard is nowhere")
	}
	b.choose(placeToolboxes)
	if b.toolboxes.Selected() != choice || b.detail.Editor.Tab() != editor.TabJSON {
		t.Errorf("selected is %v, tab %v", b.toolboxes.Selected(), b.detail.Editor.Tab())
	}
	b.choose(placeSettings)
	switchTo("en")
	if got := b.window.Nav.Buttons[slices.Index(places, placeSettings)].Word; got != "Settings" {
		t.Errorf("the bar says %q", got)
	}
}

// The smallest window has room for every screen in each language.
func TestEachLanguageFitsTheSmallestWindow(t *testing.T) {
	b, _ := speaking(t, oneServer)
	b.untilOwn()
	choice := model.Choice{Toolbox: b.now.view.Toolboxes[0].Name, Server: b.now.view.Toolboxes[0].Servers[0].Name}
	for _, language := range locale.Languages() {
		if err := b.await(func(done func(error)) { b.computer.Actions().SetLanguage(language.Tag, done) }); err != nil {
			t.Fatal(err)
		}
		b.drain()
		for _, screen := range b.screens() {
			if screen.whole {
				continue
			}
			b.choose(screen.at)
			if size := b.window.Window.Content().MinSize(); size.Width > 800 || size.Height > 560 {
				t.Errorf("%s, place %v: it needs %v", language.Tag, screen.at, size)
			}
		}
		b.showTab(choice, editor.TabSetup)
		if size := b.window.Window.Content().MinSize(); size.Width > 800 || size.Height > 560 {
			t.Errorf("%s, a server: it needs %v", language.Tag, size)
		}
	}
}

// What is typed for a server and cannot be saved stays typed in another language.
func TestLanguageKeepsWhatIsTyped(t *testing.T) {
	b, _ := speaking(t, oneServer)
	b.untilOwn()
	choice := model.Choice{Toolbox: b.now.view.Toolboxes[0].Name, Server: b.now.view.Toolboxes[0].Servers[0].Name}
	b.showTab(choice, editor.TabSetup)
	for _, r := range "ten" {
		b.limit().TypedRune(r)
	}
	b.choose(placeSettings)
	if err := b.await(func(done func(error)) { b.computer.Actions().SetLanguage("de", done) }); err != nil {
		t.Fatal(err)
	}
	b.drain()
	b.choose(placeToolboxes)
	if got := b.limit().Text; got != "ten" {
		t.Errorf("in the other language it has %q", got)
	}
}

// drain does what has come to the goroutine of the window, and what that brings to it.
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
