package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

const (
	// lockPatience is how long another program of ours may take over one edit. It needs a few
	// milliseconds, so this is for a computer that stands still.
	lockPatience = 15 * time.Second

	lockPause = 5 * time.Millisecond
)

// lockFile keeps other programs of ours, and other stores, out of a configuration file and its
// history until the returned function is called. Other editors don't know of it.
//
// There are two locks, because either may be impossible or not seen by everybody: a file in the folder
// of the history, whose place depends on the environment on Linux, and the folder of the
// configuration file itself, which Windows and some network file systems can't lock.
func lockFile(ctx context.Context, path, historyFolder string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	var held []*flock.Flock
	unlock = func() {
		for _, lock := range held {
			_ = lock.Close()
		}
	}
	take := func(lock *flock.Flock) error {
		locked, err := lock.TryLockContext(ctx, lockPause)
		switch {
		case locked:
			held = append(held, lock)
		case ctx.Err() != nil:
			unlock()
			return err
		}
		return nil // a lock that cannot be had at all is done without
	}
	target, err := atomicfile.FollowLinks(path)
	if err != nil {
		target = path
	}
	if historyFolder != "" {
		name := filepath.Join(historyFolder, pathKey(target)+".lock")
		if err := take(flock.New(name, flock.SetPermissions(0o600))); err != nil {
			return nil, lockError(ctx, path)
		}
	}
	if runtime.GOOS != "windows" {
		if err := take(flock.New(filepath.Dir(target), flock.SetFlag(os.O_RDONLY))); err != nil {
			return nil, lockError(ctx, path)
		}
	}
	return unlock, nil
}

// lockError returns context.Canceled when the caller gave up, else an error that says that another program keeps the lock.
func lockError(ctx context.Context, path string) error {
	if context.Cause(ctx) == context.Canceled {
		return context.Canceled
	}
	return &SaveError{Path: path, Err: errBusy}
}

// pathKey is a file name for what belongs to the file of that absolute path.
func pathKey(path string) string {
	if runtime.GOOS == "windows" {
		path = strings.ToLower(path) // C:\Users and c:\users are one folder
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:12])
}
