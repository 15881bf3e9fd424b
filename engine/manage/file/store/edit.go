package store

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Change is what an edit did to the file.
type Change struct {
	Label         string
	Says          words.Text // the label in any language
	Before, After *config.Document

	// Replayed is set if another program had changed the file meanwhile and the edit was done on the changed
	// file.
	Replayed bool

	// Version is the id of After in the history. Unrecorded is why there is none.
	Version    string
	Unrecorded error

	// Unapproved is why the result of the edit waits for approval, as if another program had written it; nil
	// if it does not wait.
	Unapproved error

	hasher hasher
}

// Changed reports whether the edit changed anything. If not, nothing is saved.
func (c Change) Changed() bool { return c.Before != c.After }

// Diff returns the change as a unified diff with placeholders instead of secrets. Equal secrets have the same
// placeholder. The diff is empty if nothing changed.
func (c Change) Diff() string {
	if !c.Changed() {
		return ""
	}
	return unified.Diff("before", "after", string(hideSecrets(c.Before.Source, c.hasher)),
		string(hideSecrets(c.After.Source, c.hasher)))
}

// BrokenError is returned for an edit of a file with syntax errors. Such a file is replaced only if the user
// agrees.
type BrokenError struct {
	Document *config.Document
}

// Error returns the first problem of the file.
func (e *BrokenError) Error() string { return e.Text().String() }

// Text returns that problem in any language.
func (e *BrokenError) Text() words.Text {
	if errs := e.Document.Errors(); len(errs) > 0 {
		return words.New("store.broken_at", "Problem", errs[0].Text(e.Document.Name))
	}
	return words.New("store.broken", "File", e.Document.Name)
}

// InvalidError is returned for an edit that would add errors to the file.
type InvalidError struct {
	Result *config.Document    // the result of the edit
	Errors []config.Diagnostic // the new ones
}

// Error returns the first of the errors.
func (e *InvalidError) Error() string { return e.Text().String() }

// Text returns that error in any language.
func (e *InvalidError) Text() words.Text {
	var first config.Diagnostic
	if len(e.Errors) > 0 {
		first = e.Errors[0]
	}
	return words.New("store.invalid", "Problem", first.Message, "Path", first.Path, "Hint", first.Hint)
}

// request is an edit in the queue.
type request struct {
	label string
	says  words.Text // the label in any language; if zero, that of ops
	base  *config.Document
	ops   []Op

	kind kind

	// force is set if the user wants exactly this text in the file, even if the file has syntax errors or is
	// missing. If the file is neither base nor missing, the error is a [Conflict].
	force bool
}

// kind says how an edit affects undo and redo.
type kind int

const (
	kindEdit kind = iota
	kindUndo
	kindRedo
)

// maxAttempts is how often an edit is retried because another program wrote the file between reading and
// replacing it.
const maxAttempts = 10

// Edit does ops one after the other on the file and saves it. The label describes the edit, as in "added
// server memory to dev"; it must not contain values.
//
// The error is a [BrokenError] if the file has syntax errors, an [InvalidError] if the result has more errors
// than the file had, a [Conflict], the error of an Op, or a [SaveError]. Only after a [SaveError] the edit is
// kept as [Store.Pending]; later edits are then done on top of it and saved together with it.
func (s *Store) Edit(ctx context.Context, label string, ops ...Op) (Change, error) {
	return s.EditFrom(ctx, nil, label, ops...)
}

// EditFrom is like [Store.Edit] for an edit that the user made while looking at the document base. If the
// file has changed since, the edit is done only if its meaning is certain. Nil means the current document.
func (s *Store) EditFrom(ctx context.Context, base *config.Document, label string, ops ...Op) (Change, error) {
	return s.edit(ctx, request{label: label, base: base, ops: ops})
}

// EditSaying is like [Store.EditFrom] with a label in any language. The history has its English text as the
// label.
func (s *Store) EditSaying(ctx context.Context, base *config.Document, says words.Text, ops ...Op) (Change, error) {
	return s.edit(ctx, request{label: says.String(), says: says, base: base, ops: ops})
}

// Make writes an empty configuration if there is no file, and reports whether it did.
func (s *Store) Make(ctx context.Context) (made bool, err error) {
	if s.Current().Source != nil {
		return false, nil
	}
	change, err := s.EditSaying(ctx, nil, words.New("store.file_made"))
	return err == nil && change.Changed(), err
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

// applyOps does an edit on its base.
func (s *Store) applyOps(r request) (*config.Document, error) {
	mending := r.mends(r.base.Source)
	if broken(r.base.Source) && !mending {
		return nil, &BrokenError{r.base}
	}
	source, err := applyAll(r.base.Source, r.ops)
	if err != nil {
		return nil, words.NewError("store.not_made", "Why", err)
	}
	ours := r.read(source)
	if ours == nil {
		ours = config.Parse(s.location.Path, source)
	}
	return ours, r.check(r.base, ours, mending)
}

// read returns the document of a source that the edit came with; nil if there is none.
func (r request) read(source []byte) *config.Document {
	if len(r.ops) != 1 {
		return nil
	}
	if text, ok := r.ops[0].(Text); ok && text.Read != nil && same(text.Read.Source, source) {
		return text.Read
	}
	return nil
}

// save carries out an edit and writes the file. If create is set, a file that was removed meanwhile is
// written again.
func (s *Store) save(ctx context.Context, r request, create bool) (Change, error) {
	if s.options.ReadOnly {
		return Change{}, ErrReadOnly
	}
	ours, err := s.applyOps(r)
	if err != nil {
		return Change{}, err
	}
	unlock, err := lockFile(ctx, s.location.Path, s.options.lockFolder(s.historyErr))
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

// mends reports whether an edit may replace a text that has syntax errors.
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

// check returns an error if the result is worse than before. An undo may restore errors.
func (r request) check(before, after *config.Document, mending bool) error {
	if r.force || r.kind != kindEdit || mending && broken(before.Source) {
		return nil
	}
	return worse(before, after)
}

func worse(before, after *config.Document) error {
	were, are := before.Errors(), after.Errors()
	if !broken(after.Source) && len(are) <= len(were) {
		return nil
	}
	fresh := slices.DeleteFunc(slices.Clone(are), func(is config.Diagnostic) bool {
		return slices.ContainsFunc(were, func(was config.Diagnostic) bool {
			return is.Path == was.Path && is.Message.Equal(was.Message)
		})
	})
	if len(fresh) == 0 {
		fresh = are
	}
	return &InvalidError{after, fresh}
}

// attempt does an edit on the current content of the file. If the error is atomicfile.ErrChanged, it must be
// tried again.
func (s *Store) attempt(ctx context.Context, r request, ours *config.Document, create bool) (Change, error) {
	path := s.location.Path
	theirs, err := config.Read(s.location, r.base)
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
	case same(theirs.Source, ours.Source): // another program made the same change
	case r.force:
		return Change{}, &Conflict{theirs, ours, []Clash{clash("", words.New("store.other_text"))}}
	case broken(theirs.Source):
		return Change{}, &BrokenError{theirs}
	default:
		replayed = true
		source, clashes := replay(r.base.Source, ours.Source, theirs.Source, r.ops)
		if len(clashes) == 0 {
			result = config.Parse(path, source)
			if err := worse(theirs, result); err != nil {
				clashes = []Clash{clash("", words.Of(err))}
			}
		}
		if len(clashes) > 0 {
			return Change{}, &Conflict{theirs, ours, clashes}
		}
	}
	change := Change{Label: r.label, Says: r.sentence(), Before: theirs, After: result, Replayed: replayed,
		hasher: s.history.hasher}
	if same(theirs.Source, result.Source) {
		change.After = theirs
		return change, nil
	}
	if err := replaceFile(path, result.Source, theirs.Source); err != nil {
		return Change{}, err
	}
	change.Version, change.Unrecorded = s.record(result,
		Version{Label: change.Label, Says: change.Says, Author: s.options.Author})
	change.Unapproved = s.approve(ctx, r, theirs, result)
	return change, nil
}

// approve approves what a person has changed by an edit. An entry that had errors before is unknown, so it
// waits unless it is already approved. What undo, redo and restore bring back is approved only if it was
// approved before.
func (s *Store) approve(ctx context.Context, r request, before, after *config.Document) error {
	if s.options.Approvals == nil || broken(after.Source) {
		return nil
	}
	if before.Source == nil {
		before = r.base // the file was removed and is written again with its old content
	}
	was := before.Config
	if !before.Valid() {
		was = wasThere(before, after)
	}
	if s.options.Unattended {
		return s.waits(was, after.Config)
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

// wasThere returns what a file with errors is assumed to have had before an edit: an entry without errors as
// it was, and an entry with errors as it is now. If an error is anywhere else, or an entry with errors has
// gone, the edit may have uncovered anything, so everything is assumed to have been there.
func wasThere(before, after *config.Document) *config.Config {
	errs := before.Errors()
	inside := map[string]int{} // how many errors are within a path
	for _, e := range errs {
		for i, c := range e.Path {
			if c == '.' || c == '[' {
				inside[e.Path[:i]]++
			}
		}
	}
	within := 0
	was := &config.Config{}
	for _, toolbox := range before.Config.Toolboxes {
		known := &config.Toolbox{Name: toolbox.Name}
		for _, server := range toolbox.Servers {
			faults := inside[config.ServerPath(toolbox.Name, server.Name)]
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

// ErrUnattended means that a saved change waits for approval because the program runs where no person may be
// present.
const ErrUnattended = words.Code("store.unattended")

// waits returns [ErrUnattended] if an entry that was saved waits for approval and did not before.
func (s *Store) waits(before, after *config.Config) error {
	for _, w := range s.options.Approvals.Waiting(s.location.Path, after) {
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

// cause returns why a file cannot be read, as one of the reasons in [SaveError].
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

// finish updates the state after an edit was saved.
func (s *Store) finish(r request, change Change) {
	if r.kind == kindEdit && change.Changed() {
		s.mu.Lock()
		texts := dropped(s.undo, s.redo)
		s.mu.Unlock()
		s.remember(texts...)
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

// dropped returns the texts that another edit makes unreachable for undo and redo.
func dropped(undo, redo []done) [][]byte {
	var texts [][]byte
	for _, step := range redo {
		texts = append(texts, step.before, step.after)
	}
	if len(undo) >= maxUndo {
		texts = append(texts, undo[0].before)
	}
	return texts
}

// HideSecrets returns a text of the configuration with the same placeholders for secrets as in diffs, for
// callers that show such texts beside diffs.
func (s *Store) HideSecrets(source []byte) []byte { return hideSecrets(source, s.history.hasher) }
