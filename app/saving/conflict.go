package saving

import (
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// Unsaved says why an edit could not be saved, with what to do; empty when there is none.
func Unsaved(now *model.Snapshot) string {
	if now.File.Pending == nil {
		return ""
	}
	return lang.L("Your last change is not saved: {{.Why}}", map[string]any{"Why": kit.ErrorSentence(now.File.Pending.Err)})
}

// saved takes up how saving a change has ended. Done gets the reason when nothing was changed, but not before the user has
// decided where there is something to decide.
func (s *Saver) saved(c configfile.Change, err error, done func(error)) {
	var failed *store.SaveError
	var conflict *store.Conflict
	switch {
	case errors.As(err, &failed):
		// The change is kept and shown; the line above the screens says that it is not in the file.
		done(nil)
	case errors.As(err, &conflict):
		s.AskConflict(conflict, c, done)
	default:
		done(err)
	}
}

// AskConflict lets the user decide between what another program wrote and what the window wanted to.
func (s *Saver) AskConflict(conflict *store.Conflict, c configfile.Change, done func(error)) {
	var reasons []string
	for _, clash := range conflict.Clash {
		reasons = append(reasons, kit.ErrorSentence(clash.Text().Err()))
	}
	text := kit.NewParagraph(lang.L("Another program changed the same part of the file. Nothing is lost: choose which version to keep."), kit.TextStyle{})
	why := kit.NewParagraph(strings.Join(reasons, " "), kit.TextStyle{Color: theme.ColorMuted, Size: theme.SizeSmall})
	both := kit.NewCodeEntry() // the keyboard can scroll it
	both.SetReadOnly(true)
	s.options.Tasks.Background(func() { // it takes a while for a large file
		text := s.difference(conflict)
		s.options.Tasks.Do(func() { both.SetText(text) })
	})
	content := kit.Column(10, text, why, kit.NewBox(kit.BoxStyle{Line: theme.ColorLine, Radius: theme.SizeFieldRadius}, container.NewStack(kit.NewGap(200, 220), both)))

	ask := kit.NewQuestion(lang.L("The file has changed in the meantime"), 680, content, s.options.Window.Window)
	decided := false
	decide := func(then func()) func() {
		return func() {
			decided = true
			ask.Hide()
			then()
		}
	}
	theirs := kit.NewButton(lang.L("Keep what is in the file"), widget.MediumImportance, decide(func() { done(fmt.Errorf("%w: %w", model.ErrTheirs, conflict)) }))
	ours := kit.NewButton(lang.L("Use my change"), widget.HighImportance, decide(func() {
		s.Save(configfile.Change{Says: c.Says, Ops: c.Ops}, done)
	}))
	ask.SetButtons([]fyne.CanvasObject{theirs, ours})
	ask.SetOnClosed(func() {
		if !decided {
			done(conflict)
		}
	})
	s.options.Window.ShowDialog(ask)
	// As Esc does, Enter leaves the file alone: the question may come while somebody types.
	s.options.Window.Window.Canvas().Focus(theirs)
}

// difference shows what the file has against what the window wanted to put there, without secrets.
func (s *Saver) difference(conflict *store.Conflict) string {
	opened, err := s.options.File.Store()
	if err != nil {
		return ""
	}
	theirs, ours := opened.HideSecrets(conflict.Theirs.Source), opened.HideSecrets(conflict.Ours.Source)
	return udiff.Unified(lang.L("in the file"), lang.L("my change"), string(theirs), string(ours))
}
