//go:build windows || darwin

package keychain

// reachable returns nil: the system always has a keychain.
func reachable() error { return nil }

// Absent returns false: the system always has a keychain.
func Absent() bool { return false }
