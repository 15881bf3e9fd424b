package ipc

// DefaultEndpoint returns the one place where this user's app listens and its engines look for it: a socket's path, or a
// pipe's name on Windows. It depends on who the user is and on nothing in the environment, because clients hand over
// almost none of that.
func DefaultEndpoint() (string, error) { return defaultEndpoint() }

// The files in the run folder.
const (
	socketName = "app.sock"
	lockName   = "app.lock" // held as long as the app runs
)
