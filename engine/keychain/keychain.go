// Package keychain asks the keychain of the system for what the user keeps there for this program. It is the only package that does.
package keychain

import (
	"errors"

	"github.com/zalando/go-keyring"
)

// Service is the service under which the keychain has our secrets.
const Service = "workbench"

// IsNotFound reports whether an error says that the keychain answers and has no secret of that name.
func IsNotFound(err error) bool { return errors.Is(err, keyring.ErrNotFound) }

// Get returns the secret of a name. It may ask the user, and so take as long as the user does.
func Get(name string) (string, error) {
	if err := reachable(); err != nil {
		return "", err
	}
	return keyring.Get(Service, name)
}

// Set puts a secret under a name, whatever was there.
func Set(name, value string) error {
	if err := reachable(); err != nil {
		return err
	}
	return keyring.Set(Service, name, value)
}

// Delete takes a secret out. [IsNotFound] tells of a name that is not there.
func Delete(name string) error {
	if err := reachable(); err != nil {
		return err
	}
	return keyring.Delete(Service, name)
}
