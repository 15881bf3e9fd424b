package foreign

import (
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// processorTime returns the processor time that this program has used.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		t.Fatal(err)
	}
	steps := func(f windows.Filetime) int64 { return int64(f.HighDateTime)<<32 + int64(f.LowDateTime) } // of 100 ns
	return time.Duration(100 * (steps(kernel) + steps(user)))
}
