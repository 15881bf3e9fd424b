package approval

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrChanged is why a server is not started that another program has added or changed.
const ErrChanged = words.Code("approval.changed")

// DefaultPatience is how long the keychain may take to answer.
const DefaultPatience = 5 * time.Second

// Options say where an [Approvals] keeps what it knows.
type Options struct {
	Path     string        // of the file, from [paths.Folders.Approvals]
	Keychain Keychain      // nil: the key is in a file
	Patience time.Duration // how long the keychain may take to answer; 0 means [DefaultPatience]
	Retry    time.Duration // how long a keychain that refused is not asked again; 0 means 20 s
	Traces   []string      // files and folders that are there when a window may have been set up, besides those that are kept here
}

// Approvals knows what a person has approved to run. Its methods can be called from any goroutine. It reads nothing before the first question;
// it asks the keychain once, and again only when what it got does not fit the file.
type Approvals struct {
	vault    *vault
	patience time.Duration
	retry    time.Duration
	traces   []string
	woken    chan struct{} // has a value when a slow keychain has answered, or one that refused may be asked again

	changing chan struct{} // has a value during a change, since a file lock is not held against oneself on all systems

	mu      sync.Mutex
	known   located
	last    *state
	refused int      // how often the keychain has refused in a row
	reading *reading // under way, or nil
	making  *making  // under way, or done and not used yet, or nil
}

// New returns what is kept in a file. It reads nothing.
func New(options Options) *Approvals {
	if options.Patience <= 0 {
		options.Patience = DefaultPatience
	}
	if options.Retry <= 0 {
		options.Retry = retryAfter
	}
	return &Approvals{vault: newVault(options.Path, options.Keychain), patience: options.Patience, retry: options.Retry, traces: options.Traces, woken: make(chan struct{}, 1), changing: make(chan struct{}, 1)}
}

// state is what the file says, at one moment. It is never changed.
type state struct {
	seen      os.FileInfo // nil: there was no file
	condition Condition
	located
	record   record
	approved map[string]bool // by fingerprint
}

func newState(c content, seen os.FileInfo) *state {
	s := &state{seen: seen, condition: c.condition, located: c.located}
	if c.condition == Sound && json.Unmarshal(c.plain, &s.record) != nil {
		s.condition, s.record = Lost, record{} // of a version that nobody knows
	}
	s.approved = make(map[string]bool, len(s.record.Places))
	for _, p := range s.record.Places {
		s.approved[p.Print] = true
	}
	return s
}

// off reports whether nothing waits.
func (s *state) off() bool { return s.condition == Unused || s.record.Free }

// has reports whether an entry is approved.
func (s *state) has(server *config.Server) bool {
	return s.off() || s.key != nil && s.approved[s.key.fingerprint(server)]
}

// old returns the entry that was approved in a place, nil when there is none.
func (s *state) old(p place) *config.Server {
	i := slices.IndexFunc(s.record.Places, p.same)
	if i < 0 || s.record.Places[i].Entry == nil || s.key.fingerprint(s.record.Places[i].Entry) != s.record.Places[i].Print {
		return nil
	}
	return s.record.Places[i].Entry
}

// reading is one look at the file and, perhaps, the keychain.
type reading struct {
	done  chan struct{}
	began time.Time
	seen  os.FileInfo // the file that was read
	state *state
	err   error
}

// retryAfter is how long a keychain that refused is usually not asked again.
const retryAfter = 20 * time.Second

// maxRetryShift bounds how much longer the pause gets after each refusal, fourfold each time. Some systems ask the person whenever the keychain
// is asked, and one who has said no must not be asked three times a minute.
const maxRetryShift = 6

// now returns what the file says now. A keychain may take as long as a person does and cannot be cancelled: when it is not through in time,
// the answer is an error, and [Approvals.Run] tells when it has come.
func (a *Approvals) now(ctx context.Context) (*state, error) {
	seen, _ := os.Stat(a.vault.path)
	a.mu.Lock()
	if a.last != nil && atomicfile.Unchanged(a.last.seen, seen) && (a.last.condition != Unused || !exists(a.vault.lockFile())) {
		defer a.mu.Unlock()
		return a.last, nil
	}
	r := a.reading
	if r != nil && r.err != nil && (time.Since(r.began) > a.retry || a.known.key != nil && !atomicfile.Unchanged(r.seen, seen)) {
		r = nil // with a key that is known, another file may need no keychain
	}
	if r == nil {
		r = &reading{done: make(chan struct{}), began: time.Now()}
		a.reading = r
		go a.read(r, a.known)
	}
	a.mu.Unlock()
	select {
	case <-r.done: // maybe longer ago than our patience, which then says nothing
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

// answer returns what a reading that is done has found.
func (a *Approvals) answer(r *reading) (*state, error) {
	if r.err != nil && !a.traced() {
		// The keychain does not say whether there should be a file, and nothing else says that a window was ever set up. That is looked at for
		// every question, since it can change.
		return newState(content{}, nil), nil
	}
	return r.state, r.err
}

// traced reports whether anything tells that a window was set up.
func (a *Approvals) traced() bool {
	return exists(a.vault.path) || exists(a.vault.lockFile()) || exists(a.vault.keyFile()) || slices.ContainsFunc(a.traces, exists)
}

func (a *Approvals) read(r *reading, known located) {
	seen, _ := os.Stat(a.vault.path) // before it is read, so that a later change shows
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
		time.AfterFunc(rest+time.Millisecond, func() { pause.Wake(a.woken) })
	}
	if time.Since(r.began) > a.patience {
		pause.Wake(a.woken)
	}
}

// Check returns nil when an entry may be started. The error is [ErrChanged] when it waits for a person, and says otherwise why that is not
// known.
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

// Waiting is an entry that waits for a person.
type Waiting struct {
	Toolbox string
	Server  *config.Server
	Old     *config.Server // what a person has approved in its place; nil for one that was added
	Why     Reason
}

// Waiting returns the entries of a configuration that wait, in their order. file is its path.
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

// State is what a person has chosen.
type State struct {
	On   bool // entries that other programs write wait
	Free bool // the person edits the file with other programs, so that nothing waits
}

// State returns whether anything can wait.
func (a *Approvals) State(ctx context.Context) (State, error) {
	now, err := a.now(ctx)
	if err != nil {
		return State{}, words.NewError("approval.unknown", "Why", err)
	}
	return State{On: !now.off(), Free: now.record.Free}, nil
}

// Begin is the first start of the window: what is in the configuration then is taken as approved. Every later one changes nothing.
func (a *Approvals) Begin(ctx context.Context, file string, cfg *config.Config) error {
	return a.change(ctx, func(r *record, s *state) bool {
		if s.condition != Unused {
			return false
		}
		r.noteAll(s.key, file, cfg)
		return true
	})
}

// Save takes up that the person has saved a change: what it brought is approved, and what it took away no longer is. What waited before
// goes on waiting, also when the change gave it something else to run.
func (a *Approvals) Save(ctx context.Context, file string, before, after *config.Config) error {
	return a.save(ctx, file, before, after, false)
}

// Return is [Approvals.Save] for a change that brings back what was there before, such as an undo: of that, what was never approved waits.
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

// Approve approves entries as they were shown. When they have changed since, they go on waiting.
func (a *Approvals) Approve(ctx context.Context, file string, cfg *config.Config, shown ...Waiting) error {
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

// SetFree switches off that entries wait, since the person edits the file with other programs, or on again. What is in the configuration then
// is taken as approved.
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

// change changes the record under the lock. s is what was there; its key is never nil.
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

// tryChange is [Approvals.change], which is to be tried again when another program of ours has written with a key that is not known yet. The
// keychain is asked before the file is locked, since it may never answer.
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

// making is a key that is looked for, or made where there is none.
type making struct {
	done chan struct{}
	key  located
	made bool
	err  error
}

// newKey returns the key, and whether this program made it and has not used it. A keychain that is not through in time goes on, and the next
// change takes what it gave.
func (a *Approvals) newKey(ctx context.Context) (found located, made bool, err error) {
	a.mu.Lock()
	m := a.making
	if m == nil {
		m = &making{done: make(chan struct{})}
		a.making = m
		go func() {
			m.key, m.made, m.err = a.vault.findOrMakeKey()
			if m.err != nil {
				a.mu.Lock()
				a.making = nil
				a.mu.Unlock()
			}
			close(m.done)
		}()
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
