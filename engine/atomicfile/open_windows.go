package atomicfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// Open opens a file for reading so that other programs may replace or delete it meanwhile. With [os.Open], an
// editor could not save the file while it is open, and Open would fail while an editor replaces it. If a
// program has opened the file exclusively, Open waits for it.
func Open(path string) (*os.File, error) {
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	name, err := windows.UTF16PtrFromString(long(path))
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	const patience, pause = time.Second, 10 * time.Millisecond
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		handle, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING,
			windows.FILE_ATTRIBUTE_NORMAL, 0)
		switch {
		case err == nil:
			return os.NewFile(uintptr(handle), path), nil
		case !errors.Is(err, windows.ERROR_SHARING_VIOLATION) || time.Now().After(end):
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}
