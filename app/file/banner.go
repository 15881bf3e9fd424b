package file

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// notice says something about the text: the shape of a state, a sentence or two, and buttons that help.
type notice struct {
	state   theme.State
	text    string
	hint    string // in smaller letters; may be empty
	buttons []button
}

// button is a button of a notice.
type button struct {
	label      string
	importance widget.Importance
	tapped     func()
}

// sameAs reports whether two notices look the same.
func (n notice) sameAs(o notice) bool {
	return n.state == o.state && n.text == o.text && n.hint == o.hint &&
		slices.EqualFunc(n.buttons, o.buttons, func(a, b button) bool { return a.label == b.label && a.importance == b.importance })
}

// leastWords is the least width of a notice's words beside its buttons, in pixels. When there is less, the buttons go below.
const leastWords = 320

// draw returns the widgets of a notice. tap is called with the index of a button that was tapped.
func (n notice) draw(size fyne.ThemeSizeName, tap func(i int)) fyne.CanvasObject {
	words := kit.Column(kit.GapHair, kit.NewParagraph(n.text, kit.TextStyle{Size: size}),
		kit.NewParagraph(n.hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	buttons := kit.Row(kit.Gap)
	for i, b := range n.buttons {
		buttons.Add(kit.NewButton(kit.Line(b.label), b.importance, func() { tap(i) }))
	}
	kit.SetVisible(buttons, len(n.buttons) > 0)
	return kit.NewBeside(leastWords, kit.Marked(n.state, words), buttons)
}

// banner is the place for one notice. A notice that looks the same as the one before keeps its buttons, and with them the keyboard.
type banner struct {
	root  *fyne.Container
	shown notice
}

func newBanner() *banner {
	b := &banner{root: container.NewStack()}
	b.root.Hide()
	return b
}

// show shows a notice, or nothing when it has no text.
func (b *banner) show(next notice) {
	same := b.shown.sameAs(next)
	b.shown = next
	if same {
		return
	}
	b.root.RemoveAll()
	if next.text == "" {
		b.root.Hide()
		return
	}
	line := fyne.ThemeColorName(theme.ColorWorking)
	switch next.state {
	case theme.StateWrong:
		line = theme.ColorWrong
	case theme.StateIdle, theme.StateConnected:
		line = theme.ColorLine
	}
	content := next.draw(theme.SizeText, func(i int) { b.shown.buttons[i].tapped() })
	b.root.Add(kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: line, Radius: theme.SizeCardRadius}, kit.Inset(content, kit.GapWide, kit.GapWide)))
	b.root.Show()
}
