//go:build unix

package app

import (
	"syscall"
	"testing"
)

// A pipe in place of a file of ours keeps nothing waiting.
func TestPipeInPlaceOfAFile(t *testing.T) {
	b := newBench(t, oneServer, func(o *Options) {
		if err := syscall.Mkfifo(o.Unapplied, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	b.detail.SayUnapplied()
	b.detail.NoteFile("a")
	b.tasks.Wait()
}
