package ipc

import (
	"os"
	"sync/atomic"
	"testing"
)

// TestShowPassesTheForegroundOn: the app gets the right to come to the front before it is asked to show its
// window, since afterwards it would be too late.
func TestShowPassesTheForegroundOn(t *testing.T) {
	at := endpoint(t)
	var shown atomic.Bool
	_, stop := startHub(t, HubOptions{Endpoint: at, OnShow: func(string) { shown.Store(true) }})
	defer stop()
	var allowed []int
	err := show(t.Context(), at, "", func(pid int) {
		allowed = append(allowed, pid)
		if shown.Load() {
			t.Error("the window is shown already")
		}
	})
	if err != nil || !shown.Load() {
		t.Errorf("shown: %v, %v", shown.Load(), err)
	}
	if len(allowed) != 1 || allowed[0] != os.Getpid() {
		t.Errorf("allowed are the processes %v, want [%d]", allowed, os.Getpid())
	}
}
