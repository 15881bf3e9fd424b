package editor

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// applyBar is the line at the bottom of a tab that says whether what is typed is applied, with the buttons that apply and discard it. It is
// always there, so that nothing moves while one types.
type applyBar struct {
	hint           *kit.Text
	discard, apply *kit.Button
	root           fyne.CanvasObject

	over bool     // the pointer is on Discard
	left []func() // what applies the fields that were left meanwhile
}

// newApplyBar gives a bar. More are other buttons of the tab.
func newApplyBar(apply, discard func(), more ...fyne.CanvasObject) *applyBar {
	b := &applyBar{hint: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})}
	b.apply = kit.NewButton(lang.L("Apply"), widget.HighImportance, apply)
	b.discard = kit.NewButton(lang.L("Discard"), widget.MediumImportance, func() {
		b.left = nil
		discard()
	})
	b.discard.OnHover = b.hovered
	b.root = kit.Row(kit.Gap, append(append([]fyne.CanvasObject{kit.Rest(b.hint)}, more...), b.discard, b.apply)...)
	return b
}

// set shows whether something is not applied, and else a hint.
func (b *applyBar) set(changed bool, hint string) {
	style := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}
	if changed {
		hint, style.Color, style.Bold = lang.L("Not applied yet"), theme.ColorText, true
	}
	if b.hint.Text() != hint {
		b.hint.SetStyle(hint, style)
	}
	kit.SetEnabled(b.discard, changed)
	kit.SetEnabled(b.apply, changed)
}

// leave applies a field that was left. A click on Discard takes the keyboard from the field first, so while the pointer is there the field
// waits for the click, or for the pointer to go.
func (b *applyBar) leave(apply func()) {
	if b.over {
		b.left = append(b.left, apply)
		return
	}
	apply()
}

func (b *applyBar) hovered(over bool) {
	b.over = over
	if !over {
		left := b.left
		b.left = nil
		for _, apply := range left {
			apply()
		}
	}
}
