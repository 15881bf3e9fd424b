// Package atomicfile replaces the contents of a file atomically. A reader always finds either the old or the
// new contents, complete.
package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// maxLinks is how many symbolic links in a row are followed, as in most systems.
	maxLinks = 40

	// Abandoned is the age from which a temporary file is no longer in use. Killed programs leave such files.
	Abandoned = 10 * time.Minute

	// TemporaryEnd ends the names of temporary files, which begin with a dot and the name of the file.
	TemporaryEnd = ".workbench-tmp"
)

// Errors of this package. The system may return others.
const (
	// ErrChanged means that the old contents are not the expected ones.
	ErrChanged  = words.Code("file.changed")
	ErrIsFolder = words.Code("file.is_folder")
	ErrNotAFile = words.Code("file.no_file")
	ErrLinks    = words.Code("file.links")
	ErrInUse    = words.Code("file.in_use") // only on Windows
	ErrReadOnly = readOnly("file.read_only")
)

// readOnly is an error that is also [fs.ErrPermission].
type readOnly words.Code

func (r readOnly) Error() string        { return r.Text().String() }
func (r readOnly) Text() words.Text     { return words.Code(r).Text() }
func (r readOnly) Is(target error) bool { return target == fs.ErrPermission }

// fullError is an error that means that there is no space left. Its sentence names no temporary file.
type fullError struct{ err error }

func (e *fullError) Error() string    { return e.Text().String() }
func (e *fullError) Text() words.Text { return words.New("file.full") }
func (e *fullError) Unwrap() error    { return e.err }

// Replace replaces the contents of a file. A symbolic link stays, and so do mode and owner as far as the system
// allows; on Windows, access rules, attributes and streams. A new file has mode 0600, and folders made for it 0700.
//
// The old contents are checked directly before they are replaced: if they are not those expected (nil: no file), the
// error is [ErrChanged]. After an error the file is unchanged.
func Replace(path string, source, expected []byte) error {
	return replace(path, whole(source), func(target string) error { return unchanged(path, target, expected) })
}

// Overwrite is [Replace] without a check of the old contents, for a file that only this program writes.
func Overwrite(path string, source []byte) error {
	return replace(path, whole(source), func(string) error { return nil })
}

// whole returns a function that writes a text.
func whole(source []byte) func(w io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(source); return err }
}

// Rewrite is [Replace] for a file that is too large for memory: write writes the new contents. The error is
// [ErrChanged] if the file is not the one that old describes.
func Rewrite(path string, old os.FileInfo, write func(w io.Writer) error) error {
	return replace(path, write, func(target string) error {
		again, err := FollowLinks(path)
		if err != nil {
			return err
		}
		info, err := os.Stat(target)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if again != target || !Unchanged(old, info) {
			return ErrChanged
		}
		return nil
	})
}

// replace replaces the contents of a file by those that write writes. Directly before that it calls check with the
// file to be replaced.
func replace(path string, write func(w io.Writer) error, check func(target string) error) (err error) {
	target, err := FollowLinks(path)
	if err != nil {
		return err
	}
	if Misleads(runtime.GOOS, target) {
		return ErrName
	}
	folder := filepath.Dir(target)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		// If the folder of an existing file was removed, for example with its disk, it is not made again.
		if err := check(target); err != nil {
			return err
		}
	}
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
		return ErrIsFolder
	case !old.Mode().IsRegular():
		return ErrNotAFile
	default:
		// A file without write permission could be replaced, but must not be.
		if err := writable(target, old); err != nil {
			return err
		}
	}
	sweep(folder, filepath.Base(target))
	temporary, err := os.CreateTemp(folder, "."+filepath.Base(target)+".*"+TemporaryEnd)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = temporary.Close() // closing it twice is harmless
			_ = os.Remove(temporary.Name())
		}
		if IsFull(err) {
			err = &fullError{err}
		}
	}()
	if err := write(temporary); err != nil {
		return err
	}
	if old != nil { // a new file keeps the mode 0600 of CreateTemp
		if err := adopt(target, temporary, old); err != nil {
			return err
		}
	}
	if err := temporary.Sync(); err != nil {
		return err
	}
	if err := temporary.Close(); err != nil {
		return err
	}
	if err := check(target); err != nil {
		return err
	}
	if err := Rename(temporary.Name(), target); err != nil {
		return err
	}
	syncFolder(folder)
	return nil
}

// unchanged returns an error if a path no longer leads to target, or target does not have the expected contents.
func unchanged(path, target string, expected []byte) error {
	if now, err := FollowLinks(path); err != nil {
		return err
	} else if now != target {
		return ErrChanged
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if expected != nil {
			return ErrChanged
		}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return ErrIsFolder
	case info.Size() != int64(len(expected)):
		return ErrChanged
	}
	file, err := Open(target)
	if err != nil {
		return err
	}
	source, err := io.ReadAll(file)
	_ = file.Close()
	if err != nil {
		return err
	}
	if expected == nil || !bytes.Equal(source, expected) {
		return ErrChanged
	}
	return nil
}

// FollowLinks returns the file to which a path leads through symbolic links, whether it exists or not. The error is
// [ErrLinks], or that of a folder that cannot be followed.
func FollowLinks(path string) (string, error) {
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			// It is not a link, or does not exist, or cannot be read, which is an error when it is opened.
			if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
				return filepath.Join(folder, filepath.Base(path)), nil
			}
			return path, nil
		}
		if !filepath.IsAbs(target) {
			// The path is not cleaned: ".." after a link to a folder means that folder's parent.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			target = filepath.Join(folder, target)
		}
		path = target
	}
	return "", ErrLinks
}

// sweep deletes the temporary files that killed programs have left behind.
func sweep(folder, name string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "."+name+".") || !strings.HasSuffix(entry.Name(), TemporaryEnd) {
			continue
		}
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > Abandoned {
			_ = os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}

// Same reports whether two paths lead to the same file, whether it exists or not.
func Same(a, b string) bool {
	if a == b {
		return true
	}
	a, b = resolved(a), resolved(b)
	return a == b || paths.Fold(a) == paths.Fold(b) && sameFile(a, b)
}

// sameFile reports whether two paths lead to one existing file, whose name may have several spellings.
func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// Unchanged reports whether a path had the same file with the same contents at two times, as far as size and
// time show. Nil means no file.
func Unchanged(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func resolved(path string) string {
	if path == "" {
		return ""
	}
	if target, err := FollowLinks(path); err == nil {
		path = target
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real // with the case of the names on the disk
	}
	return filepath.Clean(path)
}
