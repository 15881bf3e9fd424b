package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// keyBytes is the length of the key for hashes, that of SHA-256.
const keyBytes = 32

// hasher makes the keyed hashes that stand in the history for what is not to be read there. The key
// is random and one for the user, so a hash says nothing to whoever has only the history's text.
type hasher struct {
	key []byte
}

// secret returns the hash of a secret value: 16 hexadecimal digits.
func (h hasher) secret(value string) string { return h.sum("secret", value)[:16] }

// file returns the hash of a whole file.
func (h hasher) file(source []byte) string { return h.sum("file", string(source)) }

func (h hasher) sum(purpose, text string) string {
	mac := hmac.New(sha256.New, h.key)
	mac.Write([]byte(purpose + "\x00" + text))
	return hex.EncodeToString(mac.Sum(nil))
}

// randomHasher returns one whose hashes mean nothing to any other.
func randomHasher() hasher {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	return hasher{key}
}

// readHasher returns the hasher of the user without writing anything: with the key that is there, else
// with one that is forgotten again. Then there is no history either whose hashes could be asked for.
func readHasher(folder string) hasher {
	if key, err := os.ReadFile(filepath.Join(folder, "key")); err == nil && len(key) == keyBytes {
		return hasher{key}
	}
	return randomHasher()
}

// openHasher returns the hasher of the user, with the key from the folder of the histories, which
// is made when there is none.
func openHasher(ctx context.Context, folder string) (hasher, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return hasher{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock := flock.New(filepath.Join(folder, "key.lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil && ctx.Err() != nil {
		return hasher{}, errBusy
	}
	defer lock.Close()
	name := filepath.Join(folder, "key")
	key, err := os.ReadFile(name)
	switch {
	case err == nil && len(key) == keyBytes:
		return hasher{key}, nil
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return hasher{}, err
	}
	made := randomHasher() // for a damaged key too: secrets can't be told by their hashes any more then
	return made, replaceFile(name, made.key, key)
}
