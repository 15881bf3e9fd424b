package approval

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrChanged means that a server is not started because another program has added or changed its entry.
const ErrChanged = words.Code("approval.changed")

// ErrChangedAgain says that an entry has changed since a person was asked about it.
const ErrChangedAgain = words.Code("approval.changed_again")

// DefaultPatience is how long to wait for an answer of the keychain.
const DefaultPatience = 5 * time.Second

// Options are the options of an [Approvals].
type Options struct {
	Path     string        // of the file, usually [paths.Folders.Approvals]
	Keychain Keychain      // nil: the key is in a file
	Patience time.Duration // how long to wait for the keychain; 0 means [DefaultPatience]
	Retry    time.Duration // how long to wait before asking a keychain again that refused; 0 means 20 s
	Traces   []string      // files and folders whose existence shows that a window may have been set up, besides the files kept here
}

// Approvals records what a person has approved to run. It is safe for concurrent use. It reads nothing before
// it is first used. It asks the keychain once, and again only if the key does not fit the file.
type Approvals struct {
	vault    *vault
	patience time.Duration
	retry    time.Duration
	traces   []string
	woken    chan struct{} // receives a value when a slow keychain has answered, or one that refused may be asked again

	changing chan struct{} // holds a value during a change, since on some systems a file lock does not exclude the same process

	mu      sync.Mutex
	known   located
	last    *state
	refused int      // how often in a row the keychain has refused
	reading *reading // the running reading, or nil
	making  *making  // running, or done and not used yet; or nil
}

// New returns the Approvals stored in a file. It does not read the file yet.
func New(options Options) *Approvals {
	if options.Patience <= 0 {
		options.Patience = DefaultPatience
	}
	if options.Retry <= 0 {
		options.Retry = retryAfter
	}
	return &Approvals{vault: newVault(options.Path, options.Keychain), patience: options.Patience, retry: options.Retry, traces: options.Traces, woken: make(chan struct{}, 1), changing: make(chan struct{}, 1)}
}

// state is the content of the file at one moment. It is never changed.
type state struct {
	seen      os.FileInfo // nil if there was no file
	condition Condition
	located
	record   record
	approved map[string]bool // by fingerprint
}

func newState(c content, seen os.FileInfo) *state {
	s := &state{seen: seen, condition: c.condition, located: c.located}
	if c.condition == Sound && json.Unmarshal(c.plain, &s.record) != nil {
		s.condition, s.record = Lost, record{} // written by an unknown version
	}
	s.approved = make(map[string]bool, len(s.record.Places))
	for _, p := range s.record.Places {
		s.approved[p.Print] = true
	}
	return s
}

// off reports whether no entry waits for approval.
func (s *state) off() bool { return s.condition == Unused || s.record.Free }

// has reports whether an entry is approved.
func (s *state) has(server *config.Server) bool {
	return s.off() || s.key != nil && s.approved[s.key.fingerprint(server)]
}

// old returns the entry that was approved at a place; nil if there is none.
func (s *state) old(p place) *config.Server {
	i := slices.IndexFunc(s.record.Places, p.same)
	if i < 0 || s.record.Places[i].Entry == nil || s.key.fingerprint(s.record.Places[i].Entry) != s.record.Places[i].Print {
		return nil
	}
	return s.record.Places[i].Entry
}

// reading is one read of the file and, perhaps, of the keychain.
type reading struct {
	done  chan struct{}
	began time.Time
	seen  os.FileInfo // the file that was read
	state *state
	err   error
}

// retryAfter is the usual pause before a keychain that refused is asked again.
const retryAfter = 20 * time.Second

// maxRetryShift limits the pause, which becomes four times as long after each refusal. Some systems ask the
// person whenever the keychain is asked, and a person who has refused must not be asked three times a minute.
const maxRetryShift = 6

// now returns the current state. The keychain may ask the person, and cannot be cancelled: if it does not
// answer in time, now returns an error, and [Approvals.Run] notifies when it has answered.
func (a *Approvals) now(ctx context.Context) (*state, error) {
	seen, _ := os.Stat(a.vault.path)
	a.mu.Lock()
	if a.last != nil && atomicfile.Unchanged(a.last.seen, seen) && (a.last.condition != Unused || !exists(a.vault.lockFile())) {
		defer a.mu.Unlock()
		return a.last, nil
	}
	r := a.reading
	if r != nil && r.err != nil && (time.Since(r.began) > a.retry || a.known.key != nil && !atomicfile.Unchanged(r.seen, seen)) {
		r = nil // with the known key, another file may need no keychain
	}
	if r == nil {
		r = &reading{done: make(chan struct{}), began: time.Now()}
		a.reading = r
		background.Go(func() { a.read(r, a.known) })
	}
	a.mu.Unlock()
	select {
	case <-r.done: // it may have finished before our wait began
		return a.answer(r)
	default:
	}
	timer := time.NewTimer(a.patience - time.Since(r.began))
	defer timer.Stop()
	select {
	case <-r.done:
		return a.answer(r)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, words.NewError("approval.keychain_slow")
	}
}

// answer returns the result of a finished reading.
func (a *Approvals) answer(r *reading) (*state, error) {
	if r.err != nil && !a.traced() {
		// The keychain does not say whether there should be a file, and nothing else shows that a window was
		// ever set up. This is checked each time, since it can change.
		return newState(content{}, nil), nil
	}
	return r.state, r.err
}

// traced reports whether anything shows that a window was set up.
func (a *Approvals) traced() bool {
	return exists(a.vault.path) || exists(a.vault.lockFile()) || exists(a.vault.keyFile()) || slices.ContainsFunc(a.traces, exists)
}

func (a *Approvals) read(r *reading, known located) {
	seen, _ := os.Stat(a.vault.path) // before it is read, so that a later change is noticed
	c, err := a.vault.read(known)
	a.mu.Lock()
	if err == nil {
		r.state = newState(c, seen)
		a.last, a.reading = r.state, nil
		if c.key != nil {
			a.known = c.located
		}
	}
	r.seen, r.err = seen, err
	rest := a.retry << min(2*a.refused, maxRetryShift)
	if a.refused++; err == nil {
		a.refused = 0
	}
	a.mu.Unlock()
	close(r.done)
	if err != nil {
		background.After(rest+time.Millisecond, func() { pause.Wake(a.woken) })
	}
	if time.Since(r.began) > a.patience {
		pause.Wake(a.woken)
	}
}

// Check returns nil if an entry may be started. The error is [ErrChanged] if the entry waits for a person;
// any other error says why that is not known.
func (a *Approvals) Check(ctx context.Context, server *config.Server) error {
	now, err := a.now(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return words.NewError("approval.unknown", "Why", err)
	case !now.has(server):
		return ErrChanged
	}
	return nil
}

// Waiting is an entry that waits for a person's approval.
type Waiting struct {
	Toolbox string
	Server  *config.Server
	Old     *config.Server // the approved entry at its place; nil if it was added
	Why     Reason
}

// in reports whether a configuration has the entry unchanged.
func (w Waiting) in(cfg *config.Config) bool {
	for toolbox, server := range servers(cfg) {
		if toolbox.Name == w.Toolbox && server.Name == w.Server.Name {
			return server.SameGuarded(w.Server)
		}
	}
	return false
}

// Waiting returns the waiting entries of a configuration, in their order. file is the path of the
// configuration.
func (a *Approvals) Waiting(ctx context.Context, file string, cfg *config.Config) ([]Waiting, error) {
	now, err := a.now(ctx)
	if err != nil {
		return nil, words.NewError("approval.unknown", "Why", err)
	}
	if now.off() {
		return nil, nil
	}
	var waiting []Waiting
	for toolbox, server := range servers(cfg) {
		if !now.has(server) {
			why := NoRecord
			if now.key != nil {
				why = now.reason(file, now.key.fingerprint(server))
			}
			waiting = append(waiting, Waiting{toolbox.Name, server, now.old(place{File: file, Toolbox: toolbox.Name, Server: server.Name}), why})
		}
	}
	return waiting, nil
}

// State is what the person has chosen.
type State struct {
	On   bool // entries written by other programs wait for approval
	Free bool // the person edits the file with other programs, so no entry waits
}

// State returns whether entries can wait.
func (a *Approvals) State(ctx context.Context) (State, error) {
	now, err := a.now(ctx)
	if err != nil {
		return State{}, words.NewError("approval.unknown", "Why", err)
	}
	return State{On: !now.off(), Free: now.record.Free}, nil
}

// Begin is called at each start of the window. The first time, it approves what is in the configuration.
// After that it changes nothing.
func (a *Approvals) Begin(ctx context.Context, file string, cfg *config.Config) error {
	return a.change(ctx, func(r *record, s *state) bool {
		if s.condition != Unused {
			return false
		}
		r.noteAll(s.key, file, cfg)
		return true
	})
}

// Save records a change that the person has saved: entries that it added are approved, and entries that it
// removed are no longer. Entries that waited before still wait, even if the change altered what they run.
func (a *Approvals) Save(ctx context.Context, file string, before, after *config.Config) error {
	return a.save(ctx, file, before, after, false)
}

// Return is like [Approvals.Save] for a change that restores an earlier state, such as an undo: restored
// entries that were never approved wait.
func (a *Approvals) Return(ctx context.Context, file string, before, after *config.Config) error {
	return a.save(ctx, file, before, after, true)
}

func (a *Approvals) save(ctx context.Context, file string, before, after *config.Config, returns bool) error {
	if sameGuarded(before, after) {
		return nil
	}
	now, err := a.now(ctx)
	if err != nil || now.condition == Unused {
		return err
	}
	return a.change(ctx, func(r *record, s *state) bool {
		if s.condition == Unused {
			return false
		}
		return r.take(s, file, before, after, returns)
	})
}

// Approve approves entries as they were shown. cfg is the newest content of the file. If it does not contain an
// entry as it was shown, Approve approves nothing and returns [ErrChangedAgain].
func (a *Approvals) Approve(ctx context.Context, file string, cfg *config.Config, shown ...Waiting) error {
	if slices.ContainsFunc(shown, func(w Waiting) bool { return !w.in(cfg) }) {
		return ErrChangedAgain
	}
	return a.change(ctx, func(r *record, s *state) bool {
		r.decided(s, file, cfg)
		for _, w := range shown {
			r.note(s.key, place{File: file, Toolbox: w.Toolbox, Server: w.Server.Name, Entry: w.Server})
		}
		r.forget(s.key, file, cfg)
		r.trim(file, cfg)
		return len(shown) > 0
	})
}

// SetFree sets whether the person edits the file with other programs, so that no entry waits. What is in the
// configuration at that moment is approved.
func (a *Approvals) SetFree(ctx context.Context, file string, cfg *config.Config, free bool) error {
	return a.change(ctx, func(r *record, s *state) bool {
		if !free {
			r.noteAll(s.key, file, cfg)
		}
		changed := r.Free != free || !free
		r.Free = free
		return changed
	})
}

// change changes the record under the lock. s is the state before; its key is never nil.
func (a *Approvals) change(ctx context.Context, change func(r *record, s *state) bool) error {
	select {
	case a.changing <- struct{}{}:
		defer func() { <-a.changing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		again, err := a.tryChange(ctx, change)
		if !again {
			return err
		}
	}
}

// tryChange does the work of [Approvals.change]. again is set if it must be tried again because another
// program of ours has written with an unknown key. The keychain is asked before the file is locked, since it
// may never answer.
func (a *Approvals) tryChange(ctx context.Context, change func(r *record, s *state) bool) (again bool, err error) {
	now, err := a.now(ctx)
	if err != nil {
		return false, words.NewError("approval.unknown", "Why", err)
	}
	key, unused := now.located, false
	if key.key == nil {
		if key, unused, err = a.newKey(ctx); err != nil {
			return false, words.NewError("approval.not_kept", "File", a.vault.path, "Why", err)
		}
		unused = unused && now.condition == Unused
	}
	unlock, err := a.vault.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	c, err := a.vault.load()
	if err != nil {
		return false, words.NewError("approval.unknown", "Why", err)
	}
	c.condition, c.located = Lost, key
	switch seen, _ := os.Stat(a.vault.path); {
	case c.open(a.vault.path):
	case c.raw == nil && unused:
		c.condition = Unused
	case c.raw != nil && !atomicfile.Unchanged(now.seen, seen):
		return ctx.Err() == nil, ctx.Err()
	}
	s := newState(c, nil)
	r := s.record.clone()
	if !change(&r, s) {
		return false, nil
	}
	plain, err := json.Marshal(r)
	if err == nil {
		c, err = a.vault.write(c, plain)
	}
	if err != nil {
		return false, words.NewError("approval.not_kept", "File", a.vault.path, "Why", err)
	}
	seen, _ := os.Stat(a.vault.path)
	a.mu.Lock()
	a.last, a.known, a.making = newState(c, seen), c.located, nil
	a.mu.Unlock()
	return false, nil
}

// making is a key that is being read, or made if there is none.
type making struct {
	done chan struct{}
	key  located
	made bool
	err  error
}

// newKey returns the key. made is set if this program has just made it. A keychain that does not answer in
// time continues, and the next change uses its answer.
func (a *Approvals) newKey(ctx context.Context) (found located, made bool, err error) {
	a.mu.Lock()
	m := a.making
	if m == nil {
		m = &making{done: make(chan struct{})}
		a.making = m
		background.Go(func() {
			m.key, m.made, m.err = a.vault.findOrMakeKey()
			if m.err != nil {
				a.mu.Lock()
				a.making = nil
				a.mu.Unlock()
			}
			close(m.done)
		})
	}
	a.mu.Unlock()
	timer := time.NewTimer(a.patience)
	defer timer.Stop()
	select {
	case <-m.done:
		return m.key, m.made, m.err
	case <-ctx.Done():
		return located{}, false, ctx.Err()
	case <-timer.C:
		return located{}, false, words.NewError("approval.keychain_slow")
	}
}

// sameGuarded reports whether two configurations run the same, entry by entry.
func sameGuarded(before, after *config.Config) bool {
	type at struct{ toolbox, server string }
	were := map[at]*config.Server{}
	for toolbox, server := range servers(before) {
		were[at{toolbox.Name, server.Name}] = server
	}
	n := 0
	for toolbox, server := range servers(after) {
		n++
		was := were[at{toolbox.Name, server.Name}]
		if was == nil || was != server && !was.SameGuarded(server) {
			return false
		}
	}
	return n == len(were)
}
