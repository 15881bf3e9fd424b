package live

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// HelpWords returns the text of the button for a help.
func HelpWords(help model.Help) string {
	return [...]string{
		model.NoHelp:       "",
		model.HelpReview:   lang.L("Review…"),
		model.HelpTools:    lang.L("Review…"),
		model.HelpSignIn:   lang.L("Sign in…"),
		model.HelpAgain:    lang.L("Try again"),
		model.HelpTry:      lang.L("Try it"),
		model.HelpLog:      lang.L("Show log"),
		model.HelpTime:     lang.L("Give it more time"),
		model.HelpFill:     lang.L("Fill it in"),
		model.HelpCommand:  lang.L("Change the command"),
		model.HelpSettings: lang.L("Open settings"),
		model.HelpShow:     lang.L("Show"),
	}[help]
}

// RunWords returns the texts of the buttons that start and restart a server. The texts say "try" if the server has
// failed or may be unable to start.
func RunWords(state status.State, shape theme.State) (start, again string) {
	start, again = lang.L("Start"), lang.L("Restart")
	if shape == theme.StateNotice {
		start = lang.L("Try it")
	}
	if state == status.Failed || state == status.Stopped {
		again = lang.L("Try again")
	}
	return start, again
}

// Doubt returns s with a problem of the file that may keep the server from starting or from working as expected.
func (s Shown) Doubt(why config.Diagnostic) Shown {
	s.State, s.Detail, s.Help = theme.StateNotice, kit.Sentence(kit.Say(why.Message)), model.HelpShow
	return s
}

// OfWeight returns the state whose icon and color a problem has: [theme.StateIdle] for a remark.
func OfWeight(weight model.Weight) theme.State {
	return [...]theme.State{model.Wrong: theme.StateWrong, model.Asks: theme.StateKey, model.Doubt: theme.StateNotice,
		model.Remark: theme.StateIdle}[weight]
}

// OfDiagnostic returns the state whose icon and color a diagnostic of the configuration has: [theme.StateIdle] for a
// note.
func OfDiagnostic(d config.Diagnostic) theme.State {
	switch {
	case d.IsNote():
		return theme.StateIdle
	case d.Severity == config.SeverityError:
		return theme.StateWrong
	}
	return theme.StateNotice
}
