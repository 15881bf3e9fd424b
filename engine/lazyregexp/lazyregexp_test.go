package lazyregexp

import (
	"sync"
	"testing"
)

// TestFirstUse: an expression is compiled when it is first used, in whichever goroutine.
func TestFirstUse(t *testing.T) {
	r := New(`^a(b+)$`)
	if r.compiled != nil {
		t.Error("the expression is compiled before it is used")
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
		t.Error("the expression matches a text that it should not match")
	}
}

// TestInvalid: a mistake in an expression is noticed.
func TestInvalid(t *testing.T) {
	r := New(`(`)
	for range 2 {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("using an invalid expression does not panic")
				}
			}()
			r.MatchString("")
		}()
	}
}
