//go:build !windows

package underwine

// Is reports whether this is Wine, which only programs for Windows can run under.
func Is() bool { return false }
