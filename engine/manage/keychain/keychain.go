// Package keychain keeps the user's secrets where configurations refer to them: in the keychain of the system, by name.
package keychain

import (
	"errors"
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrNone is the reason, perhaps wrapped, when there is nothing under a name.
const ErrNone = words.Code("keychain.none")

// Store keeps secrets by name. A method may ask the user, and so take as long as the user does.
type Store interface {
	// Get returns a secret; the error is [ErrNone] when there is none.
	Get(name string) (string, error)
	// Set puts a secret under a name, whatever was there.
	Set(name, value string) error
	// Delete takes a secret out. One that is not there is no error.
	Delete(name string) error
}

// System returns the keychain of the system, with the entries of this user that belong to the program.
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
	if err := keychain.Set(name, value); err != nil {
		return words.NewError("keychain.refused", "Name", name, "Why", keychain.Explain(err))
	}
	return nil
}

func (system) Delete(name string) error {
	if err := keychain.Delete(name); err != nil && !keychain.IsNotFound(err) {
		return words.NewError("keychain.unusable", "Why", keychain.Explain(err))
	}
	return nil
}

// Absent reports whether it is certain that the system has no keychain. It takes two seconds at most, and asks nobody for a password.
func Absent() bool { return keychain.Absent() }

// Has reports whether a keychain has a secret of a name.
func Has(s Store, name string) (bool, error) {
	_, err := s.Get(name)
	if errors.Is(err, ErrNone) {
		return false, nil
	}
	return err == nil, err
}

// maxTries is how many names are tried for one secret.
const maxTries = 100

// Keep puts a secret under the name that is wished for, or under one like it when that holds something else. It returns the name, and
// whether the secret was not there already.
func Keep(s Store, wish, value string) (name string, added bool, err error) {
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
