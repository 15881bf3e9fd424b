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
	words := kit.Column(3, kit.NewParagraph(next.text, kit.TextStyle{}))
	if next.hint != "" {
		words.Add(kit.NewParagraph(next.hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	content := marked(next.state, words)
	if len(next.acts) > 0 {
		buttons := kit.NewFlow(8)
		for i, act := range next.acts {
			buttons.Add(kit.NewButton(kit.Line(act.label), act.importance, func() { b.now.acts[i].do() }))
		}
		full := max(kit.NewText(next.text, kit.TextStyle{}).Full().Width, kit.NewText(next.hint, kit.TextStyle{Size: theme.SizeSmall}).Full().Width)
		content = container.New(&besideLayout{full: markWidth + full}, content, buttons)
	}
	line := fyne.ThemeColorName(theme.ColorWorking)
	switch next.state {
	case theme.StateWrong:
		line = theme.ColorWrong
	case theme.StateIdle, theme.StateConnected:
		line = theme.ColorLine
	}
	box := kit.BoxStyle{Fill: theme.ColorCard, Line: line, Radius: theme.SizeCardRadius}
	b.root.Add(kit.NewBox(box, kit.Inset(content, 10, 14)))
	b.root.Show()
}

// besideLayout has buttons beside words where both have room, else below them.
type besideLayout struct {
	full  float32 // how wide the words are on one line
	width float32 // of the place
}

const besideGap = 16

func (l *besideLayout) beside(buttons fyne.CanvasObject) (width float32, ok bool) {
	for i, button := range buttons.(*fyne.Container).Objects {
		if i > 0 {
			width += 8
		}
		width += button.MinSize().Width
	}
	return width, l.full+besideGap+width <= l.width
}

func (l *besideLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	words, buttons := objects[0].MinSize(), objects[1].MinSize()
	if _, ok := l.beside(objects[1]); ok {
		return fyne.NewSize(buttons.Width, max(words.Height, buttons.Height))
	}
	return fyne.NewSize(buttons.Width, words.Height+8+buttons.Height)
}

func (l *besideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	words, buttons := objects[0], objects[1]
	if width, ok := l.beside(buttons); ok {
		words.Resize(fyne.NewSize(size.Width-width-besideGap, size.Height))
		words.Move(fyne.NewPos(0, max(0, (size.Height-words.MinSize().Height)/2)))
		buttons.Resize(fyne.NewSize(width+1, size.Height))
		buttons.Move(fyne.NewPos(size.Width-width-1, max(0, (size.Height-buttons.MinSize().Height)/2)))
		return
	}
	words.Move(fyne.Position{})
	words.Resize(fyne.NewSize(size.Width, words.MinSize().Height))
	top := words.MinSize().Height + 8
	buttons.Move(fyne.NewPos(markWidth, top))
	buttons.Resize(fyne.NewSize(size.Width-markWidth, max(0, size.Height-top)))
}

// marked has the shape of a state at the left of something.
func marked(state theme.State, object fyne.CanvasObject) fyne.CanvasObject {
	mark := kit.Column(0, kit.NewGap(16, 1), container.NewGridWrap(fyne.NewSquareSize(16), widget.NewIcon(state.Icon())))
	return container.New(markLayout{}, mark, object)
}

type markLayout struct{}

const markWidth = 26

func (markLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	mark, words := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(markWidth+words.Width, max(mark.Height, words.Height))
}

func (markLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(objects[0].MinSize())
	objects[1].Move(fyne.NewPos(markWidth, 0))
	objects[1].Resize(fyne.NewSize(size.Width-markWidth, size.Height))
}
