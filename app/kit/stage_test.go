package kit

import (
	"testing"

	"fyne.io/fyne/v2/test"
)

func TestStage(t *testing.T) {
	test.NewTempApp(t)
	a, b, once := NewText("a", TextStyle{}), NewText("b", TextStyle{}), NewText("once", TextStyle{})
	s := NewStage()
	if !s.Show(a) || s.Show(a) || !s.Show(b) || s.Shown() != b {
		t.Error("b is not shown")
	}
	if a.Visible() || !b.Visible() || len(s.Root.Objects) != 2 {
		t.Errorf("a is visible: %v; there are %d objects", a.Visible(), len(s.Root.Objects))
	}
	if !s.ShowOnce(once) || b.Visible() || !once.Visible() || len(s.Root.Objects) != 3 {
		t.Error("the object of ShowOnce is not shown")
	}
	if !s.Show(a) || !a.Visible() || len(s.Root.Objects) != 2 {
		t.Errorf("the object of ShowOnce is kept: %d", len(s.Root.Objects))
	}
}
