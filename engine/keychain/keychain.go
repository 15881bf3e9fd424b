// Package keychain reads and writes this program's entries in the system's keychain. It is the only package
// that does.
//
// A keychain may ask the person for a password whenever it is asked. So it is asked only when a secret is needed,
// and one that has refused is left alone: see [Acted].
package keychain

import (
	"errors"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Service is the service name of the user's secrets in the keychain.
const Service = "workbench"

// keyService is the service name of the program's own keys. No configuration can refer to them.
const keyService = "workbench-keys"

// IsNotFound reports whether an error means that the keychain has no secret with the name.
func IsNotFound(err error) bool { return errors.Is(err, keyring.ErrNotFound) }

// IsAbsent reports whether an error means that there is no keychain at all. A locked keychain is not absent.
func IsAbsent(err error) bool {
	err = Explain(err)
	return words.Is(err, "expand.keychain_no_session") || words.Is(err, "expand.keychain_no_program") ||
		words.Is(err, errNoLogon)
}

// Keys are the program's own keys in the system's keychain. No configuration can refer to them.
type Keys struct{}

// Get returns a key. Like the function [Get], it may ask the user.
func (Keys) Get(name string) (key string, err error) {
	err = system().ask(func() error {
		key, err = read(keyService, name)
		return err
	})
	return key, err
}

// Set stores a key under a name.
func (Keys) Set(name, value string) error {
	return system().ask(func() error { return write(keyService, name, value) })
}

// Delete removes a key. If there is none, [IsNotFound] is true for the error.
func (Keys) Delete(name string) error {
	return system().ask(func() error { return erase(keyService, name) })
}

// opened returns an error if the keychain cannot be reached or would ask for its password.
func opened() error {
	if err := reachable(); err != nil {
		return err
	}
	if tellsLocked && locked() {
		return errLocked
	}
	return nil
}

// Probe returns why the keychain cannot be used now. It asks for a secret that is not there, and nobody for a
// password: a locked keychain is an error.
func Probe() error {
	if err := opened(); err != nil {
		return err
	}
	if _, err := Get("workbench-doctor-asks-whether-you-are-there"); !IsNotFound(err) {
		return err
	}
	return nil
}

// Get returns the secret with a name. It may ask the user, and block until the user has answered. It never
// returns one of the program's own keys.
func Get(name string) (secret string, err error) {
	err = system().ask(func() error {
		secret, err = read(Service, name)
		return err
	})
	return secret, err
}

// Set stores a secret and replaces an earlier one of the same name.
func Set(name, value string) error {
	return system().ask(func() error { return write(Service, name, value) })
}

// Delete removes a secret. If there is none, [IsNotFound] is true for the error.
func Delete(name string) error {
	return system().ask(func() error { return erase(Service, name) })
}
