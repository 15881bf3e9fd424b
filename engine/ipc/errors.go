package ipc

import "errors"

// Errors that callers may want to tell apart.
var (
	// ErrRunning is returned by [Listen] when the app runs already; see [Show].
	ErrRunning = errors.New("Workbench Desktop is running already")
	// ErrNotRunning is returned by [Show] and [Probe] when no app listens.
	ErrNotRunning = errors.New("Workbench Desktop is not running")
	// ErrGone is returned by commands to an engine that has ended.
	ErrGone = errors.New("the engine has ended")
	// ErrOtherVersion is returned by commands to an engine of another version.
	ErrOtherVersion = errors.New("the engine belongs to another version of Workbench; restart the app that uses it")
)
