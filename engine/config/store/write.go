package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

const (
	// maxLinks is how many symbolic links in a row are followed, as in most systems.
	maxLinks = 40

	// abandoned is the age at which a temporary file is certainly nobody's any more. Writing one takes
	// a moment, and programs that were killed meanwhile leave theirs behind.
	abandoned = 10 * time.Minute

	temporaryEnd = ".workbench-tmp"
)

// errChanged is the reason when a file was not replaced because it isn't what it was taken for.
var errChanged = errors.New("the file was changed by another program meanwhile")

// same tells whether two contents of a file are equal. Nil is that of a file that doesn't exist.
func same(a, b []byte) bool {
	return (a == nil) == (b == nil) && bytes.Equal(a, b)
}

// replaceFile puts new contents into the place of the old ones at once, so that whoever reads the
// file, and whatever happens meanwhile, finds one or the other whole. A symbolic link stays one, and
// mode and owner stay what they are as far as the system allows it.
//
// The old contents are looked at again at the last moment: when they are not the expected ones (nil:
// no file), the error is errChanged and nothing has happened. Every other error is a [SaveError].
func replaceFile(path string, source, expected []byte) error {
	err := tryReplaceFile(path, source, expected)
	if err == nil || errors.Is(err, errChanged) {
		return err
	}
	return &SaveError{Path: path, Err: err}
}

func tryReplaceFile(path string, source, expected []byte) (err error) {
	target, err := followLinks(path)
	if err != nil {
		return err
	}
	folder := filepath.Dir(target)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	old, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
	case err != nil:
		return err
	case old.IsDir():
		return errIsFolder
	case !old.Mode().IsRegular():
		return errNotAFile
	default:
		// A new file could be put into the place of one that may not be written. Whoever took the right
		// away didn't mean that.
		if err := writable(target, old); err != nil {
			return err
		}
	}
	sweep(folder, filepath.Base(target))
	temporary, err := os.CreateTemp(folder, "."+filepath.Base(target)+".*"+temporaryEnd)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = temporary.Close() // a second time is harmless
			_ = os.Remove(temporary.Name())
		}
	}()
	if _, err := temporary.Write(source); err != nil {
		return err
	}
	if old != nil { // else it keeps the 0600 that CreateTemp gave it
		if err := adopt(temporary, old); err != nil {
			return err
		}
	}
	if err := temporary.Sync(); err != nil {
		return err
	}
	if err := temporary.Close(); err != nil {
		return err
	}
	if err := unchanged(path, target, expected); err != nil {
		return err
	}
	if err := rename(temporary.Name(), target); err != nil {
		return err
	}
	syncFolder(folder)
	return nil
}

// unchanged looks whether a file still has the expected contents, and is still where it was.
func unchanged(path, target string, expected []byte) error {
	if now, err := followLinks(path); err != nil {
		return err
	} else if now != target {
		return errChanged
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if expected != nil {
			return errChanged
		}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return errIsFolder
	case info.Size() > config.MaxSize:
		return errChanged
	}
	source, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if expected == nil || !bytes.Equal(source, expected) {
		return errChanged
	}
	return nil
}

// followLinks returns the file that a path means in the end, whether it exists or not.
func followLinks(path string) (string, error) {
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			// Not a link, or not there, or not to be looked at, which will show.
			if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
				return filepath.Join(folder, filepath.Base(path)), nil
			}
			return path, nil
		}
		if !filepath.IsAbs(target) {
			// Not the cleaned path: ".." after a link to a folder means that folder's parent.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			target = filepath.Join(folder, target)
		}
		path = target
	}
	return "", errLinks
}

// sweep deletes the temporary files that programs have left behind that were killed.
func sweep(folder, name string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "."+name+".") || !strings.HasSuffix(entry.Name(), temporaryEnd) {
			continue
		}
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}

var (
	errIsFolder = errors.New("it is a folder")
	errNotAFile = errors.New("it is not a regular file")
	errLinks    = errors.New("too many symbolic links lead from one to the next")
	errRemoved  = errors.New("the file was removed meanwhile")
	errReadOnly = fmt.Errorf("the file is read-only: %w", fs.ErrPermission)
	errBusy     = errors.New("another program keeps the file locked")
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
	case errors.Is(err, errIsFolder):
		return "there is a folder in its place", "move the folder away, then try again"
	case errors.Is(err, errNotAFile):
		return "there is a device, a pipe or a socket in its place", "correct the path, then try again"
	case errors.Is(err, errLinks):
		return err.Error(), "correct the links, then try again"
	case errors.Is(err, errRemoved):
		return "it was removed meanwhile", "try again to write it anew with the edit in it, or restore a version from the history"
	case errors.Is(err, errBusy):
		return err.Error(), "close the program that does, then try again"
	case errors.Is(err, errChanged):
		return "another program changes it all the time", "try again when that is over"
	case isFull(err):
		return "the disk is full, or a quota or size limit is reached", "free some space, then try again"
	case isReadOnlyDisk(err):
		return "its disk can only be read", "make the disk writable, or choose another configuration file"
	case errors.Is(err, errReadOnly):
		return "it is read-only", "give your user account the right to write it, then try again"
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read and write it, or to make files in its folder", "give your user account the right to do so, then try again"
	case errors.Is(err, config.ErrTooLarge):
		return "it is larger than a configuration can be", "check that this is the right file"
	}
	return err.Error(), "try again when the cause is removed"
}
