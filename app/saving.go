package app

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// What the user does to the configuration. Each of these returns at once; done comes on the goroutine of the window, after what
// was done is shown.

// edit does operations, which the user chose while looking at what is shown.
func (d *controller) edit(ops []edit.Op, done func(error)) {
	d.save(configfile.ChangeOf(d.now.File.Now, ops), func(err error) {
		if err == nil {
			d.detail.editor.Edited(ops)
		}
		done(err)
	})
}

// save saves a change.
func (d *controller) save(c configfile.Change, done func(error)) {
	d.queue.Save(c, d.afterEdit(func(err error) { d.saved(c, err, done) }))
}

// with has something done with the store, and shows what came of it.
func (d *controller) with(job func(context.Context, *store.Store) error, done func(error)) {
	d.queue.With(d.afterEdit(done), job)
}

// afterEdit gives what the queue of edits is to call when one has ended: it shows what came of it, and then calls done.
func (d *controller) afterEdit(done func(error)) func(error) {
	return func(err error) {
		now := d.look(d.aggregator.Collect())
		d.tasks.Do(func() {
			d.apply(now)
			d.window.toast.follow(now.File.Edits)
			done(err)
		})
	}
}

// undoHere takes back what was last typed or repaired in the text of the file, where that is what is shown, else the last edit. What
// is typed there and not saved is not passed by for an older edit.
func (d *controller) undoHere() {
	switch {
	case d.at == placeFile && d.file.Undo():
	case d.at == placeFile && d.file.Unsaved():
		d.say(lang.L("There is nothing to undo."))
	default:
		d.undo()
	}
}

// redoHere does again what undoHere took back.
func (d *controller) redoHere() {
	switch {
	case d.at == placeFile && d.file.Redo():
	case d.at == placeFile && d.file.Unsaved():
		d.say(lang.L("There is nothing to redo."))
	default:
		d.redo()
	}
}

// undo takes back the last edit.
func (d *controller) undo() {
	d.detail.editor.Commit()
	d.step((*store.Store).Undo, d.undone)
}

// redo takes back the last undo.
func (d *controller) redo() { d.step((*store.Store).Redo, d.redone) }

// undoable tells what was done last and offers to undo it.
func (d *controller) undoable(text string) {
	d.window.toast.showFor(text, lang.L("Undo"), func(edit uint64) { d.step(only(edit, (*store.Store).Undo), d.undone) })
}

func (d *controller) undone(label string) {
	d.window.toast.showFor(lang.L("Undone: {{.What}}", map[string]any{"What": label}), lang.L("Redo"),
		func(edit uint64) { d.step(only(edit, (*store.Store).Redo), d.redone) })
}

func (d *controller) redone(label string) {
	d.undoable(lang.L("Redone: {{.What}}", map[string]any{"What": label}))
}

// step is an undo or a redo.
type step func(*store.Store, context.Context) (store.Change, error)

var errDoneSince = errors.New("something else was done since")

// only gives the step that is done only while an edit is still the newest.
func only(edit uint64, next step) step {
	return func(s *store.Store, ctx context.Context) (store.Change, error) {
		if s.Snapshot().Edits != edit {
			return store.Change{}, errDoneSince
		}
		return next(s, ctx)
	}
}

func (d *controller) step(next step, tell func(label string)) {
	var label string
	d.with(func(ctx context.Context, s *store.Store) error {
		change, err := next(s, ctx)
		label = stepLabel(change)
		return err
	}, func(err error) {
		var conflict *store.Conflict
		switch {
		case err == nil:
			tell(label)
		case errors.Is(err, errDoneSince):
			d.say(lang.L("Something else has changed since. Undo that first."))
		case errors.Is(err, store.ErrNothingToUndo):
			d.say(lang.L("There is nothing to undo."))
		case errors.Is(err, store.ErrNothingToRedo):
			d.say(lang.L("There is nothing to redo."))
		case errors.As(err, &conflict):
			d.say(lang.L("Another program has since changed the same part of the file, so this cannot be undone."))
		default:
			d.fail(err)
		}
	})
}

// stepLabel is what an undo or redo is about.
func stepLabel(change store.Change) string {
	if what, ok := change.Says.Args["What"].(words.Text); ok {
		return kit.Say(what)
	}
	return kit.Say(change.Says)
}

// retry saves what could not be saved.
func (d *controller) retry() {
	d.with(func(ctx context.Context, s *store.Store) error {
		_, err := s.Retry(ctx)
		return err
	}, func(err error) {
		var failed *store.SaveError
		switch {
		case err == nil:
			d.say(lang.L("Saved."))
		case errors.As(err, &failed), errors.Is(err, store.ErrNothingToSave): // the line above says it
		default:
			d.fail(err)
		}
	})
}

// discard gives up what could not be saved.
func (d *controller) discard() {
	d.with(func(_ context.Context, s *store.Store) error {
		s.Discard()
		return nil
	}, func(error) {})
}

// applyFix does what the fix of a problem says.
func (d *controller) applyFix(problem config.Diagnostic, done func(error)) {
	base := d.now.File.Now
	if base == nil || problem.Fix == nil {
		done(errors.New("the file has changed meanwhile; try again"))
		return
	}
	fixed, err := config.ApplyChanges(base.Source, problem.Fix.Changes)
	if err != nil {
		done(err)
		return
	}
	d.save(configfile.Change{Base: base, Label: "repair: " + problem.Fix.Title.String(), Ops: []store.Op{store.Text{From: base.Source, To: fixed}}}, done)
}

// fixAll repairs what can be repaired.
func (d *controller) fixAll(done func(error)) {
	base := d.now.File.Now
	if base == nil {
		done(errors.New("the file cannot be read now"))
		return
	}
	d.tasks.Background(func() {
		fixed := config.FixAll(base.Name, base.Source)
		d.tasks.Do(func() {
			d.save(configfile.Change{Base: base, Label: "repair the file", Ops: []store.Op{store.Text{From: base.Source, To: fixed.Source}}}, done)
		})
	})
}
