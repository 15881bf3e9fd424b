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

// FormatKey returns a key as a keychain holds it.
func FormatKey(key []byte) string { return base64.StdEncoding.EncodeToString(key) }

// ParseKey returns the key that a keychain holds. It is not ok when the text is not a key.
func ParseKey(text string) (key []byte, ok bool) {
	key, err := base64.StdEncoding.DecodeString(text)
	return key, err == nil && len(key) == KeyBytes
}

// NewCipher encrypts with a key of [KeyBytes], and puts a random nonce before the text.
func NewCipher(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // the key has another length
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // no AES
	}
	return gcm
}
