package built

import (
	"os"
	"testing"
	"time"
)

// removeTime is how long a program may go on writing into a folder after its test.
const removeTime = 30 * time.Second

// Folder returns a new folder, which is removed at the end of the test. Unlike that of [testing.T.TempDir] it may be
// the home of programs that outlive the test for a moment, such as the host of shared servers: while they write, it is
// removed again.
func Folder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "wb-home")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := os.RemoveAll(folder)
		for deadline := time.Now().Add(removeTime); err != nil && time.Now().Before(deadline); err = os.RemoveAll(folder) {
			time.Sleep(50 * time.Millisecond)
		}
		if err != nil {
			t.Error(err)
		}
	})
	return folder
}
