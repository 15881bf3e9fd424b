package link

import "context"

// Show asks the app that listens on endpoint to show its window. It returns [ErrNotRunning] when there is none.
func Show(ctx context.Context, endpoint string) error { return ErrNotRunning }

// App is what a running app tells about itself.
type App struct {
	Pid     int
	Program string // its version
}

// Probe returns the app that listens on endpoint, or [ErrNotRunning].
func Probe(ctx context.Context, endpoint string) (App, error) { return App{}, ErrNotRunning }
