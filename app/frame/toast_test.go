package frame

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestToastWaitsWhileItIsCovered checks that a toast that is covered by a dialog stays until the user has seen it.
func TestToastWaitsWhileItIsCovered(t *testing.T) {
	test.NewTempApp(t)
	covered := true
	toast := newToast(func(f func()) { f() }, func() bool { return covered })
	toast.Show("Saved", "", nil)
	t.Cleanup(func() { toast.Hide() })
	toast.expire(toast.box)
	if len(toast.Root.Objects) == 0 {
		t.Error("the toast is gone although the user has not seen it")
	}
	covered = false
	toast.expire(toast.box)
	if len(toast.Root.Objects) > 0 {
		t.Error("the toast is still shown")
	}
}

// TestToastHasAPlace checks that a toast covers the status line, or the head of a screen without one, and never scrolled content. A long text is not cut.
func TestToastHasAPlace(t *testing.T) {
	test.NewTempApp(t)
	toast := newToast(func(f func()) { f() }, func() bool { return false })
	toast.least = 36
	toast.Root.Resize(fyne.NewSize(800, 560))
	toast.Show("A file or link was not opened, because something else is open here. Close that, then open the file or link again. Then nothing else lies over the window.", "Show", func() {})
	t.Cleanup(func() { toast.Hide() })
	placed := func() fyne.CanvasObject {
		column := toast.Root.Objects[0].(*fyne.Container)
		return column.Objects[len(column.Objects)-1]
	}
	box := placed()
	if bottom := box.Position().Y + box.Size().Height; bottom != 560 || box.Size().Width != 800 || box.Size().Height <= 36 {
		t.Errorf("over the status line, the toast is at %v with a size of %v", box.Position(), box.Size())
	}
	toast.over(64)
	if box = placed(); box.Position().Y != 0 || box.Size().Height != 64 {
		t.Errorf("over a head, the toast is at %v with a size of %v", box.Position(), box.Size())
	}
}
