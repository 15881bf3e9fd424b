package add

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/workbench-mcp/workbench-desktop/app/task"
)

// fakeExtension tells what is done with the files of an extension.
type fakeExtension struct {
	unpack func()
	remove func()
}

func (f *fakeExtension) Unpack(context.Context) (bool, error) {
	f.unpack()
	return true, nil
}

func (f *fakeExtension) Remove() error {
	f.remove()
	return nil
}

// Files that are being taken away do not meet those that are put in the same place: one waits for the other.
func TestExtensionsOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := task.New(func(f func()) { f() })
		s := NewService(ServiceOptions{Tasks: tasks})
		defer tasks.Cancel()
		slow, said := make(chan struct{}), make(chan string, 10)
		x := &fakeExtension{unpack: func() { said <- "there" }, remove: func() {
			<-slow
			said <- "gone"
		}}
		var remove func()
		s.unpack(t.Context(), x, func(f func(), _ error) { remove = f })
		synctest.Wait()
		remove()
		s.unpack(t.Context(), x, func(func(), error) {})
		synctest.Wait()
		if len(said) != 1 {
			t.Error("it is put there while it is taken away")
		}
		close(slow)
		tasks.Await()
		for _, want := range []string{"there", "gone", "there"} {
			if got := <-said; got != want {
				t.Errorf("it is %s instead of %s", got, want)
			}
		}
	})
}

// When the app ends just as an extension has been unpacked, nobody hears of it, and its files go at once.
func TestExtensionUnpackedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tasks := task.New(func(func()) {})
		s := NewService(ServiceOptions{Tasks: tasks})
		removed := false
		s.unpack(t.Context(), &fakeExtension{unpack: func() {
			tasks.Cancel()
			synctest.Wait()
		}, remove: func() { removed = true }}, func(func(), error) {})
		tasks.Await()
		if !removed {
			t.Error("its files stay")
		}
	})
}
