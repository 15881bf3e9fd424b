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
	// ErrDamaged: it is not what was written.
	ErrDamaged = words.Code("usage.damaged")
	// ErrBusy: another program has had it for too long.
	ErrBusy = words.Code("usage.busy")
)

// The buckets of the store.
const (
	callBucket = "calls"   // callKey → Calls
	boxBucket  = "boxes"   // boxKey → Box
	seenBucket = "servers" // seenKey → seen
	sinceKey   = "since"   // in sinceBucket: since when something is kept
	sinceName  = "about"
)

// seen tells since when a server is there, and when it was last.
type seen struct {
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// update changes the store, in one step: all or nothing. It waits for other programs as long as patience, and makes the folder and the file that
// are missing. A damaged store is put aside; the error is [ErrDamaged] then too, and the next update begins a new one.
func (f Folder) update(patience time.Duration, change func(*bbolt.Tx) error) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	return f.orAside(func() error {
		return f.open(false, patience, (*bbolt.DB).Update, change)
	})
}

// view looks at the store. A store that is not there is [fs.ErrNotExist]. A damaged one is put aside, as by update, which may see other pages of it.
func (f Folder) view(patience time.Duration, look func(*bbolt.Tx) error) error {
	if info, err := os.Stat(f.file()); err == nil && info.Size() == 0 { // the disk was full when it was made
		return fs.ErrNotExist
	}
	return f.orAside(func() error {
		return f.open(true, patience, (*bbolt.DB).View, look)
	})
}

// orAside calls use, and puts the store aside when that says that it is damaged.
func (f Folder) orAside(use func() error) error {
	before, _ := os.Stat(f.file())
	err := use()
	if errors.Is(err, ErrDamaged) {
		if now, _ := os.Stat(f.file()); before == nil || now == nil || os.SameFile(before, now) { // else another program has been quicker
			err = errors.Join(err, os.Rename(f.file(), f.damaged()))
		}
	}
	return err
}

// open calls do in a transaction of the store, and closes it. The store is mapped into memory: a file that has become shorter, or whose pages do not
// fit together, makes the library panic, which is taken for damage.
func (f Folder) open(readOnly bool, patience time.Duration, transact func(*bbolt.DB, func(*bbolt.Tx) error) error, do func(*bbolt.Tx) error) (err error) {
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if problem := recover(); problem != nil {
			if file != nil {
				unlock(file) // the library itself may wait for ever now
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
		err != nil && strings.HasPrefix(err.Error(), "file size too small"): // the library has no other sign of it
		return damage(err)
	}
	return err
}

// openOwn opens a file that nobody else may read. Other things than files are refused, since opening them may take forever.
func openOwn(path string, flag int, mode os.FileMode) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	file, err := os.OpenFile(path, flag, mode)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 {
		_ = file.Chmod(0o600) // on Windows it changes nothing
	}
	return file, nil
}

func damage(why any) error { return fmt.Errorf("%w (%v)", ErrDamaged, why) }

// bucket returns a bucket, which is made when it is missing and the transaction can.
func bucket(tx *bbolt.Tx, name string) (*bbolt.Bucket, error) {
	if b := tx.Bucket([]byte(name)); b != nil || !tx.Writable() {
		return b, nil
	}
	return tx.CreateBucket([]byte(name))
}

// put keeps a value as JSON.
func put(b *bbolt.Bucket, key []byte, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return b.Put(key, raw)
}

// get reads a value. What cannot be understood is as if it were not there.
func get(b *bbolt.Bucket, key []byte, value any) (found bool) {
	raw := b.Get(key)
	return raw != nil && json.Unmarshal(raw, value) == nil
}

// forgetBefore removes the rows of all days before one.
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
