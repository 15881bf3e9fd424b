package atomicfile

import (
	"io"
	"io/fs"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// adopt gives a new file what belongs to the old one: its own access rules, alternate streams, and attributes such as
// hidden. It is renamed over the old one afterwards, so that one of them is always there. ReplaceFileW would do both,
// but a program that is killed in it can leave no file at all.
//
// Errors are ignored: many network shares and foreign disks take none of it, and there the rules of the folder hold.
func adopt(target string, file *os.File, old fs.FileInfo) error {
	from, to := long(target), long(file.Name())
	adoptStreams(from, to)
	if data, ok := old.Sys().(*syscall.Win32FileAttributeData); ok {
		adoptAttributes(to, data.FileAttributes)
	}
	adoptAccess(from, to)
	return nil
}

// adoptAttributes gives a file the attributes that SetFileAttributes can give.
func adoptAttributes(path string, old uint32) {
	const kept = windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_ATTRIBUTE_SYSTEM | windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED
	name, err := windows.UTF16PtrFromString(path)
	if err != nil || old&kept == 0 {
		return
	}
	if now, err := windows.GetFileAttributes(name); err == nil {
		_ = windows.SetFileAttributes(name, now|old&kept)
	}
}

// adoptAccess gives a file another one's rules of its own, if it has any: those of its folder it has already.
func adoptAccess(from, to string) {
	descriptor, err := windows.GetNamedSecurityInfo(from, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return
	}
	control, _, err := descriptor.Control()
	if err != nil {
		return
	}
	list, _, err := descriptor.DACL()
	protected := control&windows.SE_DACL_PROTECTED != 0
	if err != nil || list == nil || !protected && !hasOwn(list) {
		return
	}
	what := windows.SECURITY_INFORMATION(
		windows.DACL_SECURITY_INFORMATION | windows.UNPROTECTED_DACL_SECURITY_INFORMATION)
	if protected {
		what = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
	}
	_ = windows.SetNamedSecurityInfo(to, windows.SE_FILE_OBJECT, what, nil, nil, list, nil)
}

// hasOwn reports whether an access list has a rule that is not of the folder.
func hasOwn(list *windows.ACL) bool {
	for i := range uint32(list.AceCount) {
		var rule *windows.ACCESS_ALLOWED_ACE // every kind of rule begins with the same header
		if windows.GetAce(list, i, &rule) == nil && rule.Header.AceFlags&windows.INHERITED_ACE == 0 {
			return true
		}
	}
	return false
}

var (
	findFirstStream = windows.NewLazySystemDLL("kernel32.dll").NewProc("FindFirstStreamW")
	findNextStream  = windows.NewLazySystemDLL("kernel32.dll").NewProc("FindNextStreamW")
)

// streamData is WIN32_FIND_STREAM_DATA.
type streamData struct {
	_    int64 // the size
	name [windows.MAX_PATH + 36]uint16
}

// adoptStreams copies alternate streams, such as the mark of a download.
func adoptStreams(from, to string) {
	name, err := windows.UTF16PtrFromString(from)
	if err != nil || findFirstStream.Find() != nil {
		return
	}
	var found streamData
	search, _, _ := findFirstStream.Call(uintptr(unsafe.Pointer(name)), 0, uintptr(unsafe.Pointer(&found)), 0)
	if windows.Handle(search) == windows.InvalidHandle {
		return
	}
	defer windows.FindClose(windows.Handle(search))
	for more := uintptr(1); more != 0; more, _, _ = findNextStream.Call(search, uintptr(unsafe.Pointer(&found))) {
		if stream := windows.UTF16ToString(found.name[:]); stream != "::$DATA" { // that is the text itself
			copyStream(from+stream, to+stream)
		}
	}
}

func copyStream(from, to string) {
	source, err := Open(from)
	if err != nil {
		return
	}
	defer source.Close()
	if target, err := os.Create(to); err == nil {
		_, _ = io.Copy(target, source)
		_ = target.Close()
	}
}
