package approval

import (
	"context"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Keychain stores short secrets for the user. It may ask the user, and block until the user has answered.
type Keychain interface {
	// Get returns a secret, or an error for which [keychain.IsNotFound] or [keychain.IsAbsent] may be true.
	Get(name string) (string, error)
	Set(name, value string) error
}

// SystemKeychain returns the keychain of the operating system. No configuration can refer to these keys.
func SystemKeychain() Keychain { return keychain.Keys{} }

// key is the secret of one user. Without it, nobody can write a vault that is accepted, or tell which entry a
// fingerprint belongs to.
type key []byte

// home is where a key is stored. The zero home means that it is not known, as in a record of an earlier
// version.
type home string

// The homes of a key.
const (
	inKeychain home = "keychain"
	inFile     home = "file"
)

// located is a key with the place where it is stored.
type located struct {
	key  key // nil if there is none
	home home
}

// id returns a text that identifies a key and reveals nothing about it.
func (k key) id() string { return hex.EncodeToString(k.derive("id")[:8]) }

// errNoKey means that there is no key, neither in the keychain nor in its file.
const errNoKey = words.Code("approval.no_key")

// derive returns a key for one purpose.
func (k key) derive(purpose string) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// cipher returns a cipher that puts a random nonce before the text.
func (k key) cipher() cipher.AEAD { return keychain.NewCipher(k.derive("seal")) }

// findKey reads the key from the keychain, or from a file if there is no keychain or no key in it. A locked
// keychain is an error, since a key in the file could come from another program. For the same reason, a key
// that is known to be in the keychain is not read from the file.
func (v *vault) findKey(in home) (located, error) {
	err := error(words.Code("expand.no_keychain"))
	if v.keychain != nil {
		var text string
		text, err = v.keychain.Get(v.keyName())
		switch {
		case err == nil:
			found, ok := keychain.ParseKey(text)
			if !ok {
				return located{}, errNoKey
			}
			return located{found, inKeychain}, nil
		case !keychain.IsNotFound(err) && !keychain.IsAbsent(err):
			return located{}, words.NewError("approval.keychain_unread", "Why", keychain.Explain(err))
		}
	}
	switch {
	case in == inKeychain && keychain.IsNotFound(err):
		return located{}, errNoKey
	case in == inKeychain:
		return located{}, words.NewError("approval.keychain_unreachable", "Why", keychain.Explain(err))
	}
	found, err := readFile(v.keyFile(), keychain.KeyBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, atomicfile.ErrTooLarge), err == nil && len(found) != keychain.KeyBytes:
		return located{}, errNoKey
	case err != nil:
		return located{}, err
	}
	return located{found, inFile}, nil
}

// findOrMakeKey returns the key, and whether it was just made. A separate lock keeps two programs from both
// making one.
func (v *vault) findOrMakeKey() (found located, made bool, err error) {
	unlock, err := v.lockAs(context.Background(), v.keyFile()+".lock")
	if err != nil {
		return located{}, false, err
	}
	defer unlock()
	if found, err = v.findKey(""); !errors.Is(err, errNoKey) {
		return found, false, err
	}
	found, err = v.makeKey()
	return found, err == nil, err
}

// makeKey makes a key and stores it in the keychain, or else in a file that only the user can read.
func (v *vault) makeKey() (located, error) {
	made := key(keychain.NewKey())
	if v.keychain != nil && v.keychain.Set(v.keyName(), keychain.FormatKey(made)) == nil {
		return located{made, inKeychain}, nil
	}
	file, err := os.OpenFile(v.keyFile(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return located{}, err
	}
	err = file.Chmod(0o600) // there may have been a damaged file
	if err == nil {
		_, err = file.Write(made)
	}
	return located{made, inFile}, errors.Join(err, file.Sync(), file.Close())
}
