package frame

import (
	"runtime"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// animations counts the animations that a driver is asked to run.
type animations struct {
	fyne.Driver
	begun int
}

func (a *animations) StartAnimation(*fyne.Animation) { a.begun++ }
func (a *animations) StopAnimation(*fyne.Animation)  {}

// moved is an app whose animations are counted.
type moved struct {
	fyne.App
	driver *animations
}

func (m moved) Driver() fyne.Driver { return m.driver }

// The caret of a field that has the keyboard does not blink, so that a window that nobody touches draws nothing.
func TestTheCaretStandsStill(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("there is always a graphics card")
	}
	real := test.NewTempApp(t)
	counted := &animations{Driver: real.Driver()}
	Still(moved{real, counted})
	t.Cleanup(func() { fyne.SetCurrentApp(real) })
	field := kit.NewInput("")
	window := real.NewWindow("")
	window.SetContent(field)
	window.Resize(fyne.NewSize(200, 100))
	window.Canvas().Focus(field)
	field.TypedRune('a')
	if !field.Focused() || counted.begun > 0 {
		t.Errorf("%d animations run while the field has the keyboard: %v", counted.begun, field.Focused())
	}
}
