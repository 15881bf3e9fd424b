// Package keychain asks the keychain of the system for what the user keeps there for this program. It is the only package that does.
package keychain

import (
	"errors"
	"strings"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Service is the service under which the keychain has our secrets.
const Service = "workbench"

// keyService is the service under which the keychain has keys that are the program's own. No configuration can refer to them.
const keyService = "workbench-keys"

// IsNotFound reports whether an error says that the keychain answers and has no secret of that name.
func IsNotFound(err error) bool { return errors.Is(err, keyring.ErrNotFound) }

// IsAbsent reports whether an error says that there is no keychain at all. One that is locked is there.
func IsAbsent(err error) bool {
	return words.Is(Explain(err), "expand.keychain_no_session") || words.Is(Explain(err), "expand.keychain_no_program")
}

// Keys are the program's own keys in the keychain of the system. No configuration can refer to them.
type Keys struct{}

// Get returns a key. It may ask the user, as the function [Get].
func (Keys) Get(name string) (string, error) {
	if err := reachable(); err != nil {
		return "", err
	}
	key, err := keyring.Get(keyService, name)
	if IsNotFound(err) && misplaced(name) {
		return moveKey(name)
	}
	return key, err
}

// Set puts a key under a name.
func (Keys) Set(name, value string) error {
	if err := reachable(); err != nil {
		return err
	}
	return keyring.Set(keyService, name, value)
}

// Delete takes a key out. [IsNotFound] tells of a name that is not there.
func (Keys) Delete(name string) error {
	if err := reachable(); err != nil {
		return err
	}
	if misplaced(name) {
		_ = keyring.Delete(Service, name) // mostly there is none
	}
	return keyring.Delete(keyService, name)
}

// misplaced reports whether a name is that of a key which earlier versions kept among the secrets.
func misplaced(name string) bool {
	return strings.HasPrefix(name, "oauth https://") || strings.HasPrefix(name, "oauth http://")
}

// moveKey takes a key from among the secrets to where it belongs.
func moveKey(name string) (string, error) {
	key, err := keyring.Get(Service, name)
	if err != nil {
		return "", err
	}
	if keyring.Set(keyService, name, key) == nil {
		_ = keyring.Delete(Service, name) // [Get] does not return it in any case
	}
	return key, nil
}

// Get returns the secret of a name. It may ask the user, and so take as long as the user does. It never returns a key of the program's own.
func Get(name string) (string, error) {
	if err := reachable(); err != nil {
		return "", err
	}
	if misplaced(name) {
		return "", keyring.ErrNotFound
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
