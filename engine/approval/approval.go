package approval

import (
	"context"
	"os"
	"slices"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrChanged means that a server is not started because another program has added or changed its entry.
const ErrChanged = words.Code("approval.changed")

// ErrChangedAgain says that an entry has changed since a person was asked about it.
const ErrChangedAgain = words.Code("approval.changed_again")

// Options are the options of an [Approvals].
type Options struct {
	// Path is that of the record, usually [paths.Folders.Approvals]. The environment may decide where that is.
	Path string
	// Account is the path of the record in the account's own place, which no variable changes. If there is a record,
	// it counts, and not the one at Path. Empty means that there is no such place.
	Account string
}

// Approvals records what a person has approved to run. It is safe for concurrent use. It reads nothing before
// it is first used.
type Approvals struct {
	here, account files

	// holds a value during a change, since on some systems a file lock does not exclude the same process
	changing chan struct{}

	mu   sync.Mutex
	last *state
}

// New returns the Approvals stored in a file. It does not read the file yet.
func New(options Options) *Approvals {
	return &Approvals{here: files{options.Path}, account: files{options.Account},
		changing: make(chan struct{}, 1)}
}

// files returns the files that count.
func (a *Approvals) files() files {
	if a.account.path != "" && a.account.used() {
		return a.account
	}
	return a.here
}

// state is the content of the files at one moment. It is never changed.
type state struct {
	from     files
	seen     os.FileInfo // nil if there was no record
	unused   bool        // nobody has ever approved anything
	lost     error       // why the record cannot be used; nil if it can
	key      key         // nil if there is none
	record   record
	approved map[string]bool // by fingerprint
}

// off reports whether no entry waits for approval.
func (s *state) off() bool { return s.unused || s.record.Free }

// has reports whether an entry may be started at a place.
func (s *state) has(p approvedEntry, server *config.Server) bool {
	return s.off() || s.key != nil && s.approves(p, server)
}

// approves reports whether an entry is approved at a place. That it was approved anywhere is enough, with one
// exception: if the person wants to be asked before the tools of this entry act, then without that it is approved only
// at the places where it was approved so. Otherwise a copy that does not ask would switch asking off for all.
func (s *state) approves(p approvedEntry, server *config.Server) bool {
	print := s.key.fingerprint(server)
	if !s.approved[print] || server.AskFirst {
		return s.approved[print]
	}
	asking := *server
	asking.AskFirst = true
	return !s.approved[s.key.fingerprint(&asking)] ||
		slices.ContainsFunc(s.record.Places, func(o approvedEntry) bool { return o.same(p) && o.Print == print })
}

// old returns the entry that was approved at a place; nil if there is none.
func (s *state) old(p approvedEntry) *config.Server {
	if i := slices.IndexFunc(s.record.Places, p.same); i >= 0 {
		return s.record.Places[i].Entry
	}
	return nil
}

// now returns the current state.
func (a *Approvals) now() *state {
	from := a.files()
	seen, _ := os.Stat(from.path)
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := a.last; s != nil && s.from == from && atomicfile.Unchanged(s.seen, seen) &&
		(!s.unused || !from.used() || seen != nil) {
		return s
	}
	a.last = from.read()
	return a.last
}

// Check returns nil if an entry of a toolbox may be started. The error is [ErrChanged] if the entry waits for a
// person. file is the path of the configuration.
func (a *Approvals) Check(file, toolbox string, server *config.Server) error {
	if !a.now().has(approvedEntry{File: file, Toolbox: toolbox, Server: server.Name}, server) {
		return ErrChanged
	}
	return nil
}

// In returns [Approvals.Check] for the entries of one file.
func (a *Approvals) In(file string) func(ctx context.Context, toolbox string, server *config.Server) error {
	return func(_ context.Context, toolbox string, server *config.Server) error {
		return a.Check(file, toolbox, server)
	}
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
			return server.SameApproval(w.Server)
		}
	}
	return false
}

// Waiting returns the waiting entries of a configuration, in their order. file is the path of the
// configuration.
func (a *Approvals) Waiting(file string, cfg *config.Config) []Waiting {
	now := a.now()
	if now.off() {
		return nil
	}
	var waiting []Waiting
	for toolbox, server := range servers(cfg) {
		at := approvedEntry{File: file, Toolbox: toolbox.Name, Server: server.Name}
		if !now.has(at, server) {
			why := NoRecord
			if now.key != nil {
				why = now.reason(file, now.key.fingerprint(server))
			}
			waiting = append(waiting, Waiting{toolbox.Name, server, now.old(at), why})
		}
	}
	return waiting
}

// State is what the person has chosen.
type State struct {
	On   bool  // entries written by other programs wait for approval
	Free bool  // the person edits the file with other programs, so no entry waits
	Lost error // why the record cannot be used, so that all entries wait; nil if it can
}

// State returns whether entries can wait.
func (a *Approvals) State() State {
	now := a.now()
	return State{On: !now.off(), Free: now.record.Free, Lost: now.lost}
}

// Begin is called at each start of the window. The first time, it approves what is in the configuration.
// After that it changes nothing.
func (a *Approvals) Begin(ctx context.Context, file string, cfg *config.Config) error {
	if !a.now().unused {
		return nil
	}
	return a.change(ctx, func(r *record, s *state) bool {
		if !s.unused {
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
	if sameGuarded(before, after) || a.now().unused {
		return nil
	}
	return a.change(ctx, func(r *record, s *state) bool {
		return !s.unused && r.take(s, file, before, after, returns)
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
			r.note(s.key, approvedEntry{File: file, Toolbox: w.Toolbox, Server: w.Server.Name, Entry: w.Server})
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
	s := a.now()
	unlock, err := s.from.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if !s.unused || s.from.wrote() { // otherwise the lock, which is new, would count as a trace
		s = s.from.read()
	}
	if s.key == nil {
		s.key = newKey()
	}
	r := s.record.clone()
	if !change(&r, s) {
		return nil
	}
	written, err := s.from.write(s, r)
	if err != nil {
		return words.NewError("approval.not_kept", "File", s.from.path, "Why", err)
	}
	a.mu.Lock()
	a.last = written
	a.mu.Unlock()
	return nil
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
		if was == nil || was != server && !was.SameApproval(server) {
			return false
		}
	}
	return n == len(were)
}
