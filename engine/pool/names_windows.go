package pool

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// namesIn returns the names of pipes. [os.ReadDir] is for folders, and this is none. Wine lists no pipes.
func namesIn(folder string) ([]string, error) {
	pattern, err := windows.UTF16PtrFromString(folder + "*")
	if err != nil {
		return nil, err
	}
	var data windows.Win32finddata
	search, err := windows.FindFirstFile(pattern, &data)
	if err != nil {
		return nil, os.NewSyscallError("FindFirstFile", err)
	}
	defer windows.FindClose(search)
	var names []string
	for err == nil {
		names = append(names, windows.UTF16ToString(data.FileName[:]))
		err = windows.FindNextFile(search, &data)
	}
	if errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		err = nil
	}
	return names, err
}
