package pause

import "time"

// Until waits until wait has returned, but no longer than the patience, and reports whether it has. A wait that never returns goes on in the
// background until the program ends.
func Until(wait func(), patience time.Duration) bool {
	done := make(chan struct{})
	go func() {
		wait()
		close(done)
	}()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-done:
		return true
	case <-timeout.C:
		return false
	}
}
