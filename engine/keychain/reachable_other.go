//go:build windows || darwin

package keychain

// reachable returns nil: the system always has a keychain.
func reachable() error { return nil }

// Absent returns false: the system always has a keychain.
func Absent() bool { return false }

// tellsLocked is whether the system says that the keychain is locked without asking for its password.
const tellsLocked = false

// locked returns true: the system does not say it without asking. So a keychain whose question was cancelled is asked
// again only when the person has acted.
func locked() bool { return true }

// Names returns the names of the user's secrets in the keychain. all is always false, because this system does not
// tell them.
func Names() (names []string, all bool) { return nil, false }
