// Package keychaintest puts a keychain in memory in the place of the system's, for tests.
package keychaintest

import (
	"testing"

	"github.com/zalando/go-keyring"
)

// Mock has the test use an empty keychain in memory.
func Mock(t testing.TB) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // there is a session, as far as is asked
	keyring.MockInit()
}

// Fail has the test use a keychain that always fails.
func Fail(t testing.TB, err error) {
	t.Helper()
	Mock(t)
	keyring.MockInitWithError(err)
}
