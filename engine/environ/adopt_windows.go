package environ

import (
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// Adopt gives this process, and so all that it starts, the variables that the user has and its parent has kept
// back. Call it first.
func Adopt() {
	user, err := windows.GetCurrentProcessToken().Environ(false)
	if err != nil {
		user = nil // what is set can be put in order all the same
	}
	env := merge(os.Environ(), user)
	if home := paths.Here(func(name string) string {
		return valueOf(env, name)
	}); packaged() || isFolder(filepath.Join(home.LocalAppData(), claudesPackage)) {
		// Also outside the package, so that what the window has tried is what the app gets.
		env = append(env, outsideAppData(env, home)...)
	}
	for _, entry := range env {
		if name, value, ok := strings.Cut(entry, "="); ok && name != "" && os.Getenv(name) != value {
			_ = os.Setenv(name, value) // fails for what no environment can hold
		}
	}
}

// packaged reports whether this process belongs to an app from the Store, as those that it starts do.
func packaged() bool {
	get := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetCurrentPackageFullName")
	if get.Find() != nil {
		return false
	}
	var length uint32
	result, _, _ := get.Call(uintptr(unsafe.Pointer(&length)), 0)
	return windows.Errno(result) == windows.ERROR_INSUFFICIENT_BUFFER // the name is longer than nothing
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// claudesPackage is the folder below LOCALAPPDATA that exists if Claude Desktop is the one from the Store.
const claudesPackage = `Packages\Claude_pzs8sxrjxfjjc`
