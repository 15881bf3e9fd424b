package model

import "github.com/workbench-mcp/workbench-desktop/engine/status"

// Condition is what matters most to the user about a server. The engines, the file, the approvals of the user and what
// is filled in all contribute to it. Screens have a word and a shape for each.
type Condition int

// The conditions.
const (
	ConditionIdle         Condition = iota // not started
	ConditionReady                         // not started, and its tools are known
	ConditionHeld                          // stopped by the user
	ConditionPaused                        // the user has paused all servers
	ConditionUnseen                        // an engine of another version of Workbench may run it
	ConditionSilent                        // an engine that does not answer has it
	ConditionOff                           // switched off
	ConditionStarting                      // it starts
	ConditionConnected                     // it works
	ConditionFaulty                        // it works, but some of its definitions are left out
	ConditionToolsChanged                  // it works, and some of its tools wait for approval
	ConditionChanged                       // another program has added or changed it, and the user has not approved that
	ConditionUnapproved                    // an engine waits for an approval, and the window does not know why
	ConditionUnfilled                      // a key or another value is missing
	ConditionSignIn                        // the user has to sign in
	ConditionFailed                        // it could not be started
	ConditionStopped                       // it has ended by itself
)

// Condition returns the condition of the server.
func (s Server) Condition() Condition {
	switch {
	case s.Changed && s.State != status.Disabled:
		return ConditionChanged
	case len(s.ToFill()) > 0:
		return ConditionUnfilled
	}
	switch s.State {
	case status.Connected:
		switch {
		case s.Waiting > 0:
			return ConditionToolsChanged
		case s.LeftOut > 0:
			return ConditionFaulty
		}
		return ConditionConnected
	case status.Starting:
		return ConditionStarting
	case status.Failed:
		return ConditionFailed
	case status.Stopped:
		return ConditionStopped
	case status.SignIn:
		return ConditionSignIn
	case status.NeedsApproval: // Changed is not set, for example because the keychain does not answer the window
		return ConditionUnapproved
	case status.Disabled:
		return ConditionOff
	}
	switch {
	case s.Unseen == Silent:
		return ConditionSilent
	case s.Unseen == OtherVersion:
		return ConditionUnseen
	case s.Paused:
		return ConditionPaused
	case s.Held:
		return ConditionHeld
	case s.Known > 0:
		return ConditionReady
	}
	return ConditionIdle
}

// Weight is how much a problem matters. A smaller one matters more.
type Weight int

// The weights.
const (
	Wrong  Weight = iota // something does not work
	Asks                 // something does not work until the user gives a key or signs in
	Doubt                // something works, but perhaps not as expected
	Remark               // nothing has to be done
)

// Weight returns how much the condition matters as a problem.
func (c Condition) Weight() Weight {
	switch c {
	case ConditionFailed, ConditionStopped:
		return Wrong
	case ConditionUnfilled, ConditionSignIn:
		return Asks
	case ConditionSilent, ConditionFaulty, ConditionToolsChanged, ConditionChanged, ConditionUnapproved:
		return Doubt
	}
	return Remark
}

// asked reports whether the user has to do something about the condition.
func (c Condition) asked() bool {
	return c.Weight() < Doubt || c == ConditionToolsChanged || c == ConditionChanged
}
