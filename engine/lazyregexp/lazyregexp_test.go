package lazyregexp

import (
	"sync"
	"testing"
)

// TestFirstUse holds that the first use compiles, whichever goroutine it is in.
func TestFirstUse(t *testing.T) {
	r := New(`^a(b+)$`)
	if r.compiled != nil {
		t.Error("it is compiled before it is used")
	}
	var using sync.WaitGroup
	for range 8 {
		using.Go(func() {
			if m := r.FindStringSubmatch("abb"); len(m) != 2 || m[1] != "bb" {
				t.Errorf("found %q", m)
			}
		})
	}
	using.Wait()
	if r.MatchString("a") {
		t.Error("it matches what it should not")
	}
}

// TestInvalid holds that a mistake in an expression does not go unseen.
func TestInvalid(t *testing.T) {
	r := New(`(`)
	for range 2 {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("using it does not panic")
				}
			}()
			r.MatchString("")
		}()
	}
}
