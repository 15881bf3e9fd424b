package clients

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// A sheet receives clicks so that what is under it does not, and does nothing with them.
var dialogs = bykeys.Otherwise{"*kit.Sheet": "nothing happens"}

// The Tab key must reach everything that can be clicked, on the screen and in each of its dialogs.
func TestByKeys(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), small)
	w := bykeys.New(t, o.window, dialogs)
	w.Walk()

	o.buttons["cursor connect"].OnTapped()
	w.Walk()
	o.planned(planOf(t, "cursor", true), nil)
	w.Walk()
	o.tap(t, "Connect")
	w.Walk()
	o.carried(nil)
	w.Walk()
	o.tap(t, "Done")

	o.bringIn("cursor", "Cursor")
	offer := offered(t)
	offer.Movable, offer.Earlier = true, movedOf("notes")
	o.looked(offer, nil)
	w.Walk()
	o.dialog.close()
	o.disconnectAll()
	w.Walk()
	o.dialog.close()
}

// When a dialog closes, the focus is where it was before, even if the cards were made again meanwhile. For an app that
// was just connected, the focus goes to the button that has the place of the old one.
func TestKeyboardComesBack(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	known := facts()
	o := open(t, NewView(known), normal)
	canvas := o.window.Canvas()
	press := func(key fyne.KeyName) { canvas.Focused().TypedKey(&fyne.KeyEvent{Name: key}) }
	canvas.Focus(o.buttons["cursor connect"])
	press(fyne.KeyReturn)
	if o.dialog == nil {
		t.Fatal("there is no dialog")
	}
	known.Note = "Something else is to be known."
	o.Apply(NewView(known))
	press(fyne.KeyEscape)
	if canvas.Focused() != fyne.Focusable(o.buttons["cursor connect"]) {
		t.Errorf("the focus is on %T", canvas.Focused())
	}
	o.Apply(View{Known: true, Cards: []Card{{ID: "cursor", Name: "Cursor", Disconnect: true}}})
	if canvas.Focused() != fyne.Focusable(o.buttons["cursor more"]) {
		t.Errorf("after the button has gone, the focus is on %T", canvas.Focused())
	}
}

// While another program is in front, Fyne tells the button that it has lost the focus. The button still gets it back.
func TestKeyboardStaysWhileAway(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	known := facts()
	o := open(t, NewView(known), normal)
	canvas := o.window.Canvas()
	before := o.buttons["cursor connect"]
	canvas.Focus(before)
	before.FocusLost()
	known.Note = "Something else is to be known."
	o.Apply(NewView(known))
	if now := o.buttons["cursor connect"]; now == before || canvas.Focused() != fyne.Focusable(now) {
		t.Errorf("the focus is on %T; it is on the removed button: %v", canvas.Focused(),
			canvas.Focused() == fyne.Focusable(before))
	}
}

// If looking again finds an app, the focus goes to the button at the top, which also looks again.
func TestLookAgainAfterNone(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, View{Known: true}, normal)
	look := o.buttons[" look"]
	o.window.Canvas().Focus(o.buttons[" again"])
	o.Apply(NewView(facts()))
	if o.buttons[" look"] != look || o.window.Canvas().Focused() != fyne.Focusable(look) {
		t.Errorf("the focus is on %T; the button at the top has replaced the other: %v", o.window.Canvas().Focused(),
			o.buttons[" look"] == look)
	}
}

// Keys go to an overlay that covers a dialog. The overlay stays open when the dialog closes.
func TestWhatLiesOverADialog(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	canvas := o.window.Canvas()
	passed := 0
	canvas.SetOnTypedKey(func(*fyne.KeyEvent) { passed++ })
	test.Tap(o.buttons["cursor connect"])
	dialog := o.dialog
	over := kit.NewSheet(kit.NewGap(10, 10), func(room fyne.Size) fyne.Size { return room })
	canvas.Overlays().Add(over)
	escape := &fyne.KeyEvent{Name: fyne.KeyEscape}
	canvas.OnTypedKey()(escape)
	if passed != 1 || o.dialog != dialog || canvas.Overlays().Top() != over {
		t.Fatalf("Esc was passed on %d times; the dialog is closed: %v", passed, o.dialog != dialog)
	}
	dialog.close()
	if o.dialog != nil || canvas.Overlays().Top() != over {
		t.Fatal("the overlay was closed with the dialog")
	}
	kit.TakeOff(canvas, over)
	canvas.OnTypedKey()(escape)
	if passed != 2 || canvas.Overlays().Top() != nil {
		t.Error("the overlay is still open")
	}
}
