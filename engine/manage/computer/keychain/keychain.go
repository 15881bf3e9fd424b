// Package keychain stores the user's secrets, by name, in the system's keychain. Configurations refer to them
// there.
package keychain

import (
	"errors"
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrNone means that there is no secret with a name. It may be wrapped.
const ErrNone = words.Code("keychain.none")

// Store keeps secrets by name. A method may ask the user and block until the user has answered.
type Store interface {
	// Get returns a secret. The error is [ErrNone] if there is none.
	Get(name string) (string, error)
	// Set stores a secret and replaces an earlier one of the same name.
	Set(name, value string) error
	// Delete removes a secret. It is no error if there is none.
	Delete(name string) error
}

// System returns the system's keychain, limited to the entries of this user that belong to the program.
func System() Store { return system{} }

type system struct{}

func (system) Get(name string) (string, error) {
	value, err := keychain.Get(name)
	switch {
	case keychain.IsNotFound(err):
		return "", ErrNone
	case err != nil:
		return "", words.NewError("keychain.unusable", "Why", keychain.Explain(err))
	}
	return value, nil
}

func (system) Set(name, value string) error {
	keychain.Acted() // only a person stores a secret
	if err := keychain.Set(name, value); err != nil {
		return words.NewError("keychain.refused", "Name", name, "Why", keychain.Explain(err))
	}
	return nil
}

func (system) Delete(name string) error {
	keychain.Acted()
	if err := keychain.Delete(name); err != nil && !keychain.IsNotFound(err) {
		return words.NewError("keychain.unusable", "Why", keychain.Explain(err))
	}
	return nil
}

// Absent reports whether the system certainly has no keychain. It takes at most two seconds, and never asks
// for a password.
func Absent() bool { return keychain.Absent() }

// Names returns the names of the secrets in the system's keychain. Nobody is asked for a password. all is false if the
// keychain does not tell them, or not all of them.
func Names() (names []string, all bool) { return keychain.Names() }

// Has reports whether a keychain has a secret with a name.
func Has(s Store, name string) (bool, error) {
	_, err := s.Get(name)
	if errors.Is(err, ErrNone) {
		return false, nil
	}
	return err == nil, err
}

// maxTries is how many names Keep tries for one secret.
const maxTries = 100

// Keep stores a secret under the wished name, or under a similar one if that name holds another secret. It
// returns the name, and whether the secret was added; it is not added if it was there already.
func Keep(s Store, wish, value string) (name string, added bool, err error) {
	keychain.Acted()
	for i := 1; i <= maxTries; i++ {
		name = wish
		if i > 1 {
			name = fmt.Sprintf("%s-%d", wish, i)
		}
		held, err := s.Get(name)
		switch {
		case err == nil && held == value:
			return name, false, nil
		case err == nil:
			continue
		case !errors.Is(err, ErrNone):
			return "", false, err
		}
		if err := s.Set(name, value); err != nil {
			return "", false, err
		}
		return name, true, nil
	}
	return "", false, words.NewError("keychain.full", "Name", wish)
}
