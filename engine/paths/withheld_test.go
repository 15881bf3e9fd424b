package paths

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// TestWithheld checks what is said when macOS keeps a folder from us.
func TestWithheld(t *testing.T) {
	for name, c := range map[string]struct {
		goos string
		err  error
		want bool
	}{
		"Documents": {"darwin", &fs.PathError{Op: "open", Path: "/Users/ada/Documents/x", Err: syscall.EPERM},
			true},
		"wrapped": {"darwin",
			fmt.Errorf("reading: %w", &fs.PathError{Op: "open", Path: "/x", Err: syscall.EPERM}), true},
		"the rights of a file":   {"darwin", &fs.PathError{Op: "open", Path: "/x", Err: syscall.EACCES}, false},
		"another system":         {"linux", &fs.PathError{Op: "open", Path: "/x", Err: syscall.EPERM}, false},
		"no error":               {"darwin", nil, false},
		"another error of macOS": {"darwin", syscall.EHOSTUNREACH, false},
	} {
		got := cause(c.goos, c.err)
		said := got != nil && strings.Contains(got.Error(), "System Settings › Privacy & Security")
		if withheld(c.goos, c.err) != c.want || said != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if c.want && !errors.Is(got, fs.ErrPermission) {
			t.Errorf("%s: the reason is lost", name)
		}
	}
}
