package file

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// said is something that is said above the text: a shape, a sentence or two, and what can be done.
type said struct {
	state theme.State
	text  string
	hint  string // in smaller letters; may be empty
	acts  []act
}

// act is a button.
type act struct {
	label      string
	importance widget.Importance
	do         func()
}

// like tells whether two would look the same.
func (s said) like(o said) bool {
	if s.state != o.state || s.text != o.text || s.hint != o.hint || len(s.acts) != len(o.acts) {
		return false
	}
	for i := range s.acts {
		if s.acts[i].label != o.acts[i].label || s.acts[i].importance != o.acts[i].importance {
			return false
		}
	}
	return true
}

// banner is the place where one thing is said. What looks the same keeps its buttons, and with them the keyboard.
type banner struct {
	root *fyne.Container
	now  said
}

func newBanner() *banner {
	b := &banner{root: container.NewStack()}
	b.root.Hide()
	return b
}

// show says something, or nothing when it has no text.
func (b *banner) show(next said) {
	same := b.now.like(next)
	b.now = next
	if same {
		return
	}
	b.root.RemoveAll()
	if next.text == "" {
		b.root.Hide()
		return
	}
	words := kit.Column(kit.GapHair, kit.NewParagraph(next.text, kit.TextStyle{}),
		kit.NewParagraph(next.hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	buttons := kit.Row(kit.Gap)
	for i, act := range next.acts {
		buttons.Add(kit.NewButton(kit.Line(act.label), act.importance, func() { b.now.acts[i].do() }))
	}
	kit.SetVisible(buttons, len(next.acts) > 0)
	content := kit.NewBeside(leastWords, kit.Marked(next.state, words), buttons)
	line := fyne.ThemeColorName(theme.ColorWorking)
	switch next.state {
	case theme.StateWrong:
		line = theme.ColorWrong
	case theme.StateIdle, theme.StateConnected:
		line = theme.ColorLine
	}
	box := kit.BoxStyle{Fill: theme.ColorCard, Line: line, Radius: theme.SizeCardRadius}
	b.root.Add(kit.NewBox(box, kit.Inset(content, kit.GapWide, kit.GapWide)))
	b.root.Show()
}

// leastWords is how wide words are at least, in pixels, for buttons to stand beside them.
const leastWords = 320
