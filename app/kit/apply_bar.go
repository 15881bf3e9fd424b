package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// ApplyBar is the line at the bottom of a tab that says whether typed text was applied, with buttons to apply or
// discard it. It is always visible, so that nothing moves while the user types.
type ApplyBar struct {
	hint           *Text
	Discard, Apply *Button
	Root           fyne.CanvasObject // the object to show

	buttons []*Button // all buttons, from left to right
}

// NewApplyBar returns a bar. more are other buttons of the tab, at the left of Discard and Apply.
func NewApplyBar(apply, discard func(), more ...*Button) *ApplyBar {
	b := &ApplyBar{hint: NewText("", TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})}
	b.Apply = NewButton(lang.L("Apply"), widget.HighImportance, apply)
	b.Discard = NewButton(lang.L("Discard"), widget.MediumImportance, discard)
	b.buttons = append(more, b.Discard, b.Apply)
	parts := []fyne.CanvasObject{Rest(b.hint)}
	for _, button := range b.buttons {
		parts = append(parts, button)
	}
	b.Root = Row(Gap, parts...)
	return b
}

// OnFocus sets a function that is called when a button of the bar gets or loses the focus.
func (b *ApplyBar) OnFocus(do func(focused bool)) {
	for _, button := range b.buttons {
		button.OnFocus = do
	}
}

// Has reports whether an object is a button of the bar.
func (b *ApplyBar) Has(object fyne.Focusable) bool {
	button, ok := object.(*Button)
	return ok && slices.Contains(b.buttons, button)
}

// Set shows "Not applied yet" and enables Discard and Apply if changed is true. Otherwise it shows the hint and
// disables both buttons.
func (b *ApplyBar) Set(changed bool, hint string) {
	style := TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}
	if changed {
		hint, style.Color, style.Bold = lang.L("Not applied yet"), theme.ColorText, true
	}
	if b.hint.Text() != hint {
		b.hint.SetStyle(hint, style)
	}
	SetEnabled(b.Discard, changed)
	SetEnabled(b.Apply, changed)
}

// Refuse disables Apply until the next Set, because the typed text cannot be applied.
func (b *ApplyBar) Refuse() { SetEnabled(b.Apply, false) }
