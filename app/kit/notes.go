package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Note is a message about a field or a screen: an icon, a text and buttons.
type Note struct {
	State theme.State
	Text  string
	Hint  string // smaller text below; may be empty
	Acts  []Act
}

// Act is a button of a [Note].
type Act struct {
	Label      string
	Importance widget.Importance // the zero value is for a usual button
	Do         func()
}

// NotesMost is the greatest height of a list of notes below a text, in pixels.
const NotesMost = 128

// leastWords is the least width of a note's words beside its buttons, in pixels. If there is less room, the buttons go
// below the words.
const leastWords = 320

// sameAs reports whether two notes look the same.
func (n Note) sameAs(o Note) bool {
	return n.State == o.State && n.Text == o.Text && n.Hint == o.Hint &&
		slices.EqualFunc(n.Acts, o.Acts, func(a, b Act) bool { return a.Label == b.Label && a.Importance == b.Importance })
}

// Notes shows notes. It is hidden while there are none.
type Notes struct {
	Root  *fyne.Container
	boxed bool // each note is in a card
	shown []Note
}

// NewNotes returns a place for notes below a field.
func NewNotes() *Notes { return newNotes(false) }

// NewBanner returns a place for notes about a whole screen, each in a card.
func NewBanner() *Notes { return newNotes(true) }

func newNotes(boxed bool) *Notes {
	n := &Notes{Root: Column(Gap), boxed: boxed}
	n.Root.Hide()
	return n
}

// Set shows notes and reports whether any has changed. Notes that look as before keep their widgets, and so the focus.
func (n *Notes) Set(wanted []Note) (changed bool) {
	before, drawn := n.shown, n.Root.Objects
	n.shown = wanted
	if slices.EqualFunc(before, wanted, Note.sameAs) {
		return false
	}
	n.Root.RemoveAll()
	for i, note := range wanted {
		if i < len(before) && before[i].sameAs(note) {
			n.Root.Add(drawn[i])
		} else {
			n.Root.Add(n.draw(i))
		}
	}
	SetVisible(n.Root, len(wanted) > 0)
	return true
}

func (n *Notes) draw(i int) fyne.CanvasObject {
	note := n.shown[i]
	ink, line := theme.ColorText, theme.ColorWorking
	switch note.State {
	case theme.StateWrong:
		ink, line = theme.ColorWrong, theme.ColorWrong
	case theme.StateConnected, theme.StateIdle:
		ink, line = theme.ColorMuted, theme.ColorLine
	}
	style := TextStyle{Size: theme.SizeSmall, Color: ink}
	if n.boxed { // the border has the colour of the state
		style = TextStyle{}
	}
	words := Column(GapHair, NewParagraph(note.Text, style))
	if note.Hint != "" {
		words.Add(NewParagraph(note.Hint, TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	buttons := Row(Gap)
	for j, act := range note.Acts {
		buttons.Add(NewButton(Line(act.Label), act.Importance, func() {
			// The button does what the newest note says, even if the button is older.
			if i < len(n.shown) && j < len(n.shown[i].Acts) {
				n.shown[i].Acts[j].Do()
			}
		}))
	}
	SetVisible(buttons, len(note.Acts) > 0)
	said := NewBeside(leastWords, Marked(note.State, words), buttons)
	if !n.boxed {
		return said
	}
	return NewBox(BoxStyle{Fill: theme.ColorCard, Line: line, Radius: theme.SizeCardRadius},
		Inset(said, GapWide, GapWide))
}
