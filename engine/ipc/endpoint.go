package ipc

import (
	"fmt"
	"path/filepath"
)

// DefaultEndpoint returns the one place where this user's app listens and its engines look for it: a socket's path, or a
// pipe's name on Windows. It depends on who the user is and on nothing in the environment, because clients hand over
// almost none of that.
func DefaultEndpoint() (string, error) { return defaultEndpoint() }

// The files in the run folder.
const (
	socketName = "app.sock"
	lockName   = "app.lock" // held as long as the app runs
)

// socketIn returns the socket in a run folder, or one in the fallback if that path is longer than a socket's may be.
func socketIn(folder, fallback string, longest int) (string, error) {
	for _, folder := range []string{folder, fallback} {
		if path := filepath.Join(folder, socketName); len(path) <= longest {
			return path, nil
		}
	}
	return "", fmt.Errorf("the path of %s is longer than a socket's may be", filepath.Join(folder, socketName))
}
