package frame

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// toastTime is how long a toast stays. Its action can be reached by the keyboard for longer.
const toastTime = 8 * time.Second

// Toast is a line that says for a while what was done, and may offer an action such as Undo. It covers the status line, or the head
// of a screen without one.
type Toast struct {
	Root    *fyne.Container
	do      func(func())
	timer   *time.Timer
	covered func() bool // a dialog lies over it
	head    float32     // how high the head of the screen is that it lies over; 0: it takes the place of the status line
	least   float32     // how high the status line is
	shown   int         // which toast this is, so that an old timer does not hide a new one

	newest uint64 // edit of the file
	about  bool   // it is about that one, and not true for others
}

func newToast(do func(func()), covered func() bool) *Toast {
	t := &Toast{do: do, covered: covered}
	t.Root = container.New(toastLayout{t})
	return t
}

// over has it lie over the head of a screen, which is so high; 0: over the status line.
func (t *Toast) over(head float32) {
	t.head = head
	t.Root.Refresh()
}

// Show tells something. Offer and act may be empty and nil.
func (t *Toast) Show(text, offer string, act func()) {
	t.Hide()
	parts := []fyne.CanvasObject{kit.Rest(kit.NewParagraph(text, kit.TextStyle{}))}
	if act != nil {
		parts = append(parts, kit.NewButton(offer, widget.LowImportance, func() {
			t.Hide()
			act()
		}))
	}
	t.Root.Add(kit.NewFrame(kit.Inset(kit.Row(kit.GapWide, parts...), 0, kit.GapBlock)))
	t.Root.Refresh()
	t.shown++
	t.leave(t.shown)
}

// leave has the toast of that number go after a while.
func (t *Toast) leave(shown int) {
	t.timer = time.AfterFunc(toastTime, func() { t.do(func() { t.expire(shown) }) })
}

// expire takes the toast of that number away. While a dialog lies over the window, nobody sees it, and it stays.
func (t *Toast) expire(shown int) {
	switch {
	case t.shown != shown || t.timer == nil:
	case t.covered():
		t.leave(shown)
	default:
		t.Hide()
	}
}

// ShowFor tells what the newest edit was, and offers something to do about it. It goes as soon as there is another edit; act is given
// the edit that was meant, since another one may be on its way.
func (t *Toast) ShowFor(text, offer string, act func(edit uint64)) {
	edit := t.newest
	t.Show(text, offer, func() { act(edit) })
	t.about = true
}

// Follow takes up which edit is the newest.
func (t *Toast) Follow(newest uint64) {
	if t.about && newest != t.newest {
		t.Hide()
	}
	t.newest = newest
}

// Hide hides the toast. It reports whether one was shown.
func (t *Toast) Hide() bool {
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	t.about = false
	there := len(t.Root.Objects) > 0
	t.Root.RemoveAll()
	t.Root.Refresh() // nothing else may be painted for long
	return there
}

// toastLayout puts its object over the status line, or over the head of a screen without one.
type toastLayout struct{ toast *Toast }

func (toastLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (l toastLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, object := range objects {
		height, y := max(kit.Settle(object, size.Width), l.toast.head), float32(0)
		if l.toast.head == 0 {
			height = max(height, l.toast.least)
			y = size.Height - height
		}
		object.Resize(fyne.NewSize(size.Width, height))
		object.Move(fyne.NewPos(0, y))
	}
}
