package ipc

import "github.com/workbench-mcp/workbench-desktop/engine/words"

// Errors that callers may want to tell apart.
const (
	// ErrRunning is returned by [Listen] when the app runs already; see [Show].
	ErrRunning = words.Code("ipc.running")
	// ErrNotRunning is returned by [Show] and [Probe] when no app listens.
	ErrNotRunning = words.Code("ipc.not_running")
	// ErrGone is returned by commands to an engine that has ended.
	ErrGone = words.Code("ipc.gone")
	// ErrOtherVersion is returned by commands to an engine of another version.
	ErrOtherVersion = words.Code("ipc.other_version")
)
