package process

import (
	"golang.org/x/sys/windows"
)

// checkStub returns an error if a program is only a stub, which offers to install what it is named after.
func checkStub(path string, _ []string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil
	}
	attributes, err := windows.GetFileAttributes(name)
	if err != nil || attributes&windows.FILE_ATTRIBUTE_REPARSE_POINT == 0 {
		return nil
	}
	file, err := windows.CreateFile(name, 0, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_OPEN_REPARSE_POINT|windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return nil
	}
	defer windows.CloseHandle(file)
	data := make([]byte, windows.MAXIMUM_REPARSE_DATA_BUFFER_SIZE)
	var length uint32
	if windows.DeviceIoControl(file, windows.FSCTL_GET_REPARSE_POINT, nil, 0, &data[0], uint32(len(data)), &length,
		nil) != nil {
		return nil
	}
	if alias, ok := parseStoreAlias(data[:length]); ok && alias.isStub(path) {
		return storeStub(path)
	}
	return nil
}
