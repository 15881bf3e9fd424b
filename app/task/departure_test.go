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
	leave.Begin() // a second part of the program ends it, too
	if leave.timer.Stop() {
		t.Error("it would have ended once more")
	}
	leave.without() // it had begun before Fyne ended
	if exited || finished != 1 {
		t.Errorf("exited: %v; all else was ended %d times", exited, finished)
	}
}
