//go:build !windows && !darwin

package keychain

// IsLocked is locked, for tests on a bus.
func IsLocked() bool { return locked() }
