package config

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
)

// Defaults of [WatchOptions].
const (
	DefaultQuiet = 100 * time.Millisecond
	DefaultPoll  = 2 * time.Second
)

const (
	// patience is how many quiet times a file is waited for that is written again and again.
	patience = 10

	// absence is how many quiet times a file must be gone or unreadable before that is believed:
	// there are editors that take the old file away before they put the new one in its place.
	absence = 3

	// maxTurns is how often in a row a file is read because its links were turned to other folders meanwhile.
	maxTurns = 40

	// coarse is more than any file system rounds its times by. A file that was changed so shortly
	// before it was read may have been changed again without looking any different.
	coarse = 3 * time.Second
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

	// Quiet is how long nothing must happen to the file before it is read; DefaultQuiet if 0. A file
	// that never comes to rest is read after ten times that.
	Quiet time.Duration

	// Poll is how often the file is looked at in case no notice comes, as on network folders, or
	// none can be had, as while the folder does not exist; DefaultPoll if 0.
	Poll time.Duration
}

// Watcher follows one configuration file through whatever editors do to it: write it in place, put
// another in its place, or delete it and write it again, through symbolic links or not.
type Watcher struct {
	location Location
	options  WatchOptions
	watching filewatch.Options

	known     bool     // whether anything has been delivered, or the owner has a document
	delivered contents // what that was
	seen      sighting // what the file looked like when it was last read
}

// NewWatcher prepares to follow the file at a location. Call [Watcher.Run], once, to do so.
func NewWatcher(location Location, options WatchOptions) *Watcher {
	if options.Quiet <= 0 {
		options.Quiet = DefaultQuiet
	}
	if options.Poll <= 0 {
		options.Poll = DefaultPoll
	}
	w := &Watcher{location: location, options: options}
	if last := options.Last; last != nil {
		w.known = true
		w.delivered = contents{missing: last.Source == nil, hash: sha256.Sum256(last.Source)}
	}
	return w
}

// contents tells apart what a file may hold. Two that are equal need not be delivered both.
type contents struct {
	missing bool
	hash    [sha256.Size]byte
	problem string
}

// sighting is what can be told of a file without reading it.
type sighting struct {
	info os.FileInfo // nil if there is none, for whatever reason
	at   time.Time
}

// same reports whether a later sighting is certainly of the same contents.
func (s sighting) same(later sighting) bool {
	return atomicfile.Unchanged(s.info, later.info) &&
		(s.info == nil || s.info.Mode() == later.info.Mode() && s.at.Sub(s.info.ModTime()).Abs() > coarse)
}

// Run follows the file until the context ends, and returns the context's error. Trouble with the
// system's notices is no error, since the file is then looked at from time to time.
func (w *Watcher) Run(ctx context.Context) error {
	folders := filewatch.New(w.watching)
	defer folders.Close()

	var (
		timer = time.NewTimer(0) // the first look comes at once
		pace  = filewatch.Pace{Quiet: w.options.Quiet, Most: patience * w.options.Quiet}
		armed = true
		must  = true // whether the file is to be read even if it looks the same
		gone  = !w.known
	)
	defer timer.Stop()
	poll := time.NewTicker(w.options.Poll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-folders.Touched:
			must, armed = true, true
			timer.Reset(pace.Wait(time.Now()))
			continue
		case <-folders.Stirred:
			if !armed { // so that a busy folder puts nothing off
				armed = true
				timer.Reset(w.options.Quiet)
			}
			continue
		case <-poll.C:
			if armed {
				continue
			}
		case <-timer.C:
		}
		read := must
		must, armed = false, false
		pace.Rest()
		if again := w.look(folders, read, gone); again {
			gone, must, armed = true, true, true
			timer.Reset(absence * w.options.Quiet)
		} else {
			gone = false
		}
	}
}

// look reads the file when it may have changed, or must be read, and delivers what is new. It asks
// to be called again when the file is gone or unreadable and that is not to be believed yet.
func (w *Watcher) look(folders *filewatch.Watch, must, gone bool) (again bool) {
	must = must || w.delivered.problem != ""
	folders.Follow(w.location.Path)
	for range maxTurns {
		now := sighting{at: time.Now()}
		now.info, _ = os.Stat(w.location.Path)
		if !must && w.seen.same(now) {
			return false
		}
		source, err := atomicfile.Read(w.location.Path, MaxSize)
		var found contents
		switch {
		case errors.Is(err, fs.ErrNotExist) && !w.location.Named:
			found.missing, err = true, nil
		case err != nil:
			err = w.location.explain(err)
			found.problem = err.Error()
		}
		found.hash = sha256.Sum256(source) // of nothing, if there is none
		if (!w.known || found != w.delivered) && (found.missing || err != nil) && !gone {
			return true
		}
		w.seen = now
		w.deliver(found, source, err)
		// The links may have been turned to other folders, where something may have happened before
		// we watched there.
		if added, _ := folders.Follow(w.location.Path); !added {
			break
		}
	}
	return false
}

func (w *Watcher) deliver(found contents, source []byte, err error) {
	if w.known && found == w.delivered {
		return
	}
	w.known, w.delivered = true, found
	switch {
	case w.options.Changed == nil:
	case err != nil:
		w.options.Changed(nil, err)
	case found.missing:
		w.options.Changed(emptyDocument(w.location.Path), nil)
	default:
		w.options.Changed(Parse(w.location.Path, source), nil)
	}
}
