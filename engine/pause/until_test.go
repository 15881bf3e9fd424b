package pause

import (
	"testing"
	"time"
)

func TestUntil(t *testing.T) {
	if !Until(t.Context(), func() {}, time.Minute) {
		t.Error("what returns at once is not waited for")
	}
	never := make(chan struct{})
	defer close(never)
	if Until(t.Context(), func() { <-never }, time.Millisecond) {
		t.Error("what does not return has returned")
	}
}
