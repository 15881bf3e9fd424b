package editor

import (
	"slices"

	"fyne.io/fyne/v2"
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
	quiet bool // it stands at the end of the line and not below
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
	kit.SetVisible(n.box, len(wanted) > 0)
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
	buttons, beside := kit.NewFlow(8), kit.Row(4)
	for j := range note.acts {
		if note.acts[j].quiet {
			beside.Add(n.button(i, j, widget.LowImportance))
		} else {
			buttons.Add(n.button(i, j, widget.MediumImportance))
		}
	}
	if len(buttons.Objects) > 0 {
		words.Add(kit.Inset(buttons, 2, 0))
	}
	return kit.Row(0, kit.Rest(kit.Marked(note.state, words)), beside)
}

// button is that of an act.
func (n *notes) button(i, j int, importance widget.Importance) *kit.Button {
	return kit.NewButton(kit.Line(n.shown[i].acts[j].label), importance, func() {
		// What the button does is that of the newest note, though the button may be older.
		if i < len(n.shown) && j < len(n.shown[i].acts) {
			n.shown[i].acts[j].do()
		}
	})
}
