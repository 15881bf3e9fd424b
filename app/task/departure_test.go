package task

import (
	"testing"
	"time"
)

// If Fyne ends, the program ends by itself.
func TestTheProgramEndsWithFyne(t *testing.T) {
	exited := false
	finished := 0
	leave := NewDeparture(time.Hour, func() { finished++ }, func() { exited = true })
	leave.Begin()
	leave.Begin()
	leave.End()
	leave.Begin() // another part of the program ends it, too
	if leave.timer.Stop() {
		t.Error("the timer would end the program once more")
	}
	leave.without() // the timer had fired before Fyne ended
	if exited || finished != 1 {
		t.Errorf("exited: %v; everything else was ended %d times", exited, finished)
	}
}
