package underwine

import "golang.org/x/sys/windows"

// Is reports whether this is Wine, whose ntdll.dll has a function that Windows does not have.
func Is() bool {
	return windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
}
