package add

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/workbench-mcp/workbench-desktop/app/task"
)

// fakeExtension calls functions instead of unpacking and removing files.
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

// TestExtensionsOneAfterTheOther checks that unpacking waits while the files in the same folder are being removed.
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
			t.Error("the files are unpacked while they are being removed")
		}
		close(slow)
		tasks.Await()
		for _, want := range []string{"there", "gone", "there"} {
			if got := <-said; got != want {
				t.Errorf("the step is %s, want %s", got, want)
			}
		}
	})
}

// TestExtensionUnpackedAtTheEnd checks that the files are removed at once if the app ends just after an extension was
// unpacked.
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
			t.Error("its files are not removed")
		}
	})
}
