package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// The chart describes each bar in words, for the mouse, the keyboard and screen readers, and draws every bar whose
// value is not 0.
func TestBars(t *testing.T) {
	test.NewTempApp(t)
	b := NewBars()
	window := test.NewWindow(b)
	defer window.Close()
	b.Set("App", "7 calls", []Bar{{0, "Monday: none"}, {1, "Tuesday: 1 call"}, {6000, "Wednesday: 6 calls"}}, 6000,
		"Monday", "Wednesday")
	window.Resize(fyne.NewSize(300, 120))
	if got := b.AccessibilityLabel(); got != "App, 7 calls" {
		t.Errorf("the label is %q", got)
	}
	says := func(want string) {
		t.Helper()
		if b.all.Text() != want || want != "7 calls" && !strings.HasSuffix(b.AccessibilityLabel(), want) {
			t.Errorf("the text is %q and the label %q, want %q", b.all.Text(), b.AccessibilityLabel(), want)
		}
	}
	at := func(x float32) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 50)}}
	}
	b.MouseIn(at(b.Size().Width / 2))
	says("Tuesday: 1 call")
	b.MouseMoved(at(1e6))
	says("Wednesday: 6 calls")
	b.MouseOut()
	says("7 calls")
	window.Canvas().Focus(b)
	says("Wednesday: 6 calls")
	for _, key := range []fyne.KeyName{fyne.KeyHome, fyne.KeyLeft, fyne.KeyRight} {
		b.TypedKey(&fyne.KeyEvent{Name: key})
	}
	says("Tuesday: 1 call")
	if none, one, most := b.rects.made[0].Size().Height, b.rects.made[1].Size().Height,
		b.rects.made[2].Size().Height; none != 0 || one < 1 || most < 10*one {
		t.Errorf("the bars are %v, %v and %v high", none, one, most)
	}
	b.Set("App", "none", nil, 0, "", "")
	b.MouseMoved(at(10))
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if got := b.AccessibilityLabel(); got != "App, none" {
		t.Errorf("without bars, the label is %q", got)
	}
}
