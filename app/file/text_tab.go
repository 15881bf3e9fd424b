package file

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// maxTyped is the largest text in bytes that can be edited here. The text is diagnosed with every typed letter.
	maxTyped = 2 << 20

	// maxHasty is the largest text in bytes that is diagnosed while the user waits.
	maxHasty = 256 << 10
)

// textTab shows the file as text. Typed text is diagnosed at once, but it is saved only when the user asks for it, or
// when the focus leaves a usable text. So no text is used before the user has finished typing.
type textTab struct {
	draft
	program Program
	screen  *Screen
	view    View
	check   checker

	taken    *config.Document // the version of the file that was last merged into the text
	document *config.Document // the diagnosis of the text, or of an older text
	moreOf   *config.Document // the unsaved text that has the diagnostics in more
	more     []config.Diagnostic
	secrets  secrets

	eager   bool             // save as soon as the text is diagnosed and no other text is being saved
	sending bool             // a text is being saved
	sent    *config.Document // the text that is being saved
	edits   uint64           // View.Edits after the last saved text
	reason  string           // why the text could not be saved; empty if nothing failed
	touched bool             // the user has tried to change a hidden secret
	wanted  *position        // was asked for before there was a text; nil if none was

	*textPane
}

// position is a place in the text of the file. Both numbers begin with 1.
type position struct{ line, column int }

func newTextTab(program Program, screen *Screen) *textTab {
	t := &textTab{program: program, screen: screen, secrets: secrets{known: known{}}}
	t.check.program = program
	t.textPane = newTextPane(t)
	t.code.OnChanged = t.typed
	t.code.OnKept = func() { t.touched = true; t.draw() }
	t.code.OnFocusLost = func() { t.moved(false) }
	t.bar.OnFocus(t.moved)
	t.code.OnShortcut = kit.OnKeys(t.commit, fyne.KeyS)
	return t
}

// moved saves the text when the focus has left it and its controls.
func (t *textTab) moved(focused bool) {
	if !focused {
		has := func(object fyne.Focusable) bool { return object == t.code.Focusable() || t.bar.Has(object) }
		kit.WhenLeft(t.code, has, t.program.After, t.soon)
	}
}

// apply shows another View.
func (t *textTab) apply(view View) {
	t.view = view
	// A text that is being saved comes back in one of the next views. Before that, it cannot be told from changes by
	// other programs.
	if view.Now != nil && view.Now != t.taken && !t.sending {
		t.takeUpSoon()
	}
	t.draw()
	t.arrive()
}

// arrive goes to the position that waits for a text.
func (t *textTab) arrive() {
	if t.wanted != nil && t.base != nil {
		t.goTo(t.wanted.line, t.wanted.column)
	}
}

// takeUpSoon merges the file as soon as its secrets are known.
func (t *textTab) takeUpSoon() {
	now := t.view.Now
	if t.secrets.quick(string(now.Source)) {
		t.takeUp()
		return
	}
	if t.secrets.scanning {
		return // when that scan ends, the newest file is merged
	}
	t.secrets.scanning = true
	var found *scan
	t.program.Background(func() { found = newScan(string(now.Source)) }, func() {
		t.secrets.scan, t.secrets.scanning = found, false
		if t.view.Now != nil && t.view.Now != t.taken && !t.sending {
			t.takeUpSoon()
		}
		t.draw()
		t.arrive()
		t.screen.draw()
	})
}

// takeUp merges the file with the typed text.
func (t *textTab) takeUp() {
	before, first := t.text, t.base == nil
	t.taken = t.view.Now
	t.secrets.learn(string(t.taken.Source))
	t.follow(t.view.Now)
	switch {
	case first:
		t.putAnew()
	case t.text != before:
		t.put()
	}
	t.diagnose()
	if !t.dirty() && t.text != before && !t.document.Valid() && !t.code.Focused() {
		first := t.document.Errors()[0]
		t.code.Goto(t.shownAt(first.Line, first.Column))
	}
}

// put shows the text in the code. The caret, the selection and the undo history are kept.
func (t *textTab) put() { t.putBy(t.code.Follow) }

// putAnew is like put but clears the undo history, which could bring back secrets that are hidden now.
func (t *textTab) putAnew() { t.putBy(t.code.SetText) }

func (t *textTab) putBy(put func(string)) {
	put(t.secrets.hide(t.text, t.dirty()))
	if masks := t.secrets.masking.masks; !slices.Equal(t.code.Kept(), masks) {
		t.code.Keep(masks)
	}
}

// typed handles a change by the user.
func (t *textTab) typed(shown string) {
	text, hidden, ok := t.secrets.masking.unmask(shown, t.code.Kept())
	if !ok {
		t.putAnew() // the change has damaged a mask, so it is taken back
		return
	}
	t.text, t.secrets.masking = text, hidden
	t.reason, t.touched, t.eager = "", false, false
	t.diagnose()
	t.draw()
}

// diagnose starts the diagnosis of the text.
func (t *textTab) diagnose() {
	if t.view.Now != nil && string(t.view.Now.Source) == t.text {
		t.check.drop()
		t.document = t.view.Now
		return
	}
	if t.diagnosed() {
		return
	}
	t.check.check(t.view.Path, t.text, func(document *config.Document) {
		t.document = document
		t.saveIfEager()
		t.draw()
	}, func(document *config.Document, more []config.Diagnostic) {
		t.moreOf, t.more = document, more
		t.draw()
	})
}

// diagnosed reports whether the diagnosis of the current text is known.
func (t *textTab) diagnosed() bool {
	return t.document != nil && string(t.document.Source) == t.text
}

// good reports whether the text is usable.
func (t *textTab) good() bool {
	if !t.diagnosed() || !t.document.Valid() {
		return false
	}
	_, stray := strayMask(t.base.Source, t.text)
	return !stray
}

// saveIfEager saves a usable text that was waiting for its diagnosis.
func (t *textTab) saveIfEager() {
	if t.eager && t.diagnosed() {
		t.eager = false
		t.saveIfGood()
	}
}

// unsaved reports whether the text differs from what will be in the file when nothing more is done.
func (t *textTab) unsaved() bool {
	if t.sending {
		return t.text != string(t.sent.Source)
	}
	return t.dirty()
}

func (t *textTab) saveIfGood() {
	if t.unsaved() && t.good() {
		t.save()
	}
}

// commit saves the text because the user asks for it.
func (t *textTab) commit() {
	if !t.unsaved() {
		return
	}
	if !t.diagnosed() {
		t.eager = true
		t.draw()
		return
	}
	if t.mayBeSaved() {
		t.save()
	}
	t.draw()
}

// mayBeSaved reports whether the user may save the text. A broken file can be repaired in several steps, but a usable
// one must not be broken.
func (t *textTab) mayBeSaved() bool {
	_, stray := strayMask(t.base.Source, t.text)
	return !stray && (t.document.Valid() || !t.base.Valid())
}

// save saves the text. While an older text is being saved, the text waits. In a conflict, save does nothing.
func (t *textTab) save() {
	if t.sending || t.theirs != nil {
		t.eager = t.sending
		return
	}
	base, sent, text := t.base, t.document, []byte(t.text)
	t.sending, t.sent, t.reason = true, sent, ""
	edits := t.edits
	t.program.With(func(ctx context.Context, s *store.Store) error {
		var op store.Op = store.Text{From: base.Source, To: text}
		if base.Source == nil { // there is no text to base the edit on
			op = store.OpFunc(func([]byte) ([]byte, error) { return text, nil })
		}
		_, err := s.EditSaying(ctx, base, words.New("store.text_typed"), op)
		edits = s.Snapshot().Edits
		return err
	}, func(err error) { t.saved(sent, edits, err) })
	t.draw()
}

// textLabel is the name of these edits in the history.
const textLabel = "edit the text of the file"

// saved handles the result of saving. If the disk has failed, the store keeps the text, and the next View contains it.
func (t *textTab) saved(sent *config.Document, edits uint64, err error) {
	t.sending = false
	var failed *store.SaveError
	var conflict *store.Conflict
	switch {
	case err == nil, errors.As(err, &failed):
		t.base, t.edits = sent, edits
	case errors.As(err, &conflict):
		t.theirs = conflict.Theirs
	default:
		t.reason = kit.SayError(err)
	}
	// A view that came during the saving was not merged yet, and there is no newer one while another screen is shown.
	if t.view.Now != nil && t.view.Now != t.taken {
		if conflict != nil {
			t.theirs = t.view.Now // the store could not merge the text, so do not try it again
		} else {
			t.takeUpSoon()
		}
	}
	t.diagnose()
	t.saveIfEager()
	t.draw()
}

// decide ends a conflict in favor of the typed text or of the file.
func (t *textTab) decide(mine bool) {
	if t.theirs == nil {
		return
	}
	if mine {
		t.keepMine()
		t.eager = true
	} else {
		t.takeTheirs()
		t.put()
	}
	t.diagnose()
	t.saveIfEager()
	t.draw()
}

// newest reports whether the last change of the text is newer than every other edit of the file.
func (t *textTab) newest() bool { return t.dirty() || t.view.Edits == t.edits }

// giveUp discards the typed text.
func (t *textTab) giveUp() {
	t.revert()
	t.reason, t.eager = "", false
	t.put()
	t.diagnose()
	t.draw()
}

// fix applies the fix of a problem, and saves the text if it is usable then.
func (t *textTab) fix(problem config.Diagnostic) {
	if problem.Fix == nil || !t.diagnosed() {
		return
	}
	var changes []code.Change
	for _, change := range problem.Fix.Changes {
		changes = append(changes, code.Change{Start: change.Start, End: change.End, New: change.New})
	}
	if shown, ok := t.secrets.masking.changes(changes); ok && t.code.Change(shown) {
		t.soon()
		return
	}
	if fixed, err := config.ApplyChanges([]byte(t.text), problem.Fix.Changes); err == nil {
		t.replace(string(fixed))
	}
}

// replace replaces the typed text, and saves the new text if it is usable. Older typing cannot be undone after that.
func (t *textTab) replace(text string) {
	t.text = text
	t.reason, t.touched = "", false
	t.putAnew()
	t.diagnose()
	t.soon()
}

// soon saves the text as soon as it is known to be usable.
func (t *textTab) soon() {
	t.eager = !t.diagnosed()
	if !t.eager {
		t.saveIfGood()
	}
	t.draw()
}

// make creates the missing file.
func (t *textTab) make() {
	t.program.With(func(ctx context.Context, s *store.Store) error {
		_, err := s.Make(ctx)
		return err
	}, func(err error) {
		if err != nil {
			t.reason = kit.SayError(err)
		}
		t.draw()
	})
}

// setClear shows or hides the secrets.
func (t *textTab) setClear(clear bool) {
	t.secrets.clear, t.touched = clear, false
	t.putAnew()
	t.draw()
}

// leave saves what can be saved, and hides the secrets.
func (t *textTab) leave() {
	if t.base == nil {
		return
	}
	if t.dirty() && !t.diagnosed() && len(t.text) <= maxHasty {
		t.check.drop() // the program may be about to end, so do not wait for the result
		t.document = config.Parse(t.view.Path, []byte(t.text))
	}
	t.saveIfGood()
	put := t.put
	if t.secrets.clear {
		put = t.putAnew
	}
	t.secrets.clear, t.touched = false, false
	t.putSoon(put)
	t.draw()
}

// putSoon shows the text in the code as soon as its secrets are known.
func (t *textTab) putSoon(put func()) {
	text := t.text
	if t.secrets.quick(text) {
		put()
		return
	}
	var found *scan
	t.program.Background(func() { found = newScan(text) }, func() {
		if t.text == text && !t.secrets.clear {
			t.secrets.scan = found
			put()
			t.draw()
		}
	})
}

// goTo puts the caret at a position of the file.
func (t *textTab) goTo(line, column int) {
	if t.base == nil {
		t.wanted = &position{line, column}
		return
	}
	t.wanted = nil
	t.code.Goto(t.shownAt(line, column))
	t.focus()
}

// shownAt returns the position in the code for a position in the file.
func (t *textTab) shownAt(line, column int) (shownLine, shownColumn int) {
	return placeAt(t.code.Text(), t.secrets.masking.shown(offsetOf(t.text, line, column)))
}

func (t *textTab) focus() {
	kit.Focus(t.code.Focusable())
}

// diagnostics returns the problems of the text.
func (t *textTab) diagnostics() []config.Diagnostic {
	if t.document == nil {
		return nil
	}
	found := slices.Clone(t.document.Diagnostics)
	switch {
	case !t.document.Valid():
		return found
	case t.document == t.view.Now:
		found = append(found, t.view.More...)
	case t.document == t.moreOf:
		found = append(found, t.more...)
	}
	config.SortDiagnostics(found)
	return found
}

// explained reports whether all problems of the text are known, so that they need not be drawn twice.
func (t *textTab) explained() bool {
	return t.diagnosed() && (!t.document.Valid() || t.document == t.view.Now || t.document == t.moreOf)
}
