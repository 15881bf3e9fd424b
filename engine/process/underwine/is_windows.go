package underwine

import "golang.org/x/sys/windows"

// Is reports whether this is Wine. Its ntdll.dll has a function for that, which Windows does not have.
func Is() bool {
	return windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
}
