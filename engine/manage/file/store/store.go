// Package store keeps the user's configuration file: every change to it, whether typed, clicked, dropped or
// made by another editor, goes through a [Store].
//
// A Store returns immutable documents and does one edit at a time: copy, change, diagnose, write atomically,
// notify subscribers. It never overwrites content that it has not read. If another program has changed the
// file meanwhile, the edit is done again on the new content if its meaning is certain there, and is otherwise
// refused as a [Conflict]. What was saved can be undone, and is kept in a history from which it can be
// restored later. The history does not contain secrets in clear; see docs/adr/020-history-and-secrets.md.
package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options says which file a [Store] keeps, and how. All fields except Location are optional.
type Options struct {
	// Location is the file. If it is Named, the file must exist; to make a new file, open a Location that is
	// not Named.
	Location config.Location

	// HistoryDir is the folder of the user's histories, from [paths.Folders.History]. If it is empty or
	// cannot be used, files are saved without a history.
	HistoryDir string

	// ReadOnly opens the file only for reading and previews. Nothing is written: no lock, no key and no
	// version. [Store.Preview], [Store.PlanRestore] and the methods that read the history work; saving fails
	// with [ErrReadOnly].
	ReadOnly bool

	// Approvals records what is saved as approved; it may be nil.
	Approvals *approval.Approvals

	// Unattended is set if no person may be present. What runs in a saved change then waits for approval, as
	// if another program had written it.
	Unattended bool

	// Author is the author of this store's edits; [AuthorCommandLine] if empty.
	Author Author

	// Logger gets other errors; slog.DiscardHandler if nil. It never gets values of the file.
	Logger *slog.Logger

	// MaxVersions and MaxBytes limit the history of the file; if 0, they are DefaultMaxVersions and
	// DefaultMaxBytes.
	MaxVersions int
	MaxBytes    int64

	// Quiet and Poll are those of config.WatchOptions, for [Store.Run].
	Quiet, Poll time.Duration
}

// Store keeps one configuration file. It is safe for concurrent use; edits wait for each other. Call
// [Store.Run] to follow the changes of other programs.
type Store struct {
	options    Options
	location   config.Location
	logger     *slog.Logger
	history    *history // never nil
	historyErr error    // why there is none, or nil

	// queue holds one token, which is taken during each change. It is a channel, so that a context can end
	// the wait for it.
	queue chan struct{}

	mu          sync.Mutex // guards the fields below; held only to read or set them
	current     *config.Document
	gone        *config.Document // the file as it was before another program removed it, or nil
	problem     error            // why the file cannot be read, or nil
	pending     *pending
	undo, redo  []done
	edits       uint64 // see Snapshot
	memory      memory
	subscribers map[chan struct{}]struct{}
}

// done is a saved edit: the content of the file before and after it.
type done struct {
	label         string
	says          words.Text
	before, after []byte
}

// maxUndo is how many edits can be undone.
const maxUndo = 200

// Open reads the file and returns its store. The error is that of config.Read; problems in the content are not errors.
// A store need not be closed.
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
		return nil, words.NewError("store.path", "Path", words.Quoted(options.Location.Path))
	}
	s := &Store{
		options:     options,
		location:    options.Location,
		logger:      options.Logger,
		queue:       make(chan struct{}, 1),
		subscribers: map[chan struct{}]struct{}{},
	}
	s.location.Path = filepath.Clean(s.location.Path)
	s.history, s.historyErr = openHistory(s.location, s.options, s.logger)
	if options.ReadOnly {
		document, err := config.Read(s.location)
		s.current = document
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	ctx := context.Background()
	unlock, err := lockFile(ctx, s.location.Path, s.options.lockFolder(s.historyErr))
	if err != nil {
		unlock = func() {} // the file can still be read
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

// openHistory returns the history of a file. If there is none, err says why, and nothing is recorded.
func openHistory(location config.Location, options Options, logger *slog.Logger) (_ *history, err error) {
	hasher := randomHasher()
	if options.HistoryDir == "" {
		err = words.Code("store.no_folder")
	} else if options.ReadOnly {
		hasher = readHasher(options.HistoryDir)
	} else if found, failed := openHasher(context.Background(), options.HistoryDir); failed != nil {
		err = failed
		logger.Warn("There is no history of the configuration", "folder", options.HistoryDir, "error", failed)
	} else {
		hasher = found
	}
	return &history{
		folder:      filepath.Join(options.HistoryDir, pathKey(location.Path)),
		hasher:      hasher,
		maxVersions: options.MaxVersions,
		maxBytes:    options.MaxBytes,
	}, err
}

// lockFolder returns the folder for lock files, or "".
func (o Options) lockFolder(historyErr error) string {
	if historyErr != nil || o.ReadOnly {
		return ""
	}
	return o.HistoryDir
}

// record adds a document to the history. The caller must hold the file's lock. An error is logged and
// returned; nothing else depends on it.
func (s *Store) record(document *config.Document, made Version) (id string, err error) {
	if len(bytes.TrimSpace(document.Source)) == 0 {
		return "", nil // there is no file, or another program is about to write it
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

// Location returns the path of the file.
func (s *Store) Location() config.Location { return s.location }

// Current returns the document in the file, as last read. It may have errors, including syntax errors; see
// [Snapshot] for a file that cannot be read.
func (s *Store) Current() *config.Document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// Snapshot is the state of a store at one moment.
type Snapshot struct {
	Document *config.Document // the document that was last read; never nil
	Problem  error            // why the file cannot be read now, or nil
	Pending  *Pending         // the edit that could not be saved, or nil
	Gone     bool             // another program has removed the file, and [Store.PutBack] writes it again

	// Edits changes whenever [Store.Undo] and [Store.Redo] would change other edits.
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
	snapshot.Gone = s.gone != nil && s.current.Source == nil && s.problem == nil
	if s.pending != nil {
		shown := s.pending.Pending
		snapshot.Pending = &shown
	}
	return snapshot
}

// Subscribe returns the state, and a channel that receives a signal whenever the state has changed. Several
// signals that were not received become one, so call [Store.Snapshot] after each. The channel is never
// closed. Call cancel when it is no longer needed.
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

// update changes the state and notifies subscribers.
func (s *Store) update(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	for c := range s.subscribers {
		pause.Wake(c)
	}
}

// enter waits until no other edit is running.
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

// seenLabel is the label of versions that other programs wrote.
const seenLabel = "found in the file"

func seen() Version {
	return Version{Label: seenLabel, Says: words.New("store.found"), Author: AuthorOther}
}

// Run follows other programs' changes to the file until ctx ends, and returns the error of ctx. It must be
// called only once.
func (s *Store) Run(ctx context.Context) error {
	watcher := config.NewWatcher(s.location, config.WatchOptions{
		Last:  s.Current(),
		Quiet: s.options.Quiet,
		Poll:  s.options.Poll,
		// What the watcher has read may be older than our own last write, so the file is read again.
		Changed: func(*config.Document, error) {
			if err := s.Reload(ctx); err != nil {
				s.logger.Debug("The configuration was not read again", "error", err)
			}
		},
	})
	return watcher.Run(ctx)
}

// Reload reads the file now, for a store without [Store.Run]. The error says why the file cannot be read; it
// is also in the [Snapshot].
func (s *Store) Reload(ctx context.Context) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	unlock, lockErr := lockFile(ctx, s.location.Path, s.options.lockFolder(s.historyErr))
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

// see makes a document that another program wrote the current one.
func (s *Store) see(document *config.Document, locked bool) {
	s.remember(s.Current().Source)
	if locked && !same(document.Source, s.Current().Source) {
		// If another store wrote it, it is in the history already, with a better label.
		_, _ = s.record(document, seen())
	}
	s.update(func() {
		if document.Source == nil && s.current.Source != nil {
			s.gone = s.current
		}
		s.current, s.problem = document, nil
	})
}

// missing reports whether an error of config.Read means that the file does not exist.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
