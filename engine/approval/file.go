package approval

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// files has the path of the record. Its key and its lock are in the same folder.
type files struct{ path string }

func (f files) keyFile() string  { return filepath.Join(filepath.Dir(f.path), "approvals.key") }
func (f files) lockFile() string { return f.path + ".lock" }

// used reports whether a person has ever approved something here. There is then a record, its key, or the lock that
// the first change has made.
func (f files) used() bool { return f.wrote() || exists(f.lockFile()) }

// wrote reports whether there is a record or its key.
func (f files) wrote() bool { return exists(f.path) || exists(f.keyFile()) }

// exists reports whether there is a file, even one that cannot be read. A folder of another user has no files of ours.
func exists(path string) bool {
	_, err := os.Lstat(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err == nil
	}
	_, err = os.Lstat(filepath.Dir(path))
	return err == nil
}

// maxFile is the largest record that is read, in bytes.
const maxFile = 16 << 20

// format is the format of the record.
const format = 2

// envelope is the content of the file.
type envelope struct {
	Format int             `json:"format"`
	MAC    []byte          `json:"mac,omitempty"` // of the record, with the key
	Record json.RawMessage `json:"record,omitempty"`
}

// Errors of a record that cannot be used.
const (
	errMissing = words.Code("approval.missing")
	errDamaged = words.Code("approval.damaged")
	errNoKey   = words.Code("approval.no_key")
)

// read reads the record.
func (f files) read() *state {
	s := &state{from: f, unused: !f.used()}
	if s.unused {
		return s
	}
	s.seen, _ = os.Stat(f.path) // before reading, so that a later change is noticed
	if s.key, s.lost = f.readKey(); errors.Is(s.lost, errNoKey) && s.seen == nil {
		s.lost = errMissing
	}
	raw, err := readFile(f.path, maxFile)
	var e envelope
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.lost = errMissing
	case err != nil:
		s.lost = err
	case json.Unmarshal(raw, &e) != nil:
		s.lost = errDamaged
	case s.lost != nil: // the record cannot be checked without the key
	case e.Format != format || !hmac.Equal(e.MAC, s.key.mac(e.Record)) || json.Unmarshal(e.Record, &s.record) != nil:
		s.lost, s.record = errDamaged, record{}
	}
	return s.sum()
}

// sum computes the other fields from the record.
func (s *state) sum() *state {
	s.approved = make(map[string]bool, len(s.record.Places))
	for _, p := range s.record.Places {
		s.approved[p.Print] = true
	}
	return s
}

// write replaces the record. s is the current state, which has a key and was read with the lock held.
func (f files) write(s *state, r record) (*state, error) {
	plain, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(envelope{Format: format, MAC: s.key.mac(plain), Record: plain})
	if err != nil {
		return nil, err
	}
	if kept, _ := f.readKey(); !bytes.Equal(kept, s.key) {
		if err := replace(f.keyFile(), s.key); err != nil {
			return nil, err
		}
	}
	if err := replace(f.path, text); err != nil {
		return nil, err
	}
	seen, err := os.Stat(f.path)
	if err != nil {
		return nil, err
	}
	return (&state{from: f, seen: seen, key: s.key, record: r}).sum(), nil
}

// replace replaces a file that only the user may read. If it exists and cannot be read, such as a folder, it is
// renamed first.
func replace(path string, text []byte) error {
	before, err := readFile(path, maxFile)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			aside := path + ".damaged"
			_ = os.RemoveAll(aside)
			if err := os.Rename(path, aside); err != nil {
				return err
			}
		}
		before = nil
	}
	if err := atomicfile.Replace(path, text, before); err != nil {
		return err
	}
	return os.Chmod(path, 0o600) // a file that was there keeps its mode
}

// readFile reads a file of at most most bytes. Anything but a regular file is an error.
func readFile(path string, most int64) ([]byte, error) {
	raw, err := atomicfile.Read(path, most)
	switch {
	case errors.Is(err, atomicfile.ErrIsFolder), errors.Is(err, atomicfile.ErrNotAFile):
		return nil, words.NewError("approval.not_a_file", "File", path).Because(err)
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, words.NewError("approval.too_large", "File", path).Because(err)
	}
	return raw, err
}

// key is the secret of one user for fingerprints and for the MAC of the record. It prevents programs and agents that
// write files from making a valid record by accident or by imitation. It does not stop a program that reads the key.
type key []byte

func newKey() key { return keychain.NewKey() }

// readKey reads the key. The error is [errNoKey] if there is none.
func (f files) readKey() (key, error) {
	found, err := readFile(f.keyFile(), keychain.KeyBytes)
	switch {
	case err == nil && len(found) == keychain.KeyBytes:
		return found, nil
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, atomicfile.ErrTooLarge):
		return nil, errNoKey
	}
	return nil, err
}

// derive returns a key for one purpose.
func (k key) derive(purpose string) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

func (k key) mac(text []byte) []byte {
	mac := hmac.New(sha256.New, k.derive("record"))
	mac.Write(text)
	return mac.Sum(nil)
}

const (
	// lockPatience is how long to wait while another program of ours makes a change, which takes a few
	// milliseconds.
	lockPatience = 10 * time.Second
	lockPause    = 5 * time.Millisecond
)

// lock keeps other programs of ours from changing the record until unlock is called.
func (f files) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock := flock.New(f.lockFile(), flock.SetPermissions(0o600))
	if locked, err := lock.TryLockContext(ctx, lockPause); !locked && ctx.Err() != nil {
		return nil, words.NewError("approval.busy", "File", f.path).Because(err)
	}
	return func() { _ = lock.Close() }, nil // a lock that is not available is skipped
}
