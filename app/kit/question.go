package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Question is a dialog with a title, a content and buttons, drawn in the style of the window.
type Question struct {
	canvas  fyne.Canvas
	sheet   *Sheet
	content fyne.CanvasObject
	foot    *fyne.Container // the buttons
	title   *Text
	top     fyne.CanvasObject // the title, above the content
	bottom  fyne.CanvasObject // below the content: a line and the buttons
	width   float32           // in pixels
	shown   bool              // between Show and Hide
	closed  func()            // from SetOnClosed; may be nil
	again   func()            // from SetAgain; may be nil
}

var _ dialog.Dialog = (*Question)(nil)

// NewQuestion returns a dialog that is not shown yet. It is width pixels wide if there is room.
func NewQuestion(title string, width float32, content fyne.CanvasObject, window fyne.Window) *Question {
	return NewWideQuestion(title, width, insetQuestion(content), window)
}

// NewWideQuestion is like [NewQuestion], for a content that has its own margins.
func NewWideQuestion(title string, width float32, content fyne.CanvasObject, window fyne.Window) *Question {
	return newQuestion(title, width, content, content, window)
}

// NewScrollingQuestion is like [NewQuestion], for a content of any height. The content is on a page, which scrolls if
// there is too little room. The function returns this page as well.
func NewScrollingQuestion(title string, width float32, content fyne.CanvasObject,
	window fyne.Window) (*Question, *Page) {
	content = insetQuestion(content)
	page := NewPage(content)
	return newQuestion(title, width, content, page, window), page
}

func insetQuestion(content fyne.CanvasObject) fyne.CanvasObject {
	return InsetSides(content, GapTight, GapBlock, GapEdge, GapEdge)
}

// newQuestion returns a dialog with the body between its title and its buttons. The body is the content, or the page
// that contains the content.
func newQuestion(title string, width float32, content, body fyne.CanvasObject, window fyne.Window) *Question {
	q := &Question{canvas: window.Canvas(), content: content, foot: Row(Gap), width: width,
		title: NewText(title, TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true})}
	q.top = Inset(q.title, GapBlock, GapEdge)
	q.bottom = Column(0, widget.NewSeparator(), Inset(Row(0, Rest(NewGap(0, 0)), q.foot), GapWide, GapBlock))
	q.sheet = NewSheet(Column(0, q.top, Rest(body), q.bottom), q.size)
	return q
}

// size returns the size of the panel: as high as the content needs at the width.
func (q *Question) size(room fyne.Size) fyne.Size {
	width := min(room.Width, q.width)
	height := Settle(q.content, width) + q.top.MinSize().Height + q.bottom.MinSize().Height
	return fyne.NewSize(width, min(room.Height, height))
}

// SetTitle changes the title.
func (q *Question) SetTitle(title string) { q.title.Set(title) }

// SetButtons sets the buttons, from left to right.
func (q *Question) SetButtons(buttons []fyne.CanvasObject) {
	q.foot.Objects = buttons
	q.foot.Refresh()
}

// Show shows the dialog over the window.
func (q *Question) Show() {
	if !q.shown {
		q.shown = true
		q.canvas.Overlays().Add(q.sheet)
	}
}

// Shown reports whether the dialog is open, even if another one is over it.
func (q *Question) Shown() bool {
	return slices.Contains(q.canvas.Overlays().List(), fyne.CanvasObject(q.sheet))
}

// Hide closes the dialog and calls the function from SetOnClosed.
func (q *Question) Hide() {
	if !q.shown {
		return
	}
	q.shown = false
	TakeOff(q.canvas, q.sheet)
	if q.closed != nil {
		q.closed()
	}
}

// Dismiss closes the dialog. It is called on the Esc key.
func (q *Question) Dismiss() { q.Hide() }

// SetOnClosed sets the function that Hide calls after it has closed the dialog.
func (q *Question) SetOnClosed(closed func()) { q.closed = closed }

// SetAgain sets the function that shows the same dialog once more, in the language that the window has then. Without it,
// the dialog stays as it is when the language changes.
func (q *Question) SetAgain(again func()) { q.again = again }

// Again shows the dialog in the present language of the window, above all others.
func (q *Question) Again() {
	if q.again != nil && q.shown {
		q.shown = false
		TakeOff(q.canvas, q.sheet)
		q.again()
	}
}

// SetDismissText implements [dialog.Dialog]. It does nothing, since the buttons have their own texts.
func (q *Question) SetDismissText(string) {}

// Refresh draws the dialog again. Call it after the height of the content has changed.
func (q *Question) Refresh() { q.sheet.Refresh() }

// Resize implements [dialog.Dialog]. Only the width is used.
func (q *Question) Resize(size fyne.Size) {
	q.width = size.Width
	q.sheet.Refresh()
}

// MinSize returns the smallest size of the dialog.
func (q *Question) MinSize() fyne.Size { return q.sheet.MinSize() }
