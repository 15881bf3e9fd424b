package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// manyBoxes returns a configuration whose list of toolboxes is higher than the window.
func manyBoxes() string {
	var boxes []string
	for i := range 30 {
		boxes = append(boxes, fmt.Sprintf(`"box%02d": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh"}}}`, i))
	}
	return `{"toolboxes": {` + strings.Join(boxes, ", ") + `}}`
}

// finds types into the search field of a screen, which Ctrl+F focuses, and returns the field.
func (b *bench) finds(text string) *kit.Input {
	b.t.Helper()
	b.places.Current().Find(b.window.Window.Canvas())
	field, ok := b.window.Window.Canvas().Focused().(*kit.Input)
	if !ok {
		b.t.Fatalf("%s: the focus is on %T", b.places.At(), b.window.Window.Canvas().Focused())
	}
	for _, r := range text {
		field.TypedRune(r)
	}
	return field
}

// shownText returns all that is shown.
func (b *bench) shownText() string { return kittest.Texts(kittest.Seen(b.window.Window.Content())) }

// A change of the language or of the looks keeps everything that is open: what is typed and searched for, the
// selection and its tab, what is folded, how far a screen is scrolled, and a dialog.
func TestLanguageAndThemeKeepWhatIsOpen(t *testing.T) {
	changes := map[string]func(b *bench) error{
		"language": func(b *bench) error {
			return b.await(func(done func(error)) { ofSettings{b.computer, b.controller}.SetLanguage("de", done) })
		},
		"theme": func(b *bench) error {
			return b.await(func(done func(error)) {
				ofSettings{b.computer, b.controller}.Prefer(func(p *model.Preferences) { p.Theme = "dark" }, done)
			})
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			b, _ := speaking(t, manyBoxes())
			b.untilOwn()
			canvas := b.window.Window.Canvas()
			b.window.Window.Resize(fyne.NewSize(1100, 720))
			at := model.Choice{Toolbox: "box25", Server: "b"}
			b.showTab(at, model.TabSetup)
			for _, r := range "ten" {
				b.limit().TypedRune(r)
			}
			row := func() string { return fmt.Sprint(strings.Contains(b.shownText(), "box25")) }
			scrolled := b.places.Current().Scrolled()
			if scrolled < 100 || row() != "true" {
				t.Fatalf("the list is scrolled by %v, the row is shown: %s", scrolled, row())
			}
			b.places.Choose(placeFile)
			b.file.ShowHistory()
			b.places.Choose(placeSettings)
			b.drain() // makes all sections
			kittest.Tap(t, kittest.Seen(b.settings.Object()), lang.L("Advanced"))
			b.window.ShowKeys()
			if err := change(b); err != nil {
				t.Fatal(err)
			}
			b.drain()
			if canvas.Overlays().Top() == nil {
				t.Fatal("the dialog is no longer open")
			}
			kittest.Reads(t, b.overlay(), lang.L("Keyboard"), lang.L("Closes a dialog, or goes back."))
			b.window.Dismiss()
			if canvas.Overlays().Top() != nil {
				t.Error("the dialog cannot be closed")
			}
			if b.places.At() != placeSettings {
				t.Errorf("%s is shown", b.places.At())
			}
			kittest.Reads(t, b.shownText(), lang.L("How AI apps get your tools"))
			b.places.Choose(placeFile)
			now := lang.L("This is what the file has now.")
			b.until(func() string { return differs(fmt.Sprint(strings.Contains(b.shownText(), now)), "true") })
			b.places.Choose(placeToolboxes)
			if got := b.places.Current().Scrolled(); got != scrolled || row() != "true" {
				t.Errorf("the list is scrolled by %v, it was %v; the row is shown: %s", got, scrolled, row())
			}
			if b.toolboxes.Selected() != at || b.detail.Editor.Tab() != model.TabSetup {
				t.Errorf("selected is %v, tab %v", b.toolboxes.Selected(), b.detail.Editor.Tab())
			}
			if got := b.limit().Text; got != "ten" {
				t.Errorf("typed was “ten”, shown is %q", got)
			}
		})
	}
}

// A search among the toolboxes and in the list of calls stays, and so does the search for unused servers, whose words
// are in the language of the window.
func TestLanguageKeepsTheSearch(t *testing.T) {
	b, _ := speaking(t, oneServer)
	b.untilOwn()
	b.finds("nothing like this")
	kittest.Reads(t, b.shownText(), "Nothing matches")
	b.places.Choose(placeSettings)
	if err := b.await(func(done func(error)) { ofSettings{b.computer, b.controller}.SetLanguage("de", done) }); err != nil {
		t.Fatal(err)
	}
	b.drain()
	b.places.Choose(placeToolboxes)
	kittest.Reads(t, b.shownText(), lang.L("Nothing matches"))
	if got := b.finds("").Text; got != "nothing like this" {
		t.Errorf("the search is for %q", got)
	}
	b.toolboxes.ShowUnused()
	words := b.finds("").Text
	if err := b.await(func(done func(error)) { ofSettings{b.computer, b.controller}.SetLanguage("en", done) }); err != nil {
		t.Fatal(err)
	}
	b.drain()
	if got := b.finds("").Text; got == words || got == "" {
		t.Errorf("the search for unused servers is for %q, as it was in German", got)
	}
}

// A dialog that is open when the language changes stays open, speaks the new language and keeps what is typed and
// chosen.
func TestLanguageKeepsDialogs(t *testing.T) {
	pasted := func(b *bench) {
		b.adding.Open(add.Start{Text: "API_KEY=secret npx -y some-mcp"})
		b.tapDialog("Continue")
	}
	for name, c := range map[string]struct {
		open  func(b *bench)
		reads func() []string // in the present language
	}{
		"an error": {func(b *bench) { b.window.Fail(errors.New("x")) },
			func() []string { return []string{lang.L("Something went wrong"), lang.L("Close")} }},
		"a question": {func(b *bench) {
			b.window.Ask(func() frame.Asked {
				return frame.Asked{Title: lang.L("Stop all?"), Text: "x", Yes: lang.L("Stop all")}
			}, func() {})
		}, func() []string { return []string{lang.L("Stop all?"), lang.L("Stop all"), lang.L("Cancel")} }},
		"finding": {func(b *bench) {
			b.find()
			for _, r := range "box" {
				b.window.Window.Canvas().Focused().TypedRune(r)
			}
		}, func() []string { return []string{lang.L("Find anything"), "box07"} }},
		"sharing": {func(b *bench) { b.share("box01") },
			func() []string {
				return []string{lang.L("Show the file"), "box01"}
			}},
		"adding by hand": {func(b *bench) {
			b.adding.Open(add.Start{Way: add.WayHand})
			for _, r := range "my-own" {
				b.window.Window.Canvas().Focused().TypedRune(r)
			}
		}, func() []string { return []string{lang.L("Add a server"), lang.L("Arguments"), lang.L("Continue")} }},
		"what is added": {pasted, func() []string {
			return []string{lang.L("Check what will be added"), lang.L("Add and try"), "some", "npx -y some-mcp"}
		}},
		"two dialogs": {func(b *bench) { pasted(b); b.window.ShowKeys() },
			func() []string { return []string{lang.L("Keyboard"), lang.L("Close")} }},
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := speaking(t, manyBoxes())
			b.untilOwn()
			b.window.Window.Resize(fyne.NewSize(1100, 720))
			c.open(b)
			b.drain()
			before, layers := c.reads(), len(b.window.Window.Canvas().Overlays().List())
			kittest.Reads(t, b.overlay(), before...)
			if err := b.await(func(done func(error)) {
				ofSettings{b.computer, b.controller}.SetLanguage("de", done)
			}); err != nil {
				t.Fatal(err)
			}
			b.drain()
			if lang.L("Close") == "Close" {
				t.Fatal("the language is the same")
			}
			if got := len(b.window.Window.Canvas().Overlays().List()); got != layers {
				t.Errorf("%d dialogs are open, want %d", got, layers)
			}
			kittest.Reads(t, b.overlay(), c.reads()...)
			kittest.Lacks(t, b.overlay(), before[0])
			if name == "adding by hand" && !b.adding.Dialog().Typed() {
				t.Error("what was typed is lost")
			}
		})
	}
}
