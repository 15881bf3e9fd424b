package store

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Change is what an edit did to the file.
type Change struct {
	Label         string
	Says          words.Text // the label in any language
	Before, After *config.Document

	// Replayed is set when another program had changed the file meanwhile, and the edit was done on
	// what that made of it.
	Replayed bool

	// Version is the id of After in the history. Unrecorded tells why there is none.
	Version    string
	Unrecorded error

	// Unapproved tells why what the edit brought waits for approval, as if another program had written it. Nil: it does not.
	Unapproved error

	hasher hasher
}

// Changed reports whether the edit did anything. One that doesn't is not saved.
func (c Change) Changed() bool { return c.Before != c.After }

// Diff returns what the edit did to the text of the file as a unified diff, without secrets: the
// same placeholder stands for the same secret. It is empty when nothing changed.
func (c Change) Diff() string {
	if !c.Changed() {
		return ""
	}
	return unified("before", "after", hideSecrets(c.Before.Source, c.hasher), hideSecrets(c.After.Source, c.hasher))
}

func unified(oldName, newName string, before, after []byte) string {
	return udiff.Unified(oldName, newName, string(before), string(after))
}

// BrokenError is the error of an edit on a file with syntax errors. Such a file is only replaced when the
// user says so.
type BrokenError struct {
	Document *config.Document
}

// Error returns the first problem of the file.
func (e *BrokenError) Error() string { return e.Text().String() }

// Text returns the same in any language.
func (e *BrokenError) Text() words.Text {
	if errs := e.Document.Errors(); len(errs) > 0 {
		return words.New("store.broken_at", "Problem", errs[0].Text(e.Document.Name))
	}
	return words.New("store.broken", "File", e.Document.Name)
}

// InvalidError is the error of an edit that would bring errors into the file.
type InvalidError struct {
	Label  string
	Result *config.Document    // what the edit made
	Errors []config.Diagnostic // the new ones
}

// Error returns the first of the errors.
func (e *InvalidError) Error() string { return e.Text().String() }

// Text returns the same in any language.
func (e *InvalidError) Text() words.Text {
	var first config.Diagnostic
	if len(e.Errors) > 0 {
		first = e.Errors[0]
	}
	return words.New("store.invalid", "Problem", first.Message, "Path", first.Path, "Hint", first.Hint)
}

// request is an edit on its way through the queue.
type request struct {
	label string
	says  words.Text // the label in any language; zero: that of ops
	base  *config.Document
	ops   []Op

	kind kind

	// force is set when the user wants exactly this text in the file, even if what is there has syntax
	// errors or is missing. Anything but base or a missing file is a [Conflict].
	force bool
}

// kind says what an edit means for undo and redo.
type kind int

const (
	kindEdit kind = iota
	kindUndo
	kindRedo
)

// maxAttempts is how often an edit is begun again because another program wrote the file in the
// moment between reading and replacing it.
const maxAttempts = 10

// Edit does ops, one after the other, on the file and saves it. The label says what is done, as
// "added server memory to dev"; it must not hold values.
//
// Errors are a [BrokenError] when the file has syntax errors, an [InvalidError] when the result has more
// errors than the file had, a [Conflict], whatever an Op answers, or a [SaveError]. Only after the
// last, the edit is kept as [Store.Pending]; further edits are then done on top of it and saved
// together with it.
func (s *Store) Edit(ctx context.Context, label string, ops ...Op) (Change, error) {
	return s.EditFrom(ctx, nil, label, ops...)
}

// EditFrom is [Store.Edit] for an edit that the user made while looking at a certain document. If
// the file has changed since, the edit is only done where there is no doubt about what it means. Nil
// is the current document.
func (s *Store) EditFrom(ctx context.Context, base *config.Document, label string, ops ...Op) (Change, error) {
	return s.edit(ctx, request{label: label, base: base, ops: ops})
}

// EditSaying is [Store.EditFrom] with a label in any language. In the history its English is the label.
func (s *Store) EditSaying(ctx context.Context, base *config.Document, says words.Text, ops ...Op) (Change, error) {
	return s.edit(ctx, request{label: says.String(), says: says, base: base, ops: ops})
}

func (s *Store) edit(ctx context.Context, r request) (Change, error) {
	leave, err := s.enter(ctx)
	if err != nil {
		return Change{}, err
	}
	defer leave()
	s.mu.Lock()
	if p := s.pending; p != nil {
		r = request{
			label: p.Label + "; " + r.label,
			says:  words.New("store.edits", "Edits", []words.Text{p.request.sentence(), r.sentence()}),
			base:  p.request.base, ops: slices.Concat(p.request.ops, r.ops), force: p.request.force,
		}
	}
	if r.base == nil {
		r.base = s.current
	}
	s.mu.Unlock()
	return s.save(ctx, r, false)
}

// make does an edit on its base.
func (s *Store) make(r request) (*config.Document, error) {
	mending := r.mends(r.base.Source)
	if broken(r.base.Source) && !mending {
		return nil, &BrokenError{r.base}
	}
	source, err := applyAll(r.base.Source, r.ops)
	if err != nil {
		return nil, words.NewError("store.not_made", "Why", err)
	}
	ours := config.Parse(s.location.Path, source)
	return ours, r.check(r.base, ours, mending)
}

// save takes an edit from the queue to the disk. With create, a file that was removed meanwhile is
// made anew.
func (s *Store) save(ctx context.Context, r request, create bool) (Change, error) {
	if s.options.ReadOnly {
		return Change{}, ErrReadOnly
	}
	ours, err := s.make(r)
	if err != nil {
		return Change{}, err
	}
	unlock, err := lockFile(ctx, s.location.Path, s.lockFolder())
	if err != nil {
		return Change{}, s.keep(r, ours, err)
	}
	defer unlock()
	for range maxAttempts {
		if err := ctx.Err(); err != nil {
			return Change{}, err
		}
		change, err := s.attempt(ctx, r, ours, create)
		if errors.Is(err, atomicfile.ErrChanged) {
			continue
		}
		if err != nil {
			return Change{}, s.keep(r, ours, err)
		}
		s.finish(r, change)
		return change, nil
	}
	return Change{}, s.keep(r, ours, &SaveError{Path: s.location.Path, Err: atomicfile.ErrChanged})
}

// sentence returns the label in any language.
func (r request) sentence() words.Text {
	if r.says.IsZero() {
		return saying(r.label, r.ops)
	}
	return r.says
}

// mends reports whether an edit may replace a text with syntax errors.
func (r request) mends(source []byte) bool {
	if r.force {
		return true
	}
	if len(r.ops) == 0 {
		return false
	}
	text, ok := r.ops[0].(Text)
	return ok && same(text.From, source)
}

// check refuses a result that is worse than what was there. An undo may bring back errors.
func (r request) check(before, after *config.Document, mending bool) error {
	if r.force || r.kind != kindEdit || mending && broken(before.Source) {
		return nil
	}
	return worse(r.label, before, after)
}

func worse(label string, before, after *config.Document) error {
	were, are := before.Errors(), after.Errors()
	if !broken(after.Source) && len(are) <= len(were) {
		return nil
	}
	fresh := slices.DeleteFunc(slices.Clone(are), func(is config.Diagnostic) bool {
		return slices.ContainsFunc(were, func(was config.Diagnostic) bool { return is.Path == was.Path && is.Message.Equal(was.Message) })
	})
	if len(fresh) == 0 {
		fresh = are
	}
	return &InvalidError{label, after, fresh}
}

// attempt does an edit on what is in the file now. The error is atomicfile.ErrChanged when that is to be done
// again.
func (s *Store) attempt(ctx context.Context, r request, ours *config.Document, create bool) (Change, error) {
	path := s.location.Path
	theirs, err := config.Read(s.location)
	if missing(err) {
		theirs, err = &config.Document{Name: path, Config: &config.Config{ToolMode: config.ModeAuto}}, nil
	}
	if err != nil {
		s.update(func() { s.problem = err })
		return Change{}, &SaveError{Path: path, Err: cause(path, err)}
	}
	if theirs.Source == nil && r.base.Source != nil && !create && !r.force {
		return Change{}, &SaveError{Path: path, Err: errRemoved}
	}
	if !same(theirs.Source, s.Current().Source) {
		s.see(theirs, true)
	}
	result, replayed := ours, false
	switch {
	case same(theirs.Source, r.base.Source), theirs.Source == nil:
	case same(theirs.Source, ours.Source): // somebody has done just that
	case r.force:
		return Change{}, &Conflict{r.label, r.base, theirs, ours, []Clash{clash("", words.New("store.other_text"))}}
	case broken(theirs.Source):
		return Change{}, &BrokenError{theirs}
	default:
		replayed = true
		source, clashes := replay(r.base.Source, ours.Source, theirs.Source, r.ops)
		if len(clashes) == 0 {
			result = config.Parse(path, source)
			if err := worse(r.label, theirs, result); err != nil {
				clashes = []Clash{clash("", words.Of(err))}
			}
		}
		if len(clashes) > 0 {
			return Change{}, &Conflict{r.label, r.base, theirs, ours, clashes}
		}
	}
	change := Change{Label: r.label, Says: r.sentence(), Before: theirs, After: result, Replayed: replayed, hasher: s.hasher}
	if same(theirs.Source, result.Source) {
		change.After = theirs
		return change, nil
	}
	if err := replaceFile(path, result.Source, theirs.Source); err != nil {
		return Change{}, err
	}
	change.Version, change.Unrecorded = s.record(result, Version{Label: change.Label, Says: change.Says, Author: s.options.Author})
	change.Unapproved = s.approve(ctx, r, theirs, result)
	return change, nil
}

// approve takes up that a person has brought what an edit made of the file. Nobody can say what an entry was that had errors, so it waits unless
// it is approved. What undo, redo and restoring bring back is approved only if it was before.
func (s *Store) approve(ctx context.Context, r request, before, after *config.Document) error {
	if s.options.Approvals == nil || broken(after.Source) {
		return nil
	}
	if before.Source == nil {
		before = r.base // the file was removed, and is made anew with what it had
	}
	was := before.Config
	if !before.Valid() {
		was = wasThere(before, after)
	}
	if s.options.Unattended {
		return s.waits(ctx, was, after.Config)
	}
	save := s.options.Approvals.Save
	if r.force || r.kind != kindEdit {
		save = s.options.Approvals.Return
	}
	err := save(ctx, s.location.Path, was, after.Config)
	if err != nil {
		s.logger.Warn("What was saved waits for approval", "file", s.location.Path, "error", err)
	}
	return err
}

// wasThere returns what a file with errors can be said to have had: each entry without errors as it was, and one with errors as it is now. When
// an error is anywhere else, or an entry with errors has gone, anything may have come out of it, and all is taken to have been there.
func wasThere(before, after *config.Document) *config.Config {
	errs := before.Errors()
	within := 0
	was := &config.Config{}
	for _, toolbox := range before.Config.Toolboxes {
		known := &config.Toolbox{Name: toolbox.Name}
		for _, server := range toolbox.Servers {
			path := config.ServerPath(toolbox.Name, server.Name)
			faults := 0
			for _, e := range errs {
				if strings.HasPrefix(e.Path, path+".") || strings.HasPrefix(e.Path, path+"[") {
					faults++
				}
			}
			if within += faults; faults > 0 {
				now, ok := after.Config.Toolbox(toolbox.Name)
				if ok {
					server, ok = now.Server(server.Name)
				}
				if !ok {
					return after.Config
				}
			}
			known.Servers = append(known.Servers, server)
		}
		was.Toolboxes = append(was.Toolboxes, known)
	}
	if within != len(errs) || broken(before.Source) {
		return after.Config
	}
	return was
}

// ErrUnattended is why something waits that was saved where no person is certain to be.
const ErrUnattended = words.Code("store.unattended")

// waits returns [ErrUnattended] when something of what was saved waits that did not before.
func (s *Store) waits(ctx context.Context, before, after *config.Config) error {
	waiting, err := s.options.Approvals.Waiting(ctx, s.location.Path, after)
	if err != nil {
		return err
	}
	for _, w := range waiting {
		var was *config.Server
		if toolbox, ok := before.Toolbox(w.Toolbox); ok {
			was, _ = toolbox.Server(w.Server.Name)
		}
		if was == nil || !was.Equal(w.Server) {
			return ErrUnattended
		}
	}
	return nil
}

// cause returns why a file cannot be read, as one of the reasons that [SaveError] knows.
func cause(path string, err error) error {
	switch info, statErr := os.Stat(path); {
	case statErr != nil:
		return err
	case info.IsDir():
		return atomicfile.ErrIsFolder
	case !info.Mode().IsRegular():
		return atomicfile.ErrNotAFile
	}
	return err
}

// finish takes an edit that was saved into the state.
func (s *Store) finish(r request, change Change) {
	if r.kind == kindEdit && change.Changed() {
		s.remember(s.dropped()...)
	}
	s.update(func() {
		if r.kind != kindEdit || change.Changed() || s.pending != nil {
			s.edits++
		}
		s.current, s.problem, s.pending = change.After, nil, nil
		step := done{change.Label, change.Says, change.Before.Source, change.After.Source}
		switch {
		case r.kind == kindEdit && !change.Changed():
		case r.kind == kindEdit:
			s.undo, s.redo = append(s.undo, step), nil
		case r.kind == kindUndo:
			last := len(s.undo) - 1
			s.redo = append(s.redo, done{s.undo[last].label, s.undo[last].says, change.After.Source, change.Before.Source})
			s.undo = s.undo[:last]
		case r.kind == kindRedo:
			last := len(s.redo) - 1
			s.undo = append(s.undo, done{s.redo[last].label, s.redo[last].says, change.Before.Source, change.After.Source})
			s.redo = s.redo[:last]
		}
		if more := len(s.undo) - maxUndo; more > 0 {
			s.undo = slices.Delete(s.undo, 0, more)
		}
	})
}

// dropped returns the texts that can't be undone or redone any more once there is another edit.
func (s *Store) dropped() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var texts [][]byte
	for _, step := range s.redo {
		texts = append(texts, step.before, step.after)
	}
	if len(s.undo) >= maxUndo {
		texts = append(texts, s.undo[0].before)
	}
	return texts
}

// HideSecrets returns a text of the configuration with placeholders instead of its secrets, as
// they are in diffs, for whoever shows such texts beside diffs.
func (s *Store) HideSecrets(source []byte) []byte { return hideSecrets(source, s.hasher) }
