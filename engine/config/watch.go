package config

import (
	"context"
	"time"
)

// WatchOptions says how a [Watcher] watches. The zero value is useful but for Changed.
type WatchOptions struct {
	// Changed is called with the document each time that the bytes of the file differ from those
	// delivered last, and with an error each time that the file can no longer be read. The calls
	// come one at a time, on the goroutine of [Watcher.Run].
	Changed func(*Document, error)

	// Last is the document that the owner has already. The first call of Changed then comes when
	// the file differs from it. When nil, the file is delivered once at the start.
	Last *Document

	// Quiet is how long the folder must be quiet before the file is read; 100 ms by default.
	Quiet time.Duration

	// Poll is how often the file is looked at, in case no notice comes; 2 s by default.
	Poll time.Duration
}

// Watcher follows one configuration file.
type Watcher struct {
	location Location
	options  WatchOptions
}

// NewWatcher prepares to follow the file at a location. Call [Watcher.Run] to do so.
func NewWatcher(location Location, options WatchOptions) *Watcher {
	return &Watcher{location: location, options: options}
}

// Run follows the file until the context ends.
func (w *Watcher) Run(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}
