package ipc

import (
	"os"
	"testing"
)

// TestAllowForeground: the function of the system exists, and a process that does not exist does no harm.
func TestAllowForeground(t *testing.T) {
	if user32Allow().Find() != nil {
		t.Error("Windows has no AllowSetForegroundWindow")
	}
	allowForeground(os.Getpid())
	allowForeground(1 << 30)
}
