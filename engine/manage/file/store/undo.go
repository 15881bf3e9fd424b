package store

import (
	"context"
	"errors"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Errors of [Store.Undo], [Store.Redo] and [Store.Retry] if there is nothing to do.
const (
	ErrNothingToUndo = words.Code("store.nothing_to_undo")
	ErrNothingToRedo = words.Code("store.nothing_to_redo")
	ErrNothingToSave = words.Code("store.nothing_to_save")
)

// Undo takes back the last edit of this store. If nothing else has changed the file since, the original bytes
// are restored. Otherwise the lines of the edit are changed back if their meaning is certain, and the error
// is a [Conflict] if it is not. An edit that waits to be saved is dropped. Undo is an edit itself: it is
// recorded in the history and can be taken back with [Store.Redo].
//
// Undoing the edit that made the file leaves an empty configuration; the file is not removed.
func (s *Store) Undo(ctx context.Context) (Change, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return Change{}, err
	}
	defer leave()
	s.mu.Lock()
	waiting, steps, current := s.pending != nil, s.undo, s.current
	s.mu.Unlock()
	switch {
	case waiting:
		s.Discard()
		return Change{Before: current, After: current}, nil
	case len(steps) == 0:
		return Change{}, ErrNothingToUndo
	}
	last := steps[len(steps)-1]
	before := last.before
	if before == nil {
		before = []byte(config.Empty)
	}
	return s.save(ctx, step(s.location.Path, "undo: "+last.label, words.New("store.undo", "What", last.says), last.after,
		before, kindUndo), false)
}

// Redo takes back the last [Store.Undo] in the same way.
func (s *Store) Redo(ctx context.Context) (Change, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return Change{}, err
	}
	defer leave()
	s.mu.Lock()
	steps, waiting := s.redo, s.pending != nil
	s.mu.Unlock()
	if len(steps) == 0 || waiting {
		return Change{}, ErrNothingToRedo
	}
	last := steps[len(steps)-1]
	return s.save(ctx, step(s.location.Path, "redo: "+last.label, words.New("store.redo", "What", last.says), last.before,
		last.after, kindRedo), false)
}

// step returns the request that replaces the file's whole content.
func step(path, label string, says words.Text, from, to []byte, kind kind) request {
	return request{label: label, says: says, base: config.Parse(path, from), ops: []Op{Text{From: from, To: to}},
		kind: kind}
}

// Pending is an edit that could not be saved.
type Pending struct {
	Label    string
	Document *config.Document // the result of the edit at that time
	Err      error            // why it was not saved
}

// pending is a Pending with the request to retry.
type pending struct {
	Pending
	request request
}

// keep stores an edit that could not be saved, for [Store.Retry]. An edit that failed for another reason is
// not stored, since a retry would not help.
func (s *Store) keep(r request, ours *config.Document, err error) error {
	if failed := (*SaveError)(nil); !errors.As(err, &failed) {
		return err
	}
	s.update(func() {
		s.pending = &pending{Pending{r.label, ours, err}, r}
		s.edits++
	})
	return err
}

// Retry saves the pending edit. A file that was removed meanwhile is written again, with its old content and
// the edit.
func (s *Store) Retry(ctx context.Context) (Change, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return Change{}, err
	}
	defer leave()
	s.mu.Lock()
	waiting := s.pending
	s.mu.Unlock()
	if waiting == nil {
		return Change{}, ErrNothingToSave
	}
	return s.save(ctx, waiting.request, true)
}

// PutBack writes a file again that another program has removed, as it was. It is an edit that can be undone. An entry
// that waited for approval waits again. The error is [ErrNothingToUndo] if the file is there.
func (s *Store) PutBack(ctx context.Context) (Change, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return Change{}, err
	}
	defer leave()
	s.mu.Lock()
	now, gone := s.snapshot(), s.gone
	s.mu.Unlock()
	if !now.Gone {
		return Change{}, ErrNothingToUndo
	}
	return s.save(ctx, request{label: "put the file back", base: now.Document, force: true,
		ops: []Op{Text{From: []byte(config.Empty), To: gone.Source}}}, true)
}

// Discard drops the pending edit, if there is one.
func (s *Store) Discard() {
	s.update(func() {
		if s.pending != nil {
			s.edits++
		}
		s.pending = nil
	})
}
