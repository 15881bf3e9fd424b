package ipc

import "github.com/workbench-mcp/workbench-desktop/engine/words"

// Errors that callers may want to distinguish.
const (
	// ErrRunning is returned by [Listen] if the app is already running; see [Show].
	ErrRunning = words.Code("ipc.running")
	// ErrNotRunning is returned by [Show] and [Probe] when no app listens.
	ErrNotRunning = words.Code("ipc.not_running")
	// ErrGone is returned by commands to an engine that has ended.
	ErrGone = words.Code("ipc.gone")
	// ErrCannotAsk is returned by [Agent.Ask] if there is no app that could ask the person.
	ErrCannotAsk = words.Code("ipc.cannot_ask")
	// ErrAskLost is returned by [Agent.Ask] if the app ends before the person has answered.
	ErrAskLost = words.Code("ipc.ask_lost")
	// ErrAskBusy is returned by [Agent.Ask] when too many questions wait for the person.
	ErrAskBusy = words.Code("ipc.ask_busy")
	// ErrOtherVersion is returned by commands to an engine of another version.
	ErrOtherVersion = words.Code("ipc.other_version")
)
