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

// Default values of [WatchOptions].
const (
	DefaultQuiet = 100 * time.Millisecond
	DefaultPoll  = 2 * time.Second
)

const (
	// patience is how many quiet times to wait for a file that is being written again and again.
	patience = 10

	// absence is how many quiet times a file must be missing or unreadable before that is reported: some
	// editors remove the old file before they write the new one.
	absence = 3

	// maxTurns is how often in a row a file is read again because its links were changed to other folders
	// meanwhile.
	maxTurns = 40

	// coarse is longer than the resolution of any file system's times. A file that was changed less than that
	// before it was read may have been changed again without looking different.
	coarse = 3 * time.Second
)

// WatchOptions are the options of a [Watcher]. Only Changed is required.
type WatchOptions struct {
	// Changed is called with the document whenever the content of the file differs from what was delivered
	// last, and with an error whenever the file can no longer be read. The calls come one at a time, on the
	// goroutine of [Watcher.Run].
	Changed func(*Document, error)

	// Last is the document that the caller already has. The first call of Changed then comes when the file
	// differs from it. If nil, the file is delivered once at the start.
	Last *Document

	// Quiet is how long the file must not change before it is read; DefaultQuiet if 0. A file that keeps
	// changing is read after ten times that.
	Quiet time.Duration

	// Poll is how often the file is checked without a notification; DefaultPoll if 0. There may be no
	// notifications on network folders, and while the folder does not exist.
	Poll time.Duration
}

// Watcher follows one configuration file through everything that editors do to it: they write it in place,
// replace it, or delete it and write it again, with or without symbolic links.
type Watcher struct {
	location Location
	options  WatchOptions
	watching filewatch.Options

	known     bool     // whether a document was delivered, or the caller had one
	delivered contents // the delivered content
	seen      sighting // the state of the file when it was last read
}

// NewWatcher returns a Watcher for the file at a location. Call [Watcher.Run] once to follow the file.
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

// contents identifies the content of a file. Equal contents are not delivered again.
type contents struct {
	missing bool
	hash    [sha256.Size]byte
	problem string
}

// sighting is what is known of a file without reading it.
type sighting struct {
	info os.FileInfo // nil if there is none, for any reason
	at   time.Time
}

// same reports whether the file certainly has the same content in a later sighting.
func (s sighting) same(later sighting) bool {
	return atomicfile.Unchanged(s.info, later.info) &&
		(s.info == nil || s.info.Mode() == later.info.Mode() && s.at.Sub(s.info.ModTime()).Abs() > coarse)
}

// Run follows the file until ctx ends, and returns the error of ctx. A failure of the system's notifications
// is no error, since the file is then polled.
func (w *Watcher) Run(ctx context.Context) error {
	folders := filewatch.New(w.watching)
	defer folders.Close()

	var (
		timer = time.NewTimer(0) // the first check comes at once
		pace  = filewatch.Pace{Quiet: w.options.Quiet, Most: patience * w.options.Quiet}
		armed = true
		must  = true // whether to read the file even if it looks unchanged
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
			if !armed { // so that a busy folder does not delay the check
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

// look reads the file if it may have changed or must be read, and delivers new content. It returns true if it
// must be called again because the file is missing or unreadable and this is not certain yet.
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
		found.hash = sha256.Sum256(source) // the hash of nothing if there is no file
		if (!w.known || found != w.delivered) && (found.missing || err != nil) && !gone {
			return true
		}
		w.seen = now
		w.deliver(found, source, err)
		// The links may now lead to other folders, where a change may have happened before they were watched.
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
