package atomicfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// Open opens a file for reading, so that other programs may replace or delete it meanwhile: [os.Open] would keep an editor from saving
// it, and would itself be kept from opening it while one puts the new file into its place. A program that wants the file for
// itself alone is waited for.
func Open(path string) (*os.File, error) {
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	const patience, pause = time.Second, 10 * time.Millisecond
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		handle, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
		switch {
		case err == nil:
			return os.NewFile(uintptr(handle), path), nil
		case !errors.Is(err, windows.ERROR_SHARING_VIOLATION) || time.Now().After(end):
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}
