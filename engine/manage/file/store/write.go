package store

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// same reports whether two contents of a file are equal. Nil means that the file does not exist.
func same(a, b []byte) bool {
	return (a == nil) == (b == nil) && bytes.Equal(a, b)
}

// replaceFile replaces a file if its content is still as expected; otherwise the error is
// [atomicfile.ErrChanged]. Every other error is a [SaveError].
func replaceFile(path string, source, expected []byte) error {
	err := atomicfile.Replace(path, source, expected)
	if err == nil || errors.Is(err, atomicfile.ErrChanged) {
		return err
	}
	return &SaveError{Path: path, Err: err}
}

const (
	errRemoved = words.Code("store.removed_meanwhile")
	errBusy    = words.Code("store.busy")
)

// SaveError says why a configuration file could not be written. The file is unchanged, and the edit is kept
// as [Store.Pending].
type SaveError struct {
	Path string
	Err  error
}

// Error returns what went wrong, where, and what to do.
func (e *SaveError) Error() string { return e.Text().String() }

// Text returns the same in any language.
func (e *SaveError) Text() words.Text {
	return words.New("store.not_saved", "File", e.Path, "What", explain(e.Err))
}

func (e *SaveError) Unwrap() error { return e.Err }

func explain(err error) words.Text {
	switch {
	case errors.Is(err, atomicfile.ErrIsFolder):
		return words.New("store.save_folder")
	case errors.Is(err, atomicfile.ErrNotAFile):
		return words.New("store.save_device")
	case errors.Is(err, atomicfile.ErrLinks):
		return words.New("store.save_links", "Why", err)
	case errors.Is(err, errRemoved):
		return words.New("store.save_removed")
	case errors.Is(err, errBusy):
		return words.New("store.save_busy", "Why", err)
	case errors.Is(err, atomicfile.ErrChanged):
		return words.New("store.save_changing")
	case atomicfile.IsFull(err):
		return words.New("file.full")
	case isReadOnlyDisk(err):
		return words.New("store.save_read_only_disk")
	case errors.Is(err, atomicfile.ErrReadOnly):
		return words.New("store.save_read_only")
	case paths.Withheld(err):
		return words.New("store.save_other", "Why", paths.Cause(err))
	case errors.Is(err, fs.ErrPermission):
		return words.New("store.save_permission")
	case errors.Is(err, atomicfile.ErrTooLarge):
		return words.New("store.save_too_large")
	}
	return words.New("store.save_other", "Why", err)
}
