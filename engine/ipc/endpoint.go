package ipc

// DefaultEndpoint returns the place where this user's app listens and its engines connect: the path of a
// socket, or the name of a pipe on Windows. It depends only on the user and not on the environment, since
// clients pass on almost none of it.
func DefaultEndpoint() (string, error) { return defaultEndpoint() }

// The files in the run folder.
const (
	socketName = "app.sock"
	lockName   = "app.lock" // held while the app runs
)
