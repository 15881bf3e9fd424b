package finder

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// program is a window with a few things. It notes what was chosen.
type program struct{ chosen []Thing }

func (p *program) Choose(thing Thing) { p.chosen = append(p.chosen, thing) }

func (p *program) Things() []Thing {
	return []Thing{
		{Kind: Deed, Name: "Server hinzufügen", English: "Add server", ID: "add"},
		{Kind: Deed, Name: "Alle anhalten", English: "Pause all", ID: "pause"},
		{Kind: Place, Name: "Einstellungen", English: "Settings", ID: "settings"},
		{Kind: Toolbox, Name: "office", Note: "Letters and contracts", At: model.Choice{Toolbox: "office"}},
		{Kind: Server, Name: "mail", Note: "office · Ready", At: model.Choice{Toolbox: "office", Server: "mail"}},
		{Kind: App, Name: "Claude Desktop", Note: "KI-Apps", ID: "claude-desktop"},
		{Kind: Setting, Name: "Geheimnisse", English: "Secrets", Note: "Einstellungen", ID: "2"},
		{Kind: Tool, Name: "Send a letter", English: "send_letter", Note: "office › mail",
			At: model.Choice{Toolbox: "office", Server: "mail"}, ID: "send_letter"},
	}
}

func names(things []Thing) string {
	var all []string
	for _, thing := range things {
		all = append(all, thing.Name)
	}
	return strings.Join(all, ", ")
}

// TestFind checks that things are found in the language of the window and in English, by any word, and that the best
// comes first.
func TestFind(t *testing.T) {
	things := (&program{}).Things()
	for text, want := range map[string]string{
		"pause":       "Alle anhalten",
		"anhalten":    "Alle anhalten",
		"add SERV":    "Server hinzufügen",
		"letter":      "Send a letter, office",
		"send_letter": "Send a letter",
		"office":      "office, mail, Send a letter",
		"claude":      "Claude Desktop",
		"secrets":     "Geheimnisse",
		"einstell":    "Einstellungen, Geheimnisse",
		"quantum":     "",
		"mail office": "mail, Send a letter",
	} {
		if got := names(Find(things, text)); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
	if got := len(Find(things, " ")); got != len(things) {
		t.Errorf("without a text there are %d", got)
	}
}

// TestDialog checks that the keyboard is enough: letters find, the arrow keys go down and up, Enter chooses.
func TestDialog(t *testing.T) {
	for tone, look := range drawn.Looks(fyne.NewSize(800, 560)) {
		app := test.NewTempApp(t)
		app.Settings().SetTheme(look.Begin(t))
		w := test.NewTempWindow(t, nil)
		w.SetPadded(false)
		w.Resize(fyne.NewSize(800, 560))
		p := &program{}
		d := New(p, w, "")
		d.Show()
		d.Focus()
		drawn.Keep(t, w.Canvas(), "finder-"+tone)
		test.Type(w.Canvas().Focused(), "letter")
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) // there is no third
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if got := names(p.chosen); got != "office" || d.Shown() {
			t.Errorf("chosen is %q, and the dialog is open: %v", got, d.Shown())
		}
		d = New(p, w, "")
		d.Show()
		d.Focus()
		d.field.SetText("quantum")
		kittest.Reads(t, kittest.Texts(kittest.Seen(w.Canvas().Overlays().Top())), lang.L("Nothing matches"))
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.Shown() || len(p.chosen) != 1 {
			t.Errorf("Esc does not close it, or something was chosen: %q", names(p.chosen))
		}
	}
}
