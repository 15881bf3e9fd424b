package signin

import (
	"errors"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Keychain stores short secrets for the user. It may ask the user, and block until the user has answered.
type Keychain interface {
	// Get returns a secret, or an error for which [keychain.IsNotFound] is true.
	Get(name string) (string, error)
	Set(name, value string) error
	// Delete deletes a secret. If there is none, it does nothing or fails.
	Delete(name string) error
}

// SystemKeychain returns the keychain of the operating system.
func SystemKeychain() Keychain { return keychain.Keys{} }

// The keychain holds a key for each sign-in instead of the tokens. Tokens can be larger than the limits of
// Windows (2560 bytes) and macOS (about 3000), and they change whenever they are renewed.

// keyName returns the name of a key in the keychain.
func keyName(resource string) string { return "oauth " + resource }

// seal encrypts a sign-in. It returns nil if there is no keychain.
func (s *Store) seal(resource string, plain []byte) []byte {
	if s.options.Keychain == nil {
		return nil
	}
	key, err := s.key(resource)
	if keychain.IsNotFound(err) || errors.Is(err, errBadKey) {
		key = keychain.NewKey()
		if err = s.options.Keychain.Set(keyName(resource), keychain.FormatKey(key)); err == nil {
			s.rememberKey(resource, key)
		}
	}
	if err != nil {
		return nil
	}
	return keychain.NewCipher(key).Seal(nil, nil, plain, []byte(resource))
}

// unseal decrypts a sign-in.
func (s *Store) unseal(resource string, sealed []byte) ([]byte, error) {
	if s.options.Keychain == nil {
		return nil, words.NewError("signin.keychain_unused")
	}
	for range 2 { // the key in memory may be out of date
		key, err := s.key(resource)
		if keychain.IsNotFound(err) || errors.Is(err, errBadKey) {
			return nil, errNoKey
		}
		if err != nil {
			return nil, words.NewError("signin.keychain_unread", "Why", err)
		}
		if plain, err := keychain.NewCipher(key).Open(nil, nil, sealed, []byte(resource)); err == nil {
			return plain, nil
		}
		s.forgetKey(resource)
	}
	return nil, errNoKey
}

const (
	errNoKey  = words.Code("signin.no_key")
	errBadKey = words.Code("signin.bad_key")
)

// key returns the key of a sign-in. It reads the keychain only the first time.
func (s *Store) key(resource string) ([]byte, error) {
	s.mu.Lock()
	key := s.keys[resource]
	s.mu.Unlock()
	if key != nil {
		return key, nil
	}
	text, err := s.options.Keychain.Get(keyName(resource))
	if err != nil {
		return nil, err
	}
	key, ok := keychain.ParseKey(text)
	if !ok {
		return nil, errBadKey
	}
	s.rememberKey(resource, key)
	return key, nil
}

func (s *Store) rememberKey(resource string, key []byte) {
	s.mu.Lock()
	s.keys[resource] = key
	s.mu.Unlock()
}

func (s *Store) forgetKey(resource string) {
	s.mu.Lock()
	delete(s.keys, resource)
	s.mu.Unlock()
}
