package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Question is a small dialog in the looks of the window: a title, what it is about, and buttons.
type Question struct {
	canvas  fyne.Canvas
	sheet   *Sheet
	content fyne.CanvasObject
	foot    *fyne.Container
	top     fyne.CanvasObject // above the content
	bottom  fyne.CanvasObject // below it
	width   float32
	shown   bool
	closed  func()
}

var _ dialog.Dialog = (*Question)(nil)

// NewQuestion returns a dialog that is not shown yet, so many pixels wide where there is room for that.
func NewQuestion(title string, width float32, content fyne.CanvasObject, window fyne.Window) *Question {
	q := newQuestion(width, content, window)
	q.build(title, q.content)
	return q
}

// NewWideQuestion is [NewQuestion] for a content that has margins of its own.
func NewWideQuestion(title string, width float32, content fyne.CanvasObject, window fyne.Window) *Question {
	q := newQuestion(width, content, window)
	q.content = content
	q.build(title, content)
	return q
}

// NewScrollingQuestion is [NewQuestion] for a content of any height: it lies on a page, which is scrolled where there is no room for
// all of it.
func NewScrollingQuestion(title string, width float32, content fyne.CanvasObject, window fyne.Window) (*Question, *Page) {
	q := newQuestion(width, content, window)
	page := NewPage(q.content)
	q.build(title, page)
	return q, page
}

func newQuestion(width float32, content fyne.CanvasObject, window fyne.Window) *Question {
	return &Question{canvas: window.Canvas(), content: InsetSides(content, GapTight, GapBlock, GapEdge, GapEdge), width: width}
}

// build makes the sheet of a body.
func (q *Question) build(title string, body fyne.CanvasObject) {
	q.foot = Row(Gap)
	q.top = Inset(NewText(title, TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}), GapBlock, GapEdge)
	q.bottom = Column(0, NewLine(), Inset(Row(0, Rest(NewGap(0, 0)), q.foot), GapWide, GapBlock))
	q.sheet = NewSheet(Column(0, q.top, Rest(body), q.bottom), q.size)
}

// size is as high as the content needs at the width.
func (q *Question) size(room fyne.Size) fyne.Size {
	width := min(room.Width, q.width)
	height := Settle(q.content, width) + q.top.MinSize().Height + q.bottom.MinSize().Height
	return fyne.NewSize(width, min(room.Height, height))
}

// SetButtons gives the dialog its buttons. The last is at the right.
func (q *Question) SetButtons(buttons []fyne.CanvasObject) {
	q.foot.Objects = buttons
	q.foot.Refresh()
}

// Show shows the dialog over what is in the window.
func (q *Question) Show() {
	if !q.shown {
		q.shown = true
		q.canvas.Overlays().Add(q.sheet)
	}
}

// Shown reports whether the dialog lies over the window, in sight or under others.
func (q *Question) Shown() bool {
	return slices.Contains(q.canvas.Overlays().List(), fyne.CanvasObject(q.sheet))
}

// Hide takes the dialog away, and calls what SetOnClosed has set.
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

// Dismiss is what the Esc key does.
func (q *Question) Dismiss() { q.Hide() }

// SetOnClosed sets what is called when the dialog has gone, however it did.
func (q *Question) SetOnClosed(closed func()) { q.closed = closed }

// SetDismissText is for the interface of Fyne's dialogs; the buttons say what they do.
func (q *Question) SetDismissText(string) {}

// Refresh draws the dialog anew, after its content has got another height.
func (q *Question) Refresh() { q.sheet.Refresh() }

// Resize is for the interface of Fyne's dialogs; only the width counts.
func (q *Question) Resize(size fyne.Size) {
	q.width = size.Width
	q.sheet.Refresh()
}

// MinSize is the least that the dialog needs.
func (q *Question) MinSize() fyne.Size { return q.sheet.MinSize() }
