package frame

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// toastTime is how long a toast stays.
const toastTime = 8 * time.Second

// Toast is a line that says for a while what was done, and may offer an action such as Undo. It covers the notes of
// the status line, or the head of a screen without a status line.
type Toast struct {
	Root  *fyne.Container
	box   *kit.Box // nil while nothing is shown
	below below
	timer *time.Timer // hides the toast; nil before the first one
	head  float32     // the height of the screen's head that the toast covers; 0 if it covers the status line
	least float32     // the height of the status line

	newest uint64 // the number of the newest edit of the file
	about  bool   // the toast is about the newest edit and disappears after the next one
}

// below is what a toast lies over.
type below interface {
	do(f func())       // runs a function on the goroutine of the window
	covered() bool     // reports whether a dialog covers the toast
	linksEnd() float32 // returns where the links of the status line end, in pixels from the left
}

func newToast(below below) *Toast {
	return &Toast{Root: container.NewStack(), below: below}
}

// over makes the toast cover a screen's head of the given height, or the status line if the height is 0.
func (t *Toast) over(head float32) {
	t.head = head
	t.place()
}

// Show shows a text with a button, whose label is offer and which calls act. If act is nil, there is no button.
func (t *Toast) Show(text, offer string, act func()) {
	t.Hide()
	parts := []fyne.CanvasObject{kit.Rest(kit.NewParagraph(text, kit.TextStyle{}))}
	if act != nil {
		parts = append(parts, kit.NewButton(offer, widget.LowImportance, func() {
			t.Hide()
			act()
		}))
	}
	t.box = kit.NewFrame(kit.Inset(kit.Row(kit.GapWide, parts...), 0, kit.GapBlock))
	t.place()
	t.leave(t.box)
}

// leave starts the timer that hides a toast.
func (t *Toast) leave(box *kit.Box) {
	t.timer = background.After(toastTime, func() { t.below.do(func() { t.expire(box) }) })
}

// expire hides a toast, unless it is gone already. While a dialog covers the window, the user cannot see the toast, so
// it stays.
func (t *Toast) expire(box *kit.Box) {
	switch {
	case t.box != box:
	case t.below.covered():
		t.leave(box)
	default:
		t.Hide()
	}
}

// ShowFor is like Show, for a text about the newest edit. The next edit hides the toast. act gets the number of the
// edit that the toast is about, since another edit may be on its way.
func (t *Toast) ShowFor(text, offer string, act func(edit uint64)) {
	edit := t.newest
	t.Show(text, offer, func() { act(edit) })
	t.about = true
}

// Follow sets the number of the newest edit.
func (t *Toast) Follow(newest uint64) {
	if t.about && newest != t.newest {
		t.Hide()
	}
	t.newest = newest
}

// Hide hides the toast and reports whether it was visible.
func (t *Toast) Hide() bool {
	if t.timer != nil {
		t.timer.Stop()
	}
	t.about = false
	there := t.box != nil
	t.box = nil
	t.place()
	return there
}

// place puts the toast over the status line beside its links, or over the head of a screen without a status line.
func (t *Toast) place() {
	t.Root.Objects = nil
	switch {
	case t.box == nil:
	case t.head > 0:
		t.Root.Objects = []fyne.CanvasObject{kit.Column(0, container.NewStack(kit.NewGap(0, t.head), t.box))}
	default:
		t.Root.Objects = []fyne.CanvasObject{kit.Arranged(func() fyne.Size { return fyne.Size{} }, t.besideLinks, t.box)}
	}
	t.Root.Refresh() // repaint now: nothing else may change for a long time
}

// besideLinks places the toast at the bottom of the window, beside the links of the status line. A text that needs
// more than two lines there covers the links too, because otherwise it would cover much of the screen.
func (t *Toast) besideLinks(size fyne.Size) {
	left := min(t.below.linksEnd()+kit.GapBlock, size.Width)
	height := kit.Settle(t.box, size.Width-left)
	if height > t.least*3/2 {
		left, height = 0, kit.Settle(t.box, size.Width)
	}
	height = max(height, t.least)
	t.box.Resize(fyne.NewSize(size.Width-left, height))
	t.box.Move(fyne.NewPos(left, size.Height-height))
}
