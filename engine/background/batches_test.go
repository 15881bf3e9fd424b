package background

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestBatches: what comes in between is written together, a failure is repeated, a panic ends nothing, and the end
// writes what is left.
func TestBatches(t *testing.T) {
	logged(t)
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		answers := []func() bool{
			func() bool { return true },
			func() bool { return false },
			func() bool { panic("a mistake") },
			func() bool { return true },
			func() bool { return true },
		}
		b := NewBatches(func() bool {
			at = append(at, time.Since(began))
			return answers[len(at)-1]()
		}, time.Second, 5*time.Second, 30*time.Second)
		for range 10 {
			b.Wake()
		}
		time.Sleep(2 * time.Second)
		b.Wake() // written 5 s later, fails, and is tried again twice
		time.Sleep(2 * time.Minute)
		b.Wake()
		synctest.Wait()
		b.Close(time.Minute)
		b.Wake() // too late
		synctest.Wait()
		want := []time.Duration{time.Second, 7 * time.Second, 37 * time.Second, 67 * time.Second, 122 * time.Second}
		if len(at) != len(want) {
			t.Fatalf("it was written at %v, want %v", at, want)
		}
		for i := range want {
			if at[i] != want[i] {
				t.Errorf("it was written at %v, want %v", at, want)
			}
		}
	})
}

// TestBatchesOfADeadDisk: the end does not wait for a disk that never answers.
func TestBatchesOfADeadDisk(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	b := NewBatches(func() bool { <-never; return true }, 0, 0, 0)
	b.Wake()
	b.Close(time.Millisecond)
}
