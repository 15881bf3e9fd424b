package model

import "github.com/workbench-mcp/workbench-desktop/engine/status"

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

// Help returns what helps with the server.
func (s Server) Help() Help {
	switch s.Condition() {
	case ConditionChanged:
		return HelpReview
	case ConditionToolsChanged:
		return HelpTools
	case ConditionUnapproved:
		return HelpTry
	case ConditionUnfilled:
		return HelpFill
	case ConditionSignIn:
		return HelpSignIn
	case ConditionFailed, ConditionStopped:
		return helpWith(s.Problem)
	}
	return NoHelp
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
