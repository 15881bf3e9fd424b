//go:build !windows

package link

// allowForeground does nothing: elsewhere any program may bring its window to the front, or none.
func allowForeground(int) {}
