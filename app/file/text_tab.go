package file

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// maxTyped is how large a text may be to be changed here, in bytes. It is diagnosed with every letter.
	maxTyped = 2 << 20

	// maxHasty is how large a text may be to be diagnosed while the user waits, in bytes.
	maxHasty = 256 << 10
)

// textTab is the file as text. What is typed is diagnosed at once. It is saved when the user says so, and when the keyboard leaves a text
// that can be used: what is half typed is never run.
type textTab struct {
	draft
	actions Actions
	view    View
	check   checker

	taken    *config.Document // of the view, as it was taken up last
	document *config.Document // the diagnosis of the text, or of the one that was typed before
	moreOf   *config.Document // a text that is not the file's, about which there is more to say
	more     []config.Diagnostic
	clear    bool             // secrets are shown
	known    known            // the secrets that the file has or had
	scan     *scan            // of the newest text that was scanned
	scanning *config.Document // that is being scanned
	masking  masking          // of what stands in the code

	eager   bool             // save as soon as the text is diagnosed and no other is on its way
	sending bool             // a text is on its way to the file
	sent    *config.Document // that text
	edits   uint64           // View.Edits of the text that was saved last
	reason  string           // why it could not be saved
	touched bool             // the user wanted to change a hidden secret
	wanted  func()           // goes to a place once there is a text

	onText func() // there is a text now that was waited for

	*textPane
}

func newTextTab(actions Actions) *textTab {
	t := &textTab{actions: actions, known: known{}, onText: func() {}}
	t.check.background, t.check.more = actions.Background, actions.More
	t.textPane = newTextPane(t)
	t.code.OnChanged = t.typed
	t.code.OnKept = func() { t.touched = true; t.draw() }
	t.code.OnFocusLost = func() { t.moved(false) }
	t.bar.OnFocus(t.moved)
	t.code.OnShortcut = kit.OnKeys(t.commit, fyne.KeyS)
	return t
}

// moved saves the text once the keyboard, which has come to a control below it or gone from one, is elsewhere.
func (t *textTab) moved(focused bool) {
	if !focused {
		has := func(object fyne.Focusable) bool { return object == t.code.Focusable() || t.bar.Has(object) }
		kit.WhenLeft(t.code, has, t.actions.after, t.soon)
	}
}

// apply takes up another View.
func (t *textTab) apply(view View) {
	t.view = view
	// What is on its way to the file comes back within one of the next views; only then it is known what others did.
	if view.Now != nil && view.Now != t.taken && !t.sending {
		t.takeUpSoon()
	}
	t.draw()
	t.arrive()
}

// arrive goes to the place that waits for a text.
func (t *textTab) arrive() {
	if t.wanted != nil && t.base != nil {
		t.wanted()
	}
}

// maxScanned is how large a text may be to be looked through for secrets while the user waits, in bytes.
const maxScanned = 32 << 10

// takeUpSoon takes up what is in the file as soon as it is known what is secret in it.
func (t *textTab) takeUpSoon() {
	now := t.view.Now
	if len(now.Source) <= maxScanned || t.scan != nil && t.scan.text == string(now.Source) {
		t.takeUp()
		return
	}
	if t.scanning != nil {
		return // what is newest is looked at then
	}
	t.scanning = now
	var found *scan
	t.actions.Background(func() { found = newScan(string(now.Source)) }, func() {
		t.scan, t.scanning = found, nil
		if t.view.Now != nil && t.view.Now != t.taken && !t.sending {
			t.takeUpSoon()
		}
		t.draw()
		t.arrive()
		t.onText()
	})
}

// scanned is what is secret in a text.
func (t *textTab) scanned(text string) *scan {
	if t.scan == nil || t.scan.text != text {
		t.scan = newScan(text)
	}
	return t.scan
}

// takeUp brings what is in the file now together with what is typed.
func (t *textTab) takeUp() {
	before, first := t.text, t.base == nil
	t.taken = t.view.Now
	t.known.take(t.scanned(string(t.taken.Source)))
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

// put brings the text into the code. What is not different stays, with the caret, the selection and what can be undone.
func (t *textTab) put() { t.putBy(t.code.Follow) }

// putAnew does that and forgets what could be undone, which may bring out secrets that are hidden now.
func (t *textTab) putAnew() { t.putBy(t.code.SetText) }

func (t *textTab) putBy(put func(string)) {
	shown, hidden := t.text, masking{}
	if !t.clear {
		// What is being typed is not hidden under the user's hands.
		shown, hidden = t.known.maskScanned(t.scanned(t.text), t.dirty())
	}
	t.masking = hidden
	put(shown)
	if !slices.Equal(t.code.Kept(), hidden.masks) {
		t.code.Keep(hidden.masks)
	}
}

// typed follows the user.
func (t *textTab) typed(shown string) {
	text, hidden, ok := t.masking.unmask(shown, t.code.Kept())
	if !ok {
		t.putAnew() // a text without one of its secrets is not the user's
		return
	}
	t.text, t.masking = text, hidden
	t.reason, t.touched, t.eager = "", false, false
	t.diagnose()
	t.draw()
}

// diagnose has the text diagnosed.
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

// diagnosed reports whether it is known what is wrong with the text as it is now.
func (t *textTab) diagnosed() bool {
	return t.document != nil && string(t.document.Source) == t.text
}

// good reports whether the text can be used.
func (t *textTab) good() bool {
	if !t.diagnosed() || !t.document.Valid() {
		return false
	}
	_, stray := strayMask(t.base.Source, t.text)
	return !stray
}

// saveIfEager saves the text that waited for being diagnosed.
func (t *textTab) saveIfEager() {
	if t.eager && t.diagnosed() {
		t.eager = false
		t.saveIfGood()
	}
}

func (t *textTab) saveIfGood() {
	if t.dirty() && t.good() {
		t.save()
	}
}

// commit saves the text because the user says so.
func (t *textTab) commit() {
	if !t.dirty() {
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

// mayBeSaved reports whether the user may save the text. A file that cannot be used anyway may be mended in several steps; a
// good one is not made bad.
func (t *textTab) mayBeSaved() bool {
	_, stray := strayMask(t.base.Source, t.text)
	return !stray && (t.document.Valid() || !t.base.Valid())
}

// save puts the text into the file. While an older one is on its way there, it waits for that.
func (t *textTab) save() {
	if t.sending || t.theirs != nil {
		t.eager = t.sending
		return
	}
	base, sent, text := t.base, t.document, []byte(t.text)
	t.sending, t.sent, t.reason = true, sent, ""
	edits := t.edits
	t.actions.With(func(ctx context.Context, s *store.Store) error {
		var op store.Op = store.Text{From: base.Source, To: text}
		if base.Source == nil { // there is nothing that the text could be made of
			op = store.OpFunc(func([]byte) ([]byte, error) { return text, nil })
		}
		_, err := s.EditSaying(ctx, base, words.New("store.text_typed"), op)
		edits = s.Snapshot().Edits
		return err
	}, func(err error) { t.saved(sent, edits, err) })
	t.draw()
}

// textLabel is what the history says of what is typed here.
const textLabel = "edit the text of the file"

// saved takes up how saving has ended. One that failed for the disk's sake is kept by the store, and what is shown has it.
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
	// There is no newer view when another screen was shown meanwhile.
	if t.view.Now != nil && t.view.Now != t.taken {
		if conflict != nil {
			t.theirs = t.view.Now // not brought together by lines either: the store has a reason
		} else {
			t.takeUpSoon()
		}
	}
	t.diagnose()
	t.saveIfEager()
	t.draw()
}

// decide ends a conflict: for what is typed, or for what is in the file.
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

// newest reports whether what was done in the text last is newer than every other edit of the file.
func (t *textTab) newest() bool { return t.dirty() || t.view.Edits == t.edits }

// giveUp forgets what is typed.
func (t *textTab) giveUp() {
	t.revert()
	t.reason, t.eager = "", false
	t.put()
	t.diagnose()
	t.draw()
}

// fix does what the fix of a problem says, and saves the text if that makes it good.
func (t *textTab) fix(problem config.Diagnostic) {
	if problem.Fix == nil || !t.diagnosed() {
		return
	}
	var changes []kit.CodeChange
	for _, change := range problem.Fix.Changes {
		changes = append(changes, kit.CodeChange{Start: change.Start, End: change.End, New: change.New})
	}
	if shown, ok := t.masking.changes(changes); ok && t.code.Change(shown) {
		t.soon()
		return
	}
	if fixed, err := config.ApplyChanges([]byte(t.text), problem.Fix.Changes); err == nil {
		t.replace(string(fixed))
	}
}

// replace puts another text in the place of what is typed, and saves it if it is good. What was typed before is not to be undone ahead
// of that.
func (t *textTab) replace(text string) {
	t.text = text
	t.reason, t.touched = "", false
	t.putAnew()
	t.diagnose()
	t.soon()
}

// soon saves the text as soon as it is known to be good.
func (t *textTab) soon() {
	t.eager = !t.diagnosed()
	if !t.eager {
		t.saveIfGood()
	}
	t.draw()
}

// make makes the file that is not there.
func (t *textTab) make() {
	t.actions.With(func(ctx context.Context, s *store.Store) error {
		_, err := s.EditSaying(ctx, nil, words.New("store.file_made"), store.OpFunc(func(source []byte) ([]byte, error) { return source, nil }))
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
	t.clear, t.touched = clear, false
	t.putAnew()
	t.draw()
}

// leave saves what can be saved, and hides the secrets again.
func (t *textTab) leave() {
	if t.base == nil {
		return
	}
	if t.dirty() && !t.diagnosed() && len(t.text) <= maxHasty {
		t.check.drop() // the program may be about to end, so it is not waited for
		t.document = config.Parse(t.view.Path, []byte(t.text))
	}
	t.saveIfGood()
	put := t.put
	if t.clear {
		put = t.putAnew
	}
	t.clear, t.touched = false, false
	t.putSoon(put)
	t.draw()
}

// putSoon brings the text into the code as soon as it is known what is secret in it.
func (t *textTab) putSoon(put func()) {
	text := t.text
	if len(text) <= maxScanned || t.scan != nil && t.scan.text == text {
		put()
		return
	}
	var found *scan
	t.actions.Background(func() { found = newScan(text) }, func() {
		if t.text == text && !t.clear {
			t.scan = found
			put()
			t.draw()
		}
	})
}

// goTo puts the caret at a place of the file.
func (t *textTab) goTo(line, column int) {
	if t.base == nil {
		t.wanted = func() { t.goTo(line, column) }
		return
	}
	t.wanted = nil
	t.code.Goto(t.shownAt(line, column))
	t.focus()
}

// shownAt is where a place of the file stands in the code.
func (t *textTab) shownAt(line, column int) (shownLine, shownColumn int) {
	return placeAt(t.code.Text(), t.masking.shown(offsetOf(t.text, line, column)))
}

func (t *textTab) focus() {
	kit.Focus(t.code.Focusable())
}

// diagnostics are what is wrong with the text.
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

// explained reports whether all that is wrong with the text is known, so that it need not be drawn twice.
func (t *textTab) explained() bool {
	return t.diagnosed() && (!t.document.Valid() || t.document == t.view.Now || t.document == t.moreOf || t.check.more == nil)
}

// errorCount says how many errors keep the text from being saved.
func (t *textTab) errorCount() string {
	n := len(t.document.Errors())
	return lang.N("{{.Count}} problems", n, map[string]any{"Count": n})
}
