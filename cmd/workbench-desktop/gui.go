package main

import "log/slog"

// desktopOptions are what the command line says of the window.
type desktopOptions struct {
	ConfigFlag string // --config
	Hidden     bool   // --hidden
	Open       string // the file that the window is to open

	Link string // --link: where engines find us; empty: the user's own place
	Log  *slog.Logger

	// Level is how much Log says. LevelGiven tells that the command line says so, which goes before preferences.
	Level      *slog.LevelVar
	LevelGiven bool
}
