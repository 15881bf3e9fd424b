package frame

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// underToast is what a toast lies over in a test.
type underToast struct {
	isCovered bool
	end       func() float32
}

func (u *underToast) do(f func())       { f() }
func (u *underToast) covered() bool     { return u.isCovered }
func (u *underToast) linksEnd() float32 { return u.end() }

// TestToastWaitsWhileItIsCovered checks that a toast that is covered by a dialog stays until the user has seen it.
func TestToastWaitsWhileItIsCovered(t *testing.T) {
	test.NewTempApp(t)
	under := &underToast{isCovered: true, end: func() float32 { return 0 }}
	toast := newToast(under)
	toast.Show("Saved", "", nil)
	t.Cleanup(func() { toast.Hide() })
	toast.expire(toast.box)
	if len(toast.Root.Objects) == 0 {
		t.Error("the toast is gone although the user has not seen it")
	}
	under.isCovered = false
	toast.expire(toast.box)
	if len(toast.Root.Objects) > 0 {
		t.Error("the toast is still shown")
	}
}

// TestToastHasAPlace checks that a toast covers the status line beside its links, or the head of a screen without a
// status line, and never scrolled content. A long text is not cut.
func TestToastHasAPlace(t *testing.T) {
	test.NewTempApp(t)
	toast := newToast(&underToast{end: func() float32 { return 300 }})
	toast.least = 36
	toast.Root.Resize(fyne.NewSize(800, 560))
	t.Cleanup(func() { toast.Hide() })
	toast.Show("Deleted “memory”", "Undo", func() {})
	if at, size := toast.box.Position(),
		toast.box.Size(); at.X <= 300 || at.X+size.Width != 800 || at.Y+size.Height != 560 || size.Height > 40 {
		t.Errorf("a short toast is at %v with a size of %v, want it beside the links, which end at 300", at, size)
	}
	toast.Show("A file or link was not opened, because something else is open here. Close that, then open the file or "+
		"link again. Then nothing else lies over the window.", "Show", func() {})
	if at, size := toast.box.Position(),
		toast.box.Size(); at.X != 0 || size.Width != 800 || at.Y+size.Height != 560 || size.Height <= 36 {
		t.Errorf("a long toast is at %v with a size of %v, want it over the whole line", at, size)
	}
	toast.over(64)
	column := toast.Root.Objects[0].(*fyne.Container)
	if box := column.Objects[len(column.Objects)-1]; box.Position().Y != 0 || box.Size().Height != 64 {
		t.Errorf("over a head, the toast is at %v with a size of %v", box.Position(), box.Size())
	}
}

// TestToastGivesWay checks that a toast does not lie over the number of problems, if problems come after it.
func TestToastGivesWay(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	s := newStatus(nobody{})
	toast := newToast(&underToast{end: s.linksEnd})
	toast.least = s.Root.MinSize().Height
	w := &Window{Status: s, Toast: toast}
	now := &model.Snapshot{Live: &model.Live{}}
	window := test.NewTempWindow(t, container.NewStack(kit.Column(0, kit.Rest(kit.NewGap(0, 0)), s.Root), toast.Root))
	window.SetPadded(false)
	window.Resize(fyne.NewSize(800, 560))
	w.Apply(now, "workbench-config.json", 0, theme.StateIdle)
	toast.Show("Added “memory”", "Undo", func() {})
	t.Cleanup(func() { toast.Hide() })
	w.Apply(now, "workbench-config.json", 3, theme.StateWrong)
	driver := fyne.CurrentApp().Driver()
	end := driver.AbsolutePositionForObject(s.Problems).X + s.Problems.Full().Width
	if at := driver.AbsolutePositionForObject(toast.box).X; at < end {
		t.Errorf("the toast begins at %v, and the problems end at %v", at, end)
	}
}
