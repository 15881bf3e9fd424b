package doctor

import (
	"os"

	"golang.org/x/sys/windows"
)

// freeSpace returns how many bytes the user can still write into a folder.
func freeSpace(folder string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, err
	}
	return free, nil
}

// writable reports whether a file or folder can be written. It tries to, since access control lists are hard
// to evaluate.
func writable(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if info.IsDir() {
		file, err := os.CreateTemp(path, ".workbench-doctor-*")
		if err != nil {
			return false
		}
		file.Close()
		return os.Remove(file.Name()) == nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return false
	}
	return file.Close() == nil
}
