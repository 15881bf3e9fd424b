package main

import "log/slog"

// desktopOptions are the flags and arguments for the window.
type desktopOptions struct {
	ConfigFlag string // --config
	Hidden     bool   // --hidden
	Open       string // the file that the window opens

	Link string // --link: where engines connect; empty means the user's own place
	Log  *slog.Logger

	// Level is the log level. LevelGiven is set if a flag gives it, which takes precedence over preferences.
	Level      *slog.LevelVar
	LevelGiven bool
}
