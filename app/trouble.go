package app

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// unsaved says why an edit could not be saved, with what to do; empty when there is none.
func unsaved(now *shown) string {
	if now.File.Pending == nil {
		return ""
	}
	return lang.L("Your last change is not saved: {{.Why}}", map[string]any{"Why": kit.ErrorSentence(now.File.Pending.Err)})
}

// saved takes up how saving a change has ended. Done gets the reason when nothing was changed, but not before the user has
// decided where there is something to decide.
func (d *controller) saved(c configfile.Change, err error, done func(error)) {
	var failed *store.SaveError
	var conflict *store.Conflict
	switch {
	case errors.As(err, &failed):
		// The change is kept and shown; the line above the screens says that it is not in the file.
		done(nil)
	case errors.As(err, &conflict):
		d.askConflict(conflict, c, done)
	default:
		done(err)
	}
}

// askConflict lets the user decide between what another program wrote and what the window wanted to.
func (d *controller) askConflict(conflict *store.Conflict, c configfile.Change, done func(error)) {
	var reasons []string
	for _, clash := range conflict.Clash {
		reasons = append(reasons, kit.ErrorSentence(clash.Text().Err()))
	}
	text := kit.NewParagraph(lang.L("Another program changed the same part of the file. Nothing is lost: choose which version to keep."), kit.TextStyle{})
	why := kit.NewParagraph(strings.Join(reasons, " "), kit.TextStyle{Color: theme.ColorMuted, Size: theme.SizeSmall})
	both := kit.NewCodeEntry() // the keyboard can scroll it
	both.SetReadOnly(true)
	d.tasks.Background(func() { // it takes a while for a large file
		text := d.difference(conflict)
		d.tasks.Do(func() { both.SetText(text) })
	})
	content := kit.Column(10, text, why, kit.NewBox(kit.BoxStyle{Line: theme.ColorLine, Radius: theme.SizeFieldRadius}, container.NewStack(kit.NewGap(200, 220), both)))

	ask := kit.NewQuestion(lang.L("The file has changed in the meantime"), 680, content, d.window.window)
	decided := false
	decide := func(then func()) func() {
		return func() {
			decided = true
			ask.Hide()
			then()
		}
	}
	theirs := kit.NewButton(lang.L("Keep what is in the file"), widget.MediumImportance, decide(func() { done(conflict) }))
	ours := kit.NewButton(lang.L("Use my change"), widget.HighImportance, decide(func() {
		d.save(configfile.Change{Label: c.Label, Ops: c.Ops}, done)
	}))
	ask.SetButtons([]fyne.CanvasObject{theirs, ours})
	ask.SetOnClosed(func() {
		if !decided {
			done(conflict)
		}
	})
	d.showDialog(ask)
	// As Esc does, Enter leaves the file alone: the question may come while somebody types.
	d.window.window.Canvas().Focus(theirs)
}

// difference shows what the file has against what the window wanted to put there, without secrets.
func (d *controller) difference(conflict *store.Conflict) string {
	opened, err := d.configFile.Store()
	if err != nil {
		return ""
	}
	theirs, ours := opened.HideSecrets(conflict.Theirs.Source), opened.HideSecrets(conflict.Ours.Source)
	return udiff.Unified(lang.L("in the file"), lang.L("my change"), string(theirs), string(ours))
}

// openDialog is a dialog, and what lies over the window for it.
type openDialog struct {
	dialog dialog.Dialog
	over   fyne.CanvasObject
}

// showDialog shows a dialog, which Esc closes.
func (d *controller) showDialog(shown dialog.Dialog) {
	overlays := d.window.window.Canvas().Overlays()
	d.dialogs = slices.DeleteFunc(d.dialogs, func(open openDialog) bool { return !slices.Contains(overlays.List(), open.over) })
	shown.Show()
	d.dialogs = append(d.dialogs, openDialog{shown, overlays.Top()})
}

// dismiss closes the dialog that lies over the others, if it is one of the window's own.
func (d *controller) dismiss() {
	top := d.window.window.Canvas().Overlays().Top()
	if i := slices.IndexFunc(d.dialogs, func(open openDialog) bool { return open.over == top }); i >= 0 {
		d.dialogs[i].dialog.Dismiss()
	}
}

// say tells something for a while.
func (d *controller) say(text string) { d.window.toast.show(text, "", nil) }

// fail tells what could not be done. Enter and Esc both take it away.
func (d *controller) fail(err error) {
	var broken *store.BrokenError
	if errors.As(err, &broken) { // what is wrong stands on the screen already, with its repair
		d.say(lang.L("The configuration has an error that must be corrected first."))
		return
	}
	text := kit.NewParagraph(kit.ErrorSentence(err), kit.TextStyle{})
	shown := kit.NewQuestion(lang.L("Something went wrong"), 480, text, d.window.window)
	ok := kit.NewButton(lang.L("OK"), widget.HighImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{ok})
	d.showDialog(shown)
	d.window.window.Canvas().Focus(ok)
}
