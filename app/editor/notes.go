package editor

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// note is something that is said below a field: a shape, a sentence, and what can be done.
type note struct {
	state theme.State
	text  string
	hint  string
	acts  []act
}

// act is a button of a note.
type act struct {
	label string
	do    func()
	quiet bool // one of several that people rather want
}

// notes is the place below a field where its notes stand.
type notes struct {
	box    *fyne.Container
	shown  []note
	reveal func(fyne.CanvasObject) // brings what has the keyboard into sight
}

func newNotes(reveal func(fyne.CanvasObject)) *notes {
	n := &notes{box: kit.Column(6), reveal: reveal}
	n.box.Hide()
	return n
}

// set shows notes and tells whether they are others than before. Those that stay the same keep their widgets, and with them
// the keyboard.
func (n *notes) set(wanted []note) (changed bool) {
	same := slices.EqualFunc(n.shown, wanted, func(a, b note) bool {
		return a.state == b.state && a.text == b.text && a.hint == b.hint &&
			slices.EqualFunc(a.acts, b.acts, func(a, b act) bool { return a.label == b.label })
	})
	n.shown = wanted
	if same {
		return false
	}
	n.box.RemoveAll()
	for i := range wanted {
		n.box.Add(n.draw(i))
	}
	setVisible(n.box, len(wanted) > 0)
	return true
}

func (n *notes) draw(i int) fyne.CanvasObject {
	note := n.shown[i]
	color := theme.ColorText
	if note.state == theme.StateWrong {
		color = theme.ColorWrong
	} else if note.state == theme.StateConnected || note.state == theme.StateIdle {
		color = theme.ColorMuted
	}
	words := kit.Column(2, kit.NewParagraph(note.text, kit.TextStyle{Size: theme.SizeSmall, Color: color}))
	if note.hint != "" {
		words.Add(kit.NewParagraph(note.hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	if len(note.acts) > 0 {
		buttons := kit.NewFlow(8)
		for j, act := range note.acts {
			importance := widget.MediumImportance
			if act.quiet {
				importance = widget.LowImportance
			}
			var button *kit.Button
			button = kit.NewButton(kit.Line(act.label), importance, func() {
				// What the button does is that of the newest note, though the button may be older.
				if i < len(n.shown) && j < len(n.shown[i].acts) {
					n.shown[i].acts[j].do()
				}
			})
			button.OnFocus = func() { n.reveal(button) }
			buttons.Add(button)
		}
		words.Add(kit.Inset(buttons, 2, 0))
	}
	mark := kit.Column(0, kit.NewGap(14, 1), container.NewGridWrap(fyne.NewSquareSize(14), widget.NewIcon(note.state.Icon())))
	return container.New(markLayout{}, mark, words)
}

func setVisible(object fyne.CanvasObject, visible bool) {
	if visible == object.Visible() {
		return
	}
	if visible {
		object.Show()
	} else {
		object.Hide()
	}
}

// markLayout has a shape at the left and words beside it.
type markLayout struct{}

const markWidth = 22

func (markLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	mark, words := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(markWidth+words.Width, max(mark.Height, words.Height))
}

func (markLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(objects[0].MinSize())
	objects[1].Move(fyne.NewPos(markWidth, 0))
	objects[1].Resize(fyne.NewSize(size.Width-markWidth, size.Height))
}
