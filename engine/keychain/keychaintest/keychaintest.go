// Package keychaintest is for tests. It replaces the system's keychain by one in memory, and starts session buses of
// D-Bus.
package keychaintest

import (
	"testing"

	"github.com/zalando/go-keyring"
)

// Mock makes the test use an empty keychain in memory.
func Mock(t testing.TB) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // makes the package believe that there is a session
	keyring.MockInit()
}

// Fail makes the test use a keychain that always fails.
func Fail(t testing.TB, err error) {
	t.Helper()
	Mock(t)
	keyring.MockInitWithError(err)
}
