//go:build !windows

package underwine

// Is returns false: only Windows programs run under Wine.
func Is() bool { return false }
