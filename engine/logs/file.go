package logs

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// lockPatience is how long a program waits while another one rotates a file. Only the goroutine that writes
// waits.
const lockPatience = time.Second

// errFull is the error for a file that cannot be rotated and has become too large.
var errFull = errors.New("the log file is full and cannot be rotated")

// appendTo appends whole lines to a file. If the file would become larger than MaxFile, it is first made the
// old file. The file is not kept open, so that there are no more open files than engines and Windows can
// rename it. isNew reports that the file did not exist.
func (f Folder) appendTo(path string, lines []byte) (isNew bool, err error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		isNew = true
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return false, err
		}
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	case info.Size()+int64(len(lines)) > MaxFile:
		f.rotate(path, len(lines))
		// If it could not be rotated, for example while a reader has it open on Windows, there is some more
		// room.
		if info, err = os.Lstat(path); err == nil && info.Size()+int64(len(lines)) > 2*MaxFile {
			return false, errFull
		}
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return false, err
	}
	if info != nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		_ = file.Chmod(0o600) // a failure must not prevent writing
	}
	_, err = file.Write(lines)
	return isNew, errors.Join(err, file.Close())
}

// rotate makes a file the old file. Only one program may do that at a time: a second one would replace the
// old file by the new file, and its content would be lost.
func (f Folder) rotate(path string, room int) {
	lock := flock.New(filepath.Join(string(f), ".lock"))
	defer func() { _ = lock.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, time.Millisecond); errors.Is(err, context.DeadlineExceeded) {
		return
	}
	if info, err := os.Lstat(path); err == nil && info.Size()+int64(room) > MaxFile {
		_ = os.Rename(path, old(path)) // the caller notices a failure
	}
}

// prune removes the files that were not written for the longest time, until most are left.
func prune(folder string, most int) {
	paths := current(folder)
	if len(paths) <= most {
		return
	}
	written := map[string]time.Time{}
	for _, path := range paths {
		for _, one := range []string{path, old(path)} {
			if info, err := os.Lstat(one); err == nil && info.ModTime().After(written[path]) {
				written[path] = info.ModTime()
			}
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Or(written[b].Compare(written[a]), cmp.Compare(a, b))
	})
	for _, path := range paths[most:] {
		for _, one := range []string{path, old(path)} {
			_ = os.Remove(one) // the next program that writes tries again
		}
	}
}
