package add

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
)

// The Tab key must reach everything that can be clicked in every state of the dialog, and the focus must be visible.
func TestByKeys(t *testing.T) {
	var w *bykeys.Walker
	for name, scene := range scenes() {
		t.Run(name, func(t *testing.T) {
			o := newOpened(t)
			scene(o, small_)
			if w == nil {
				w = bykeys.New(t, o.window, bykeys.Otherwise{"*kit.Sheet": "nothing happens"})
			}
			w.In(t, o.window).Walk()
		})
	}
}

// A click on a tab puts the focus into its page. A tab that was chosen with the keyboard keeps the focus, so that the
// arrow keys can go on.
func TestATabIsReadyToType(t *testing.T) {
	o := newOpened(t).show(normal, Start{})
	canvas, tabs := o.window.Canvas(), o.chooser.tabs
	for way, field := range map[Way]fyne.Focusable{WayPaste: o.chooser.paste.text, WayFile: o.chooser.file.choose,
		WayHand: o.chooser.hand.name, WayCatalogue: o.chooser.catalogue.search} {
		tabs.Choose((int(way) + 1) % 4)
		canvas.Unfocus() // as a click does first
		tabs.Choose(int(way))
		if canvas.Focused() != field {
			t.Errorf("way %v: the focus is on %T", way, canvas.Focused())
		}
	}
	canvas.Focus(tabs)
	tabs.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if canvas.Focused() != fyne.Focusable(tabs) {
		t.Errorf("the focus is on %T", canvas.Focused())
	}
}

// TestWhatLiesOverTheDialog checks that an overlay over the dialog, such as a question, stays open when the dialog is
// closed.
func TestWhatLiesOverTheDialog(t *testing.T) {
	o := newOpened(t).show(normal, Start{})
	canvas := o.window.Canvas()
	over := kit.NewQuestion("Quit?", 300, kit.NewGap(10, 10), o.window)
	no := kit.NewButton("No", widget.MediumImportance, over.Hide)
	over.SetButtons([]fyne.CanvasObject{no})
	over.Show()
	canvas.Focus(no)
	o.Close()
	if len(canvas.Overlays().List()) != 1 || !over.Shown() || canvas.Focused() != fyne.Focusable(no) {
		t.Errorf("%d overlays are open; the question is shown: %v", len(canvas.Overlays().List()), over.Shown())
	}
}
