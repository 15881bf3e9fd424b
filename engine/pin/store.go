package pin

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	maxFile  = 16 << 20 // bytes of one file
	maxFiles = 1_000
	// lockPatience is how long to wait while another program of ours writes.
	lockPatience = 5 * time.Second
)

// Store stores the pins of all servers, one file for each, for all engines, the window and the commands. It
// is safe for concurrent use.
type Store struct {
	folder string
	mu     sync.Mutex // held while a file is written
}

// Open returns the store in a folder, usually [paths.Folders.Pins]. It does not access the folder, which is
// made when needed.
func Open(folder string) *Store { return &Store{folder: folder} }

// Path returns the file of a server.
func (s *Store) Path(server Hash) string {
	return filepath.Join(s.folder, hex.EncodeToString(server[:])+".2.json")
}

// pathFormat1 returns the file of a server in format 1.
func (s *Store) pathFormat1(server Hash) string {
	return filepath.Join(s.folder, hex.EncodeToString(server[:])+".json")
}

// Load returns the record of a server; nil if there is none. For a damaged file it returns a record that is
// Lost, without an error, since an error may be temporary. The caller owns the record.
func (s *Store) Load(server Hash) (*Record, error) {
	record, _, err := s.load(server)
	if errors.Is(err, errUnreadable) {
		err = nil
	}
	return record, err
}

// load also returns the file. For a damaged file, the record is Lost and the error is errUnreadable.
func (s *Store) load(server Hash) (*Record, []byte, error) {
	record, source, err := loadFile(s.Path(server))
	if record == nil && err == nil { // perhaps there is one of format 1
		if record, _, err = loadFile(s.pathFormat1(server)); record != nil {
			record.info = nil
		}
	}
	return record, source, err
}

// loadFile reads one file; nil if there is none.
func loadFile(path string) (*Record, []byte, error) {
	file, err := atomicfile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return &Record{Lost: true, info: info}, nil, errUnreadable
	}
	source := make([]byte, info.Size())
	if _, err := io.ReadFull(file, source); err != nil {
		return nil, nil, err
	}
	record, err := decode(source)
	if err != nil {
		return &Record{Lost: true, info: info}, source, err
	}
	record.info = info
	return record, source, nil
}

// Current reports whether a record still equals the file of its server. record may be nil.
func (s *Store) Current(server Hash, record *Record) bool {
	var kept os.FileInfo
	if record != nil {
		kept = record.info
	}
	now, _ := os.Stat(s.Path(server))
	return atomicfile.Unchanged(kept, now)
}

// Update calls change with the record of a server, nil if there is none, and stores and returns the result.
// If change returns its argument, nothing is written.
func (s *Store) Update(ctx context.Context, server Hash, change func(*Record) *Record) (*Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return nil, words.NewError("pin.not_kept", "Why", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock := flock.New(filepath.Join(s.folder, "lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return nil, words.NewError("pin.not_kept", "Why", err)
	}
	defer func() { _ = lock.Close() }()

	old, source, err := s.load(server)
	if err != nil && !errors.Is(err, errUnreadable) {
		return nil, words.NewError("pin.not_kept", "Why", err)
	}
	next := change(old)
	if next == old || next == nil {
		return old, nil
	}
	path := s.Path(server)
	written := next.encode()
	if source == nil {
		s.makeRoom()
	}
	if errors.Is(err, errUnreadable) {
		_, source = os.Remove(path), nil // if it still exists, replacing it fails
	}
	if !bytes.Equal(written, source) {
		if err := atomicfile.Replace(path, written, source); err != nil {
			return nil, words.NewError("pin.not_kept", "Why", err)
		}
	}
	next.info, _ = os.Stat(path)
	return next, nil
}

// Decide records whether a person allows changes, as they were shown, to be offered. What has changed again
// meanwhile still waits.
func (s *Store) Decide(ctx context.Context, server Hash, changes []Change, approved bool) error {
	_, err := s.Update(ctx, server, func(r *Record) *Record {
		if r == nil {
			return nil
		}
		return r.decide(changes, approved)
	})
	return err
}

// makeRoom removes the oldest files if there are too many.
func (s *Store) makeRoom() {
	files, err := filepath.Glob(filepath.Join(s.folder, "*.json"))
	if err != nil || len(files) < maxFiles {
		return
	}
	written := make(map[string]time.Time, len(files))
	for _, file := range files {
		if info, err := os.Lstat(file); err == nil {
			written[file] = info.ModTime()
		}
	}
	slices.SortFunc(files, func(a, b string) int { return written[a].Compare(written[b]) })
	for _, file := range files[:len(files)-maxFiles+1] {
		_ = os.Remove(file) // the next call tries again
	}
}
