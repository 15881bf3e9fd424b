package task

import "testing"

// After Stop, a function that is still queued does nothing.
func TestNothingReachesAStoppedWindow(t *testing.T) {
	tasks := New(func(f func()) { f() })
	calls := 0
	tasks.Do(func() { calls++ })
	tasks.Stop()
	tasks.Do(func() { calls++ })
	if calls != 1 {
		t.Errorf("%d calls, want the one before the end", calls)
	}
}
