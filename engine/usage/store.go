package usage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Why the store could not be used.
const (
	// ErrDamaged means that its content is not as it was written.
	ErrDamaged = words.Code("usage.damaged")
	// ErrBusy means that another program has had the store open for too long.
	ErrBusy = words.Code("usage.busy")
)

// The buckets of the store.
const (
	callBucket = "calls"   // callKey → Calls
	boxBucket  = "boxes"   // boxKey → Box
	seenBucket = "servers" // seenKey → seen
	sinceKey   = "since"   // in sinceBucket: since when usage is kept
	sinceName  = "about"
)

// seen says since when a server has existed, and when it was last seen.
type seen struct {
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// update changes the store atomically. It waits for other programs at most patience, and makes a missing
// folder or file. A damaged store is moved aside, with the error [ErrDamaged]; the next update makes a new
// one.
func (f Folder) update(patience time.Duration, change func(*bbolt.Tx) error) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	return f.orAside(func() error {
		return f.open(false, patience, (*bbolt.DB).Update, change)
	})
}

// view reads the store. If there is no store, the error is [fs.ErrNotExist]. A damaged one is moved aside as
// by update, which may see other pages of it.
func (f Folder) view(patience time.Duration, look func(*bbolt.Tx) error) error {
	if info, err := os.Stat(f.file()); err == nil && info.Size() == 0 { // the disk was full when it was made
		return fs.ErrNotExist
	}
	return f.orAside(func() error {
		return f.open(true, patience, (*bbolt.DB).View, look)
	})
}

// orAside calls use, and moves the store aside if use reports that it is damaged.
func (f Folder) orAside(use func() error) error {
	before, _ := os.Stat(f.file())
	err := use()
	if errors.Is(err, ErrDamaged) {
		if now, _ := os.Stat(f.file()); before == nil || now == nil || os.SameFile(before, now) { // otherwise another program has already replaced it
			err = errors.Join(err, os.Rename(f.file(), f.damaged()))
		}
	}
	return err
}

// open calls do in a transaction of the store, and closes the store. The store is mapped into memory: if the
// file has become shorter, or its pages are inconsistent, the library panics, which is treated as damage.
func (f Folder) open(readOnly bool, patience time.Duration, transact func(*bbolt.DB, func(*bbolt.Tx) error) error, do func(*bbolt.Tx) error) (err error) {
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if problem := recover(); problem != nil {
			if file != nil {
				unlock(file) // the library itself may now wait for ever
				_ = file.Close()
			}
			err = damage(problem)
		}
	}()
	db, err := bbolt.Open(f.file(), 0o600, &bbolt.Options{
		ReadOnly: readOnly, Timeout: patience, MaxSize: MaxFile, NoStatistics: true, FreelistType: bbolt.FreelistMapType,
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			opened, err := openOwn(path, flag, mode)
			if file = opened; err == nil {
				if err = soundMetas(opened); err != nil {
					_ = opened.Close()
				}
			}
			return opened, err
		},
	})
	if err == nil {
		err = transact(db, func(tx *bbolt.Tx) error {
			if err := soundPages(tx, file); err != nil {
				return err
			}
			return do(tx)
		})
		if closed := db.Close(); err == nil {
			err = closed
		}
	}
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return ErrBusy
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch),
		errors.Is(err, bolterrors.ErrMaxSizeReached), errors.Is(err, bolterrors.ErrIncompatibleValue),
		err != nil && strings.HasPrefix(err.Error(), "file size too small"): // the library has no other sign of this
		return damage(err)
	}
	return err
}

// openOwn opens a file that nobody else may read. It refuses anything but a regular file, since opening it
// may block for ever.
func openOwn(path string, flag int, mode os.FileMode) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	file, err := os.OpenFile(path, flag, mode)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 {
		_ = file.Chmod(0o600) // this has no effect on Windows
	}
	return file, nil
}

func damage(why any) error { return fmt.Errorf("%w (%v)", ErrDamaged, why) }

// bucket returns a bucket. A writing transaction makes it if it is missing.
func bucket(tx *bbolt.Tx, name string) (*bbolt.Bucket, error) {
	if b := tx.Bucket([]byte(name)); b != nil || !tx.Writable() {
		return b, nil
	}
	return tx.CreateBucket([]byte(name))
}

// put stores a value as JSON.
func put(b *bbolt.Bucket, key []byte, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return b.Put(key, raw)
}

// get reads a value. A value that cannot be parsed counts as missing.
func get(b *bbolt.Bucket, key []byte, value any) (found bool) {
	raw := b.Get(key)
	return raw != nil && json.Unmarshal(raw, value) == nil
}

// forgetBefore removes the rows of all days before day.
func forgetBefore(b *bbolt.Bucket, day string) error {
	var old [][]byte
	c := b.Cursor()
	for key, _ := c.First(); key != nil && string(key) < day; key, _ = c.Next() {
		old = append(old, bytes.Clone(key))
	}
	for _, key := range old {
		if err := b.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

// rows counts the rows of a day, up to most.
func rows(b *bbolt.Bucket, day string, most int) int {
	count := 0
	c := b.Cursor()
	for key, _ := c.Seek([]byte(day)); key != nil && strings.HasPrefix(string(key), day+between) && count < most; key, _ = c.Next() {
		count++
	}
	return count
}
