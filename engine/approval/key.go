package approval

import (
	"context"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Keychain keeps short secrets for the user. It may ask the user, and so take as long as the user does.
type Keychain interface {
	// Get returns a secret, or an error for which [keychain.IsNotFound] or [keychain.IsAbsent] may be true.
	Get(name string) (string, error)
	Set(name, value string) error
}

// SystemKeychain is that of the operating system. No configuration can refer to what is kept there.
func SystemKeychain() Keychain { return keychain.Keys{} }

// key is the secret of one user. Nobody without it can write what a vault reads, or tell which entry a fingerprint is of.
type key []byte

// home is where a key is kept. The zero home is not known, as of a record that an earlier version wrote.
type home string

// The homes of a key.
const (
	inKeychain home = "keychain"
	inFile     home = "file"
)

// located is a key and where it is kept.
type located struct {
	key  key // nil: there is none
	home home
}

// id tells a key from others and says nothing of it.
func (k key) id() string { return hex.EncodeToString(k.derive("id")[:8]) }

// errNoKey says that there is no key, neither in the keychain nor in its file.
const errNoKey = words.Code("approval.no_key")

// derive returns a key for one purpose.
func (k key) derive(purpose string) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// cipher encrypts, with a random nonce before the text.
func (k key) cipher() cipher.AEAD { return keychain.NewCipher(k.derive("seal")) }

// findKey looks for the key in the keychain, and in a file where there is no keychain or nothing in it. A keychain that is locked is an error:
// a key from the file could be that of another program. For the same reason a key that is known to be in the keychain is looked for nowhere
// else.
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
	file, err := os.Open(v.keyFile())
	if errors.Is(err, fs.ErrNotExist) {
		return located{}, errNoKey
	}
	if err != nil {
		return located{}, err
	}
	defer file.Close()
	found, err := io.ReadAll(io.LimitReader(file, keychain.KeyBytes+1))
	if err != nil {
		return located{}, err
	}
	if len(found) != keychain.KeyBytes {
		return located{}, errNoKey
	}
	return located{found, inFile}, nil
}

// findOrMakeKey returns the key, and whether it was made just now. A lock of its own has two programs not make two.
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

// makeKey makes a key and keeps it in the keychain, else in a file that only the user can read.
func (v *vault) makeKey() (located, error) {
	made := key(keychain.NewKey())
	if v.keychain != nil && v.keychain.Set(v.keyName(), keychain.FormatKey(made)) == nil {
		return located{made, inKeychain}, nil
	}
	file, err := os.OpenFile(v.keyFile(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return located{}, err
	}
	err = file.Chmod(0o600) // of a damaged one that was there
	if err == nil {
		_, err = file.Write(made)
	}
	return located{made, inFile}, errors.Join(err, file.Sync(), file.Close())
}
