//go:build !windows

package ipc

// allowForeground does nothing: on other systems either every program may bring its window to the front, or
// none.
func allowForeground(int) {}
