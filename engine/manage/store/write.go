package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// same reports whether two contents of a file are equal. Nil is that of a file that doesn't exist.
func same(a, b []byte) bool {
	return (a == nil) == (b == nil) && bytes.Equal(a, b)
}

// replaceFile writes a file anew when it still is what it was taken for, else the error is [atomicfile.ErrChanged]. Every other error is
// a [SaveError].
func replaceFile(path string, source, expected []byte) error {
	err := atomicfile.Replace(path, source, expected)
	if err == nil || errors.Is(err, atomicfile.ErrChanged) {
		return err
	}
	return &SaveError{Path: path, Err: err}
}

var (
	errRemoved = errors.New("the file was removed meanwhile")
	errBusy    = errors.New("another program keeps the file locked")
)

// SaveError tells why a configuration file could not be written. The file is what it was before, and
// the edit is kept as [Store.Pending].
type SaveError struct {
	Path string
	Err  error
}

// Error says what went wrong, where, and what to do about it.
func (e *SaveError) Error() string {
	what, todo := explain(e.Err)
	return fmt.Sprintf("the configuration file %s was not saved: %s; %s", e.Path, what, todo)
}

func (e *SaveError) Unwrap() error { return e.Err }

func explain(err error) (what, todo string) {
	switch {
	case errors.Is(err, atomicfile.ErrIsFolder):
		return "there is a folder in its place", "move the folder away, then try again"
	case errors.Is(err, atomicfile.ErrNotAFile):
		return "there is a device, a pipe or a socket in its place", "correct the path, then try again"
	case errors.Is(err, atomicfile.ErrLinks):
		return err.Error(), "correct the links, then try again"
	case errors.Is(err, errRemoved):
		return "it was removed meanwhile", "try again to write it anew with the edit in it, or restore a version from the history"
	case errors.Is(err, errBusy):
		return err.Error(), "close the program that does, then try again"
	case errors.Is(err, atomicfile.ErrChanged):
		return "another program changes it all the time", "try again when that is over"
	case isFull(err):
		return "the disk is full, or a quota or size limit is reached", "free some space, then try again"
	case isReadOnlyDisk(err):
		return "its disk can only be read", "make the disk writable, or choose another configuration file"
	case errors.Is(err, atomicfile.ErrReadOnly):
		return "it is read-only", "give your user account the right to write it, then try again"
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read and write it, or to make files in its folder", "give your user account the right to do so, then try again"
	case errors.Is(err, config.ErrTooLarge):
		return "it is larger than a configuration can be", "check that this is the right file"
	}
	return err.Error(), "try again when the cause is removed"
}
