package approval

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
)

// An earlier version sealed the record, with a key in the keychain or in the key file. Who first reads such a record
// takes it over: it is written again with the same key, which is then in the key file, so that nobody is asked again
// about what was approved.

// keychainPatience is how long the keychain may take to give the key.
const keychainPatience = 2 * time.Second

// open reads a sealed record.
//
// If the keychain does not give the key, because it is locked, refuses or cannot be reached, then nothing is known.
// In that case no entry waits until the window starts, which takes what is in the configuration as approved, as it
// does the first time. Asking about all servers at once would teach people to answer without reading.
func (s *state) open(e envelope, oldKey func(name string) (string, error)) *state {
	s.lost = nil
	if s.key == nil {
		found, err := s.from.keyFromKeychain(oldKey)
		switch {
		case errors.Is(err, errNoKey):
			s.lost = errNoKey
			return s.sum()
		case err != nil:
			s.unused = true
			return s
		}
		s.key = found
	}
	plain, err := keychain.NewCipher(s.key.derive("seal")).Open(nil, nil, e.Sealed, []byte(filepath.Base(s.from.path)))
	if err != nil || json.Unmarshal(plain, &s.record) != nil {
		s.lost, s.record = errDamaged, record{}
		return s.sum()
	}
	s.sealed = true
	return s.sum()
}

// takeOver writes a sealed record in the present form, unless another program has done that meanwhile. If it cannot
// be written, for example on a disk that is full, it stays as it is.
func (f files) takeOver(s *state) *state {
	unlock, err := f.lock(context.Background())
	if err != nil {
		return s
	}
	defer unlock()
	if seen, _ := os.Stat(f.path); !atomicfile.Unchanged(s.seen, seen) {
		return f.read(nil)
	}
	if written, err := f.write(s, s.record); err == nil {
		return written
	}
	return s
}

// keyFromKeychain returns the key that an earlier version has stored in the keychain. The error is [errNoKey] if the
// keychain answers that it has none.
func (f files) keyFromKeychain(oldKey func(name string) (string, error)) (key, error) {
	if oldKey == nil {
		return nil, context.Canceled
	}
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	background.Go(func() {
		var a answer
		a.err = background.Catch(func() (err error) {
			a.text, err = oldKey("approvals " + filepath.Dir(f.path))
			return err
		})
		answers <- a
	})
	select {
	case a := <-answers:
		found, ok := keychain.ParseKey(a.text)
		switch {
		case keychain.IsNotFound(a.err), a.err == nil && !ok:
			return nil, errNoKey
		case a.err != nil:
			return nil, a.err
		}
		return found, nil
	case <-time.After(keychainPatience):
		return nil, context.DeadlineExceeded
	}
}
