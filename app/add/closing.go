package add

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// closing is the question whether to close the dialog although something was typed.
type closing struct {
	asking bool
	typing fyne.Focusable // what had the keyboard when the question came
}

// foot returns the question, which replaces the buttons of the dialog, and the button that takes it back.
func (c *closing) foot(d *Dialog) (question fyne.CanvasObject, keep *kit.Button) {
	text := kit.NewText(lang.L("Close without adding anything?"), kit.TextStyle{Bold: true, Shrinks: true})
	keep = kit.NewButton(lang.L("Keep editing"), widget.MediumImportance, d.goOn)
	leave := kit.NewButton(lang.L("Close"), widget.DangerImportance, d.Close)
	return kit.Row(kit.Gap, kit.Rest(text), keep, leave), keep
}

// escape closes the dialog. If that would lose something, it asks first; then it takes the question back, so that
// nothing is lost by pressing Esc, however often.
func (d *Dialog) escape() {
	switch {
	case d.closing.asking:
		d.goOn()
	case d.Typed():
		d.closing = closing{asking: true, typing: d.window.Canvas().Focused()}
		d.fillFoot()
	case d.step == stepTry:
		d.trial.leave()
	default:
		d.Close()
	}
}

// goOn takes the question back whether to close.
func (d *Dialog) goOn() {
	d.closing.asking = false
	d.fillFoot()
	if d.closing.typing != nil {
		d.focus(d.closing.typing)
	}
}

// Typed reports whether closing would lose something that the user has typed.
func (d *Dialog) Typed() bool {
	return d.step != stepTry && (d.chooser.typed() || d.review != nil && d.review.typed)
}
