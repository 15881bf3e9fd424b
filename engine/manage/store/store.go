// Package store keeps the user's configuration file: every change to it, whether typed, clicked,
// dropped or made by another editor, goes through a [Store] (architecture.md, rule 3).
//
// A Store hands out immutable documents and takes edits one at a time: copy, change, diagnose, write
// atomically, tell subscribers. It never writes over what it has not seen. When another program has
// changed the file meanwhile, the edit is done again on the new file if there is no doubt about what
// it means there, and refused as a [Conflict] otherwise. What was saved can be undone, and is kept in a
// history from which it can be restored later. The history has no secrets in clear; see
// docs/adr/020-history-and-secrets.md.
package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options says which file a [Store] keeps, and how. Everything but Location may be left out.
type Options struct {
	// Location is the file. One that is Named must exist; to make a new one, open it as not Named.
	Location config.Location

	// HistoryDir is the folder of the user's histories, from [paths.Folders.History]. When it is empty or
	// cannot be used, files are saved all the same, but without history.
	HistoryDir string

	// ReadOnly opens the file only to look and to ask what an edit would do: nothing at all is written, no lock, no
	// key and no version either. [Store.Preview], [Store.PlanRestore] and what reads the history work; saving
	// is refused with [ErrReadOnly].
	ReadOnly bool

	// Approvals gets to know what is saved, so that it need not be approved; nil if nobody does.
	Approvals *approval.Approvals

	// Unattended is set when no person is certain to be there: what runs in what is saved waits, as if another program had written it.
	Unattended bool

	// Author is who makes the edits of this store; [AuthorCommandLine] if empty.
	Author Author

	// Logger gets what goes wrong besides; slog.DiscardHandler if nil. It never gets values.
	Logger *slog.Logger

	// MaxVersions and MaxBytes bound the history of the file; DefaultMaxVersions and
	// DefaultMaxBytes if 0.
	MaxVersions int
	MaxBytes    int64

	// Quiet and Poll are those of config.WatchOptions, for [Store.Run].
	Quiet, Poll time.Duration
}

// Store keeps one configuration file. All methods may be called from any goroutine; edits wait for
// each other. Call [Store.Run] for a store that lives on, so that it follows what other editors do.
type Store struct {
	options    Options
	location   config.Location
	logger     *slog.Logger
	history    *history // never nil
	historyErr error    // why there is none, or nil
	hasher     hasher

	// queue holds one token, which whoever changes anything has meanwhile. It is a channel so that
	// waiting for it ends with the context.
	queue chan struct{}

	mu          sync.Mutex // guards what follows; never held while anything is done
	current     *config.Document
	problem     error // why the file can't be read, or nil
	pending     *pending
	undo, redo  []done
	edits       uint64 // see Snapshot
	memory      memory
	subscribers map[chan struct{}]struct{}
}

// done is an edit that was saved, by what was in the file before and after.
type done struct {
	label         string
	says          words.Text
	before, after []byte
}

// maxUndo is how many edits can be undone.
const maxUndo = 200

// Open reads the file and begins to keep it. Its errors are those of config.Read; a file with errors
// in it is no error. There is nothing to close.
func Open(options Options) (*Store, error) {
	if options.Author == "" {
		options.Author = AuthorCommandLine
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.MaxVersions <= 0 {
		options.MaxVersions = DefaultMaxVersions
	}
	if options.MaxBytes <= 0 {
		options.MaxBytes = DefaultMaxBytes
	}
	if !filepath.IsAbs(options.Location.Path) {
		return nil, words.NewError("store.path", "Path", strconv.Quote(options.Location.Path))
	}
	s := &Store{
		options:     options,
		location:    options.Location,
		logger:      options.Logger,
		queue:       make(chan struct{}, 1),
		subscribers: map[chan struct{}]struct{}{},
	}
	s.location.Path = filepath.Clean(s.location.Path)
	s.openHistory()
	if options.ReadOnly {
		document, err := config.Read(s.location)
		s.current = document
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	ctx := context.Background()
	unlock, err := lockFile(ctx, s.location.Path, s.lockFolder())
	if err != nil {
		unlock = func() {} // reading is possible all the same
	}
	defer unlock()
	document, readErr := config.Read(s.location)
	if readErr != nil {
		return nil, readErr
	}
	s.current = document
	if err == nil {
		_, _ = s.record(document, seen())
	}
	return s, nil
}

func (s *Store) openHistory() {
	s.hasher = randomHasher()
	if s.options.HistoryDir == "" {
		s.historyErr = words.Code("store.no_folder")
	} else if s.options.ReadOnly {
		s.hasher = readHasher(s.options.HistoryDir)
	} else if found, err := openHasher(context.Background(), s.options.HistoryDir); err != nil {
		s.historyErr = err
		s.logger.Warn("There is no history of the configuration", "folder", s.options.HistoryDir, "error", err)
	} else {
		s.hasher = found
	}
	s.history = &history{
		folder:      filepath.Join(s.options.HistoryDir, pathKey(s.location.Path)),
		hasher:      s.hasher,
		maxVersions: s.options.MaxVersions,
		maxBytes:    s.options.MaxBytes,
	}
}

// lockFolder is the folder for lock files, or nothing.
func (s *Store) lockFolder() string {
	if s.historyErr != nil || s.options.ReadOnly {
		return ""
	}
	return s.options.HistoryDir
}

// record keeps a document in the history. The file must be locked. Trouble is logged and returned,
// but nothing depends on it.
func (s *Store) record(document *config.Document, made Version) (id string, err error) {
	if len(bytes.TrimSpace(document.Source)) == 0 {
		return "", nil // there is no file, or somebody is about to write it
	}
	if s.options.ReadOnly {
		return "", nil
	}
	if s.historyErr != nil {
		return "", words.NewError("store.no_history", "Why", s.historyErr)
	}
	id, err = s.history.record(s.location.Path, document.Source, made, time.Now())
	if err != nil {
		s.logger.Warn("A version of the configuration is not in the history", "error", err)
		err = words.NewError("store.not_kept", "Folder", s.history.folder, "Why", err)
	}
	return id, err
}

// Location returns where the file is.
func (s *Store) Location() config.Location { return s.location }

// Current returns the document as it is in the file, as far as the store knows. It may have errors,
// also of syntax; see [Snapshot] for a file that cannot be read.
func (s *Store) Current() *config.Document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// Snapshot is the state of a store at one moment.
type Snapshot struct {
	Document *config.Document // never nil; what could be read last
	Problem  error            // why the file cannot be read now, or nil
	Pending  *Pending         // the edit that could not be saved, or nil

	// Undo and Redo are the labels of the edits that [Store.Undo] and [Store.Redo] would take, or empty.
	Undo, Redo string

	// Edits is another number when Undo and Redo are about another edit.
	Edits uint64
}

// Snapshot returns the state of the store.
func (s *Store) Snapshot() Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot()
}

func (s *Store) snapshot() Snapshot {
	snapshot := Snapshot{Document: s.current, Problem: s.problem, Edits: s.edits}
	if n := len(s.undo); n > 0 {
		snapshot.Undo = s.undo[n-1].label
	}
	if n := len(s.redo); n > 0 {
		snapshot.Redo = s.redo[n-1].label
	}
	if s.pending != nil {
		shown := s.pending.Pending
		snapshot.Pending = &shown
		snapshot.Undo = s.pending.Label
	}
	return snapshot
}

// Subscribe returns the state and a channel that gets a signal whenever the state has changed
// since. Signals that are not taken become one, so a subscriber asks for the newest [Store.Snapshot]
// after each. The channel is never closed; call cancel when it is not needed any more.
func (s *Store) Subscribe() (now Snapshot, changed <-chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subscribers[c] = struct{}{}
	return s.snapshot(), c, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.subscribers, c)
	}
}

// update changes the state and tells subscribers.
func (s *Store) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	for c := range s.subscribers {
		pause.Wake(c)
	}
}

// enter waits for the other edits to end.
func (s *Store) enter(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case s.queue <- struct{}{}:
		return func() { <-s.queue }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// seenLabel is the label of versions that come from elsewhere.
const seenLabel = "found in the file"

func seen() Version {
	return Version{Label: seenLabel, Says: words.New("store.found"), Author: AuthorOther}
}

// Run follows what other programs do to the file, until the context ends, and returns the context's
// error. It is called once.
func (s *Store) Run(ctx context.Context) error {
	watcher := config.NewWatcher(s.location, config.WatchOptions{
		Last:  s.Current(),
		Quiet: s.options.Quiet,
		Poll:  s.options.Poll,
		// What the watcher has read may be older by now than what we wrote ourselves, so it is only
		// taken as a sign.
		Changed: func(*config.Document, error) {
			if err := s.Reload(ctx); err != nil {
				s.logger.Debug("The configuration was not read again", "error", err)
			}
		},
	})
	return watcher.Run(ctx)
}

// Reload looks at the file now, for a store without [Store.Run]. The error is the reason why the
// file cannot be read, which is also in the [Snapshot].
func (s *Store) Reload(ctx context.Context) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	unlock, lockErr := lockFile(ctx, s.location.Path, s.lockFolder())
	if lockErr == nil {
		defer unlock()
	}
	document, err := config.Read(s.location)
	s.mu.Lock()
	known := (s.problem == nil) == (err == nil) && (err == nil || s.problem.Error() == err.Error())
	known = known && (err != nil || same(document.Source, s.current.Source))
	s.mu.Unlock()
	switch {
	case known:
	case err != nil:
		s.update(func() { s.problem = err })
	default:
		s.see(document, lockErr == nil)
	}
	return err
}

// see takes up what another program wrote.
func (s *Store) see(document *config.Document, locked bool) {
	s.remember(s.Current().Source)
	if locked && !same(document.Source, s.Current().Source) {
		// Another store has put it into the history itself, with a better label.
		_, _ = s.record(document, seen())
	}
	s.update(func() { s.current, s.problem = document, nil })
}

// missing reports whether an error of config.Read is about a file that doesn't exist.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
