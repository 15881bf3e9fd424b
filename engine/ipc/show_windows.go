package ipc

import "golang.org/x/sys/windows"

// allowForeground passes on the right to come to the front. Windows gives it to the program that the user has just started, which
// is this one, and lets any other only blink in the taskbar. Without it that is what happens.
func allowForeground(pid int) {
	if allow := user32Allow(); allow.Find() == nil {
		_, _, _ = allow.Call(uintptr(pid)) // it fails when there is no right to pass on
	}
}

func user32Allow() *windows.LazyProc {
	return windows.NewLazySystemDLL("user32.dll").NewProc("AllowSetForegroundWindow")
}
