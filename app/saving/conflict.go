package saving

import (
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// Unsaved says why an edit could not be saved, and what to do. It is empty if there is no such edit.
func Unsaved(now *model.Snapshot) string {
	if now.File.Pending == nil {
		return ""
	}
	return lang.L("Not saved: {{.Reason}}", map[string]any{"Reason": kit.SayError(now.File.Pending.Err)})
}

// saved handles the result of saving a change. If nothing was changed, done gets the reason. If there is a conflict,
// the user decides first.
func (s *Saver) saved(c configfile.Change, err error, done func(error)) {
	var failed *store.SaveError
	var conflict *store.Conflict
	switch {
	case errors.As(err, &failed):
		// The change is kept in memory, and a line above the screens says that it is not in the file.
		done(nil)
	case errors.As(err, &conflict):
		s.AskConflict(conflict, c, done)
	default:
		done(err)
	}
}

// AskConflict asks the user to choose between the version of another program and the change of the window.
func (s *Saver) AskConflict(conflict *store.Conflict, c configfile.Change, done func(error)) {
	var reasons []string
	for _, clash := range conflict.Clash {
		reasons = append(reasons, kit.ErrorSentence(clash.Text().Err()))
	}
	text := kit.NewParagraph(lang.L(
		"Another program changed the same part of the file. Nothing is lost: choose which version to keep."),
		kit.TextStyle{})
	why := kit.NewParagraph(kit.Together(reasons...), kit.TextStyle{Color: theme.ColorMuted, Size: theme.SizeSmall})
	both := code.NewDifference(code.Difference{})
	s.options.Tasks.Background(func() { // slow for a large file
		difference := s.difference(conflict)
		s.options.Tasks.Do(func() { both.SetDifference(difference) })
	})
	legend := kit.Row(kit.GapBlock,
		kit.NewText("− "+lang.L("in the file"), kit.TextStyle{Color: theme.ColorWrong, Size: theme.SizeSmall}),
		kit.NewText("+ "+lang.L("my change"), kit.TextStyle{Color: theme.ColorGood, Size: theme.SizeSmall}))
	content := kit.Column(kit.Gap, text, why, legend,
		kit.NewBox(kit.BoxStyle{Line: theme.ColorLine, Radius: theme.SizeFieldRadius},
			container.NewStack(kit.NewGap(200, 220), both)))

	ask := kit.NewQuestion(lang.L("The file has changed in the meantime"), 680, content, s.options.Window.Window)
	decided := false
	decide := func(then func()) func() {
		return func() {
			decided = true
			ask.Hide()
			then()
		}
	}
	theirs := kit.NewButton(lang.L("Keep what is in the file"), widget.MediumImportance, decide(func() {
		done(fmt.Errorf("%w: %w", model.ErrTheirs, conflict))
	}))
	ours := kit.NewButton(lang.L("Use my change"), widget.HighImportance, decide(func() {
		s.Save(configfile.Change{Says: c.Says, Ops: c.Ops}, done)
	}))
	ask.SetButtons([]fyne.CanvasObject{theirs, ours})
	ask.SetOnClosed(func() {
		if !decided {
			done(conflict)
		}
	})
	ask.SetAgain(func() { s.AskConflict(conflict, c, done) })
	s.options.Window.ShowDialog(ask)
	// Enter leaves the file alone, as Esc does, because the question may appear while the user types.
	s.options.Window.Window.Canvas().Focus(theirs)
}

// difference compares the file with the change of the window, without secrets.
func (s *Saver) difference(conflict *store.Conflict) code.Difference {
	opened, err := s.options.File.Store()
	if err != nil {
		return code.Difference{}
	}
	return code.Compare(opened.HideSecrets(conflict.Theirs.Source), opened.HideSecrets(conflict.Ours.Source))
}
