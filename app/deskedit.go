package app

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/config/store"
)

// What the user does to the configuration. Each of these returns at once; done comes on the goroutine of the window, after what
// was done is shown.

// edit does operations, which the user chose while looking at what is shown.
func (d *desk) edit(ops []edit.Op, done func(error)) {
	d.save(changeOf(d.now.page.Now, ops), done)
}

// save saves a change.
func (d *desk) save(c change, done func(error)) {
	d.edits.save(c, func(err error) {
		now := d.collector.look()
		d.do(func() {
			d.apply(now)
			d.saved(c, err, done)
		})
	})
}

// with has something done with the store, and shows what came of it.
func (d *desk) with(job func(context.Context, *store.Store) error, done func(error)) {
	d.edits.with(func(err error) {
		now := d.collector.look()
		d.do(func() {
			d.apply(now)
			done(err)
		})
	}, job)
}

// undoHere takes back what was last typed or repaired in the text of the file, where that is what is shown, else the last edit.
func (d *desk) undoHere() {
	if d.at != placeFile || !d.file.Undo() {
		d.undo()
	}
}

// redoHere does again what undoHere took back.
func (d *desk) redoHere() {
	if d.at != placeFile || !d.file.Redo() {
		d.redo()
	}
}

// undo takes back the last edit.
func (d *desk) undo() {
	d.detail.editor.Commit()
	d.step(func(ctx context.Context, s *store.Store) (store.Change, error) { return s.Undo(ctx) }, func(label string) {
		d.window.toast.show(lang.L("Undone: {{.What}}", map[string]any{"What": label}), lang.L("Redo"), d.redo)
	})
}

// redo takes back the last undo.
func (d *desk) redo() {
	d.step(func(ctx context.Context, s *store.Store) (store.Change, error) { return s.Redo(ctx) }, func(label string) {
		d.window.toast.show(lang.L("Done again: {{.What}}", map[string]any{"What": label}), lang.L("Undo"), d.undo)
	})
}

func (d *desk) step(step func(context.Context, *store.Store) (store.Change, error), tell func(label string)) {
	var label string
	d.with(func(ctx context.Context, s *store.Store) error {
		change, err := step(ctx, s)
		label = stepLabel(change.Label)
		return err
	}, func(err error) {
		var conflict *store.Conflict
		switch {
		case err == nil:
			tell(label)
		case errors.Is(err, store.ErrNothingToUndo):
			d.say(lang.L("There is nothing to undo."))
		case errors.Is(err, store.ErrNothingToRedo):
			d.say(lang.L("There is nothing to redo."))
		case errors.As(err, &conflict):
			d.say(lang.L("Another program has changed the same part of the file since, so this cannot be undone."))
		default:
			d.fail(err)
		}
	})
}

// stepLabel is what an undo or redo is about.
func stepLabel(label string) string {
	for _, prefix := range []string{"undo: ", "redo: "} {
		if len(label) > len(prefix) && label[:len(prefix)] == prefix {
			return label[len(prefix):]
		}
	}
	return label
}

// undoable tells what was done and offers to undo it.
func (d *desk) undoable(text string) { d.window.toast.show(text, lang.L("Undo"), d.undo) }

// retry saves what could not be saved.
func (d *desk) retry() {
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
func (d *desk) discard() {
	d.with(func(_ context.Context, s *store.Store) error {
		s.Discard()
		return nil
	}, func(error) {})
}

// applyFix does what the fix of a problem says.
func (d *desk) applyFix(problem config.Diagnostic, done func(error)) {
	base := d.now.page.Now
	if base == nil || problem.Fix == nil {
		done(errors.New("the file has changed meanwhile; try again"))
		return
	}
	fixed, err := config.ApplyChanges(base.Source, problem.Fix.Changes)
	if err != nil {
		done(err)
		return
	}
	d.save(change{base, "repair: " + problem.Fix.Title, []store.Op{store.Text{From: base.Source, To: fixed}}}, done)
}

// fixAll repairs what can be repaired.
func (d *desk) fixAll(done func(error)) {
	base := d.now.page.Now
	if base == nil {
		done(errors.New("the file cannot be read now"))
		return
	}
	d.background(func() {
		fixed := config.FixAll(base.Name, base.Source)
		d.do(func() {
			d.save(change{base, "repair the file", []store.Op{store.Text{From: base.Source, To: fixed.Source}}}, done)
		})
	})
}
