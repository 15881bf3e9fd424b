package pause

import (
	"testing"
	"time"
)

func TestUntil(t *testing.T) {
	if !Until(t.Context(), func() {}, time.Minute) {
		t.Error("Until did not wait for a function that returns at once")
	}
	never := make(chan struct{})
	defer close(never)
	if Until(t.Context(), func() { <-never }, time.Millisecond) {
		t.Error("Until is true for a function that does not return")
	}
}
