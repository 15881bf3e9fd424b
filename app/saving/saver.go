// Package saving changes the configuration for the user: edits, undo and redo. It also asks the user about edits that
// conflict or cannot be saved.
package saving

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Saver changes the configuration. Call its methods, except Run, on the goroutine of the window. They return at once.
// Methods with a parameter done call it on that goroutine, after the window shows the result.
type Saver struct {
	options Options
	queue   *configfile.Queue
}

// Options are what a [Saver] needs.
type Options struct {
	File   *configfile.File
	Window *frame.Window
	Tasks  *task.Tasks

	Program Program
}

// Program is what a [Saver] needs of the rest of the app.
type Program interface {
	// Shown returns the snapshot that the window shows.
	Shown() *model.Snapshot

	// Collect makes a new snapshot; it can be called on any goroutine. The function that it returns shows the snapshot;
	// it must be called on the goroutine of the window.
	Collect() (show func())

	// Edited is called with operations that were saved.
	Edited(ops []edit.Op)
}

// New returns a Saver. It saves nothing until Run is called.
func New(options Options) *Saver {
	return &Saver{options: options, queue: configfile.NewQueue(options.File)}
}

// Run saves changes until ctx ends, and returns its error.
func (s *Saver) Run(ctx context.Context) error { return s.queue.Run(ctx) }

// Edit applies operations that the user chose while looking at the snapshot that is shown.
func (s *Saver) Edit(ops []edit.Op, done func(error)) {
	s.EditFrom(s.options.Program.Shown().File.Now, ops, done)
}

// EditFrom applies operations that the user chose while looking at base. If base is nil, they apply to the newest
// file.
func (s *Saver) EditFrom(base *config.Document, ops []edit.Op, done func(error)) {
	s.Save(configfile.ChangeOf(base, ops), func(err error) {
		if err == nil {
			s.options.Program.Edited(ops)
		}
		done(err)
	})
}

// Save saves a change. If it conflicts with a change of another program, the user decides before done is called.
func (s *Saver) Save(c configfile.Change, done func(error)) {
	s.queue.Save(c, s.afterEdit(func(err error) { s.saved(c, err, done) }))
}

// With runs job with the store, on the goroutine of the queue, and then shows the new state.
func (s *Saver) With(job func(context.Context, *store.Store) error, done func(error)) {
	s.queue.With(s.afterEdit(done), job)
}

// afterEdit returns the function that the queue calls after an edit. It shows the new state and then calls done.
func (s *Saver) afterEdit(done func(error)) func(error) {
	return func(err error) {
		show := s.options.Program.Collect()
		s.options.Tasks.Do(func() {
			show()
			s.options.Window.Toast.Follow(s.options.Program.Shown().File.Edits)
			done(err)
		})
	}
}

// Undo undoes the last edit.
func (s *Saver) Undo() {
	s.step((*store.Store).Undo, s.undone)
}

// Redo redoes the last edit that was undone.
func (s *Saver) Redo() { s.step((*store.Store).Redo, s.redone) }

// PutBack writes the file again that another program has removed.
func (s *Saver) PutBack() { s.step((*store.Store).PutBack, func() {}) }

// Undoable shows text with a button that undoes the last edit.
func (s *Saver) Undoable(text string) {
	s.options.Window.Toast.ShowFor(text, lang.L("Undo"), func(edit uint64) {
		s.step(only(edit, (*store.Store).Undo), s.undone)
	})
}

func (s *Saver) undone() {
	s.options.Window.Toast.ShowFor(lang.L("Undone"), lang.L("Redo"),
		func(edit uint64) { s.step(only(edit, (*store.Store).Redo), s.redone) })
}

func (s *Saver) redone() { s.Undoable(lang.L("Redone")) }

// step undoes or redoes an edit.
type step func(*store.Store, context.Context) (store.Change, error)

var errDoneSince = errors.New("something else was done since")

// only returns a step that fails with errDoneSince unless edit is still the newest edit.
func only(edit uint64, next step) step {
	return func(file *store.Store, ctx context.Context) (store.Change, error) {
		if file.Snapshot().Edits != edit {
			return store.Change{}, errDoneSince
		}
		return next(file, ctx)
	}
}

func (s *Saver) step(next step, tell func()) {
	s.With(func(ctx context.Context, file *store.Store) error {
		_, err := next(file, ctx)
		return err
	}, func(err error) {
		var conflict *store.Conflict
		switch {
		case err == nil:
			tell()
		case errors.Is(err, errDoneSince):
			s.options.Window.Say(lang.L("Something else has changed since. Undo that first."))
		case errors.Is(err, store.ErrNothingToUndo):
			s.options.Window.Say(lang.L("There is nothing to undo."))
		case errors.Is(err, store.ErrNothingToRedo):
			s.options.Window.Say(lang.L("There is nothing to redo."))
		case errors.As(err, &conflict):
			s.options.Window.Say(lang.L("Another program has since changed the same part of the file, so this cannot be undone."))
		default:
			s.options.Window.Fail(err)
		}
	})
}

// Retry tries again to save an edit that could not be saved.
func (s *Saver) Retry() {
	s.With(func(ctx context.Context, file *store.Store) error {
		_, err := file.Retry(ctx)
		return err
	}, func(err error) {
		var failed *store.SaveError
		switch {
		case err == nil:
			s.options.Window.Say(lang.L("Saved"))
		case errors.As(err, &failed), errors.Is(err, store.ErrNothingToSave): // the line above the screens says so
		default:
			s.options.Window.Fail(err)
		}
	})
}

// Discard drops an edit that could not be saved.
func (s *Saver) Discard() {
	s.With(func(_ context.Context, file *store.Store) error {
		file.Discard()
		return nil
	}, func(error) {})
}

// ApplyFix applies the fix of a problem.
func (s *Saver) ApplyFix(problem config.Diagnostic, done func(error)) {
	base := s.options.Program.Shown().File.Now
	if base == nil || problem.Fix == nil {
		done(errors.New(lang.L("The file has changed meanwhile. Try again.")))
		return
	}
	fixed, err := config.ApplyChanges(base.Source, problem.Fix.Changes)
	if err != nil {
		done(err)
		return
	}
	s.Save(configfile.Change{Base: base, Says: words.New("store.repaired_by", "What", problem.Fix.Title),
		Ops: []store.Op{store.Text{From: base.Source, To: fixed}}}, done)
}

// FixAll applies every fix, also the fixes of problems that appear only after others are fixed. Then it says how many
// problems are left, if any.
func (s *Saver) FixAll(done func(error)) {
	now := s.options.Program.Shown()
	base, more := now.File.Now, now.Warnings
	if base == nil {
		done(errors.New(lang.L("The file cannot be read")))
		return
	}
	s.options.Tasks.Background(func() {
		fixed := config.FixAll(base.Name, config.FixHere(base, more))
		for range 4 { // each call of FixAll stops after about a second
			if !fixed.Stopped {
				break
			}
			fixed = config.FixAll(base.Name, fixed.Source)
		}
		left := 0
		for _, problem := range fixed.Diagnostics {
			if !problem.IsNote() {
				left++
			}
		}
		s.options.Tasks.Do(func() {
			s.Save(configfile.Change{Base: base, Says: words.New("store.repaired"),
				Ops: []store.Op{store.Text{From: base.Source, To: fixed.Source}}}, func(err error) {
				done(err)
				if err == nil && left > 0 {
					s.Undoable(lang.N("Repaired what can be repaired. {{.Count}} problems are left for you.", left,
						map[string]any{"Count": left}))
				}
			})
		})
	})
}
