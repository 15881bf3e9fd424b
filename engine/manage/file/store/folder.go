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

// keyBytes is the length of the key for hashes, which is that of SHA-256.
const keyBytes = 32

// hasher makes the keyed hashes that replace secrets in the history. The key is random and is the same for
// all histories of the user, so that a hash tells nothing to somebody who has only the text of the history.
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

// randomHasher returns a hasher with a new random key.
func randomHasher() hasher {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	return hasher{key}
}

// readHasher returns the user's hasher without writing anything. If there is no key, it uses a temporary one:
// then there is no history either that could be compared.
func readHasher(folder string) hasher {
	if key, err := os.ReadFile(filepath.Join(folder, "key")); err == nil && len(key) == keyBytes {
		return hasher{key}
	}
	return randomHasher()
}

// openHasher returns the user's hasher. It reads the key from the folder of the histories, and makes one if
// there is none.
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
	// also for a damaged key: the secrets of old versions can then no longer be found by their hashes
	made := randomHasher()
	return made, replaceFile(name, made.key, key)
}
