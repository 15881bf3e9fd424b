package signin

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Keychain keeps short secrets for the user. It may ask the user, and so take as long as the user does.
type Keychain interface {
	// Get returns a secret, or an error for which [keychain.IsNotFound] is true.
	Get(name string) (string, error)
	Set(name, value string) error
	// Delete deletes a secret. That of one that is not there does nothing, or fails.
	Delete(name string) error
}

// SystemKeychain is that of the operating system.
func SystemKeychain() Keychain { return systemKeychain{} }

type systemKeychain struct{}

func (systemKeychain) Get(name string) (string, error) { return keychain.GetKey(name) }
func (systemKeychain) Set(name, value string) error    { return keychain.SetKey(name, value) }
func (systemKeychain) Delete(name string) error        { return keychain.DeleteKey(name) }

// The keychain has a key for each sign-in and not the tokens, which are larger than what Windows (2560 bytes) and macOS (about
// 3000) take, and which change whenever they are renewed.

// keyBytes is the length of a key, for AES-256.
const keyBytes = 32

// keyName is the name of a key in the keychain.
func keyName(resource string) string { return "oauth " + resource }

// seal encrypts a sign-in. It returns nil when there is no keychain.
func (s *Store) seal(resource string, plain []byte) []byte {
	if s.options.Keychain == nil {
		return nil
	}
	key, err := s.key(resource)
	if keychain.IsNotFound(err) || errors.Is(err, errBadKey) {
		key = make([]byte, keyBytes)
		_, _ = rand.Read(key) // never fails
		if err = s.options.Keychain.Set(keyName(resource), base64.StdEncoding.EncodeToString(key)); err == nil {
			s.rememberKey(resource, key)
		}
	}
	if err != nil {
		return nil
	}
	return newGCM(key).Seal(nil, nil, plain, []byte(resource))
}

// unseal decrypts a sign-in.
func (s *Store) unseal(resource string, sealed []byte) ([]byte, error) {
	if s.options.Keychain == nil {
		return nil, words.NewError("signin.keychain_unused")
	}
	for range 2 { // the key that we remember may be an old one
		key, err := s.key(resource)
		if keychain.IsNotFound(err) || errors.Is(err, errBadKey) {
			return nil, errNoKey
		}
		if err != nil {
			return nil, words.NewError("signin.keychain_unread", "Why", err)
		}
		if plain, err := newGCM(key).Open(nil, nil, sealed, []byte(resource)); err == nil {
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

// key returns the key of a sign-in, from the keychain the first time.
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
	if key, err = base64.StdEncoding.DecodeString(text); err != nil || len(key) != keyBytes {
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

// newGCM puts a random nonce before what it encrypts.
func newGCM(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // of another length than keyBytes
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // no AES
	}
	return gcm
}
