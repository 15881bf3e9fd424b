package keychain

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
)

// KeyBytes is the length of a key, for AES-256.
const KeyBytes = 32

// NewKey returns a random key.
func NewKey() []byte {
	key := make([]byte, KeyBytes)
	_, _ = rand.Read(key) // never fails
	return key
}

// FormatKey returns a key in the form in which a keychain stores it.
func FormatKey(key []byte) string { return base64.StdEncoding.EncodeToString(key) }

// ParseKey returns the key from the text in a keychain. ok is false if the text is no key.
func ParseKey(text string) (key []byte, ok bool) {
	key, err := base64.StdEncoding.DecodeString(text)
	return key, err == nil && len(key) == KeyBytes
}

// NewCipher returns a cipher with a key of [KeyBytes] bytes. It puts a random nonce before the encrypted
// text.
func NewCipher(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // the key has a wrong length
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES is not available
	}
	return gcm
}
