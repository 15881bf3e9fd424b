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
	// lockPatience is how long to wait for another program of ours. An edit takes a few milliseconds, so a
	// longer wait means that the computer is very busy.
	lockPatience = 15 * time.Second

	lockPause = 5 * time.Millisecond
)

// lockFile keeps other programs of ours, and other stores, from using a configuration file and its history
// until unlock is called. Other editors do not use this lock.
//
// There are two locks, because each may be unavailable or not shared by all programs: a file in the history folder,
// whose path on Linux depends on the environment, and the folder of the configuration file, which cannot be locked on
// Windows and some network file systems.
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
		return nil // a lock that is not available is skipped
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

// lockError returns context.Canceled if the caller gave up, else an error that says that another program
// holds the lock.
func lockError(ctx context.Context, path string) error {
	if context.Cause(ctx) == context.Canceled {
		return context.Canceled
	}
	return &SaveError{Path: path, Err: errBusy}
}

// pathKey returns a file name that is unique for an absolute path.
func pathKey(path string) string {
	if runtime.GOOS == "windows" {
		path = strings.ToLower(path) // C:\Users and c:\users are the same folder
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:12])
}
