package ipc

import "golang.org/x/sys/windows"

// allowForeground passes on the right to come to the front. Windows gives it only to the program that the
// user has just started, which is this one. Without it, the app's window would only blink in the taskbar.
func allowForeground(pid int) {
	if allow := user32Allow(); allow.Find() == nil {
		_, _, _ = allow.Call(uintptr(pid)) // fails if there is no right to pass on
	}
}

func user32Allow() *windows.LazyProc {
	return windows.NewLazySystemDLL("user32.dll").NewProc("AllowSetForegroundWindow")
}
