package live

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Help is the one action that is most likely to help with a server that does not run as it should.
type Help int

// The kinds of help.
const (
	NoHelp       Help = iota // nothing needs to be done
	HelpReview               // look at what another program has changed
	HelpTools                // look at tools that have changed
	HelpSignIn               // sign in
	HelpAgain                // try again
	HelpTry                  // try the server
	HelpLog                  // read the log of the server
	HelpTime                 // give the server more time to start
	HelpFill                 // give a variable its value
	HelpCommand              // change the command
	HelpSettings             // look through the settings of the server
	HelpShow                 // go to the field that is doubtful
)

// Words returns the text of the button for the help.
func (h Help) Words() string {
	return [...]string{
		NoHelp:       "",
		HelpReview:   lang.L("Review…"),
		HelpTools:    lang.L("Review…"),
		HelpSignIn:   lang.L("Sign in…"),
		HelpAgain:    lang.L("Try again"),
		HelpTry:      lang.L("Try it"),
		HelpLog:      lang.L("Show log"),
		HelpTime:     lang.L("Give it more time"),
		HelpFill:     lang.L("Fill it in"),
		HelpCommand:  lang.L("Change the command"),
		HelpSettings: lang.L("Open settings"),
		HelpShow:     lang.L("Show"),
	}[h]
}

// helpWith returns the help for a server that could not be started or has ended.
func helpWith(problem *status.Problem) Help {
	if problem == nil {
		return HelpLog
	}
	switch problem.Kind {
	case status.KindProgram:
		return HelpCommand
	case status.KindVariable, status.KindKey:
		return HelpFill
	case status.KindTimeout:
		return HelpTime
	case status.KindNetwork:
		return HelpAgain
	case status.KindExited, status.KindProtocol:
		return HelpLog
	}
	return HelpSettings
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

// Doubt returns s with a problem of the file that may keep the server from starting or from working as expected. why
// is a sentence about the problem. If the server was started, or otherwise says that s is about something else, such
// as a pause, Doubt returns s unchanged.
func (s Shown) Doubt(state status.State, otherwise bool, why string) Shown {
	if s.State == theme.StateIdle && state == status.NotStarted && !otherwise {
		s.State, s.Detail, s.Help = theme.StateNotice, why, HelpShow
	}
	return s
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
