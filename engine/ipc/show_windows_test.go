package ipc

import (
	"os"
	"testing"
)

// The system has what the right is passed on with, and a process that is not there does no harm.
func TestAllowForeground(t *testing.T) {
	if user32Allow().Find() != nil {
		t.Error("Windows has no AllowSetForegroundWindow")
	}
	allowForeground(os.Getpid())
	allowForeground(1 << 30)
}
