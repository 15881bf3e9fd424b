package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// A click, Enter and the space bar turn a switch, which shows its state. A disabled switch does not change.
func TestSwitch(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	turned := 0
	s := NewSwitch("Sound", func(bool) { turned++ })
	window := test.NewWindow(s)
	defer window.Close()
	side := func() float32 { return s.thumb.Position().X }
	off := side()
	test.Tap(s)
	if !s.On() || turned != 1 || side() <= off || s.word.Text() != "On" || !s.Focused() {
		t.Errorf("after a click the switch is on: %v, turned %d times, at %v, and says %q", s.On(), turned, side(),
			s.word.Text())
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if !s.On() || turned != 3 {
		t.Errorf("after two keys, the switch is on: %v, turned %d times", s.On(), turned)
	}
	s.Follow(false)
	if s.On() || turned != 3 || side() != off {
		t.Error("Follow reports a change, or does not show it")
	}
	s.Disable()
	test.Tap(s)
	if s.On() || turned != 3 || !s.Disabled() {
		t.Error("a disabled switch was turned")
	}
}
