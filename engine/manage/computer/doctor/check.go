package doctor

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// State is the result of one check.
type State string

// The states of a check. A check that has not finished is Pending.
const (
	Pending State = ""
	OK      State = "ok"
	Notice  State = "notice" // works, but something may surprise the user, or something is missing that some servers need
	Wrong   State = "wrong"  // does not work and needs a repair
)

// Group is the heading under which a check is shown.
type Group string

// The groups of checks, in the order in which they are shown.
const (
	Programs Group = "programs" // that start servers
	Files    Group = "files"    // that Workbench reads and writes
	System   Group = "system"   // resources of the computer
)

// Check is one thing that the doctor examines, with the result. Its texts hold no secrets. Its paths are
// full; [Doctor.Report] shortens them.
type Check struct {
	ID    string // such as "node", the same in every run
	Group Group
	Title words.Text // what is examined
	State State

	// Detail is the result in sentences, and Advice says what to do. Both are empty for a pending check.
	Detail []words.Text
	Advice words.Text

	// Fix is an action for a button; nil if there is none.
	Fix *Fix
}

// found sets the state and replaces the detail.
func (c *Check) found(state State, detail words.Text) {
	c.State, c.Detail = state, []words.Text{detail}
}

// add adds a sentence to the detail.
func (c *Check) add(detail words.Text) { c.Detail = append(c.Detail, detail) }

// Describe returns the detail of the check as one text.
func (c Check) Describe(p words.Printer) string {
	sentences := make([]string, len(c.Detail))
	for i, sentence := range c.Detail {
		sentences[i] = p.Text(sentence)
	}
	return strings.Join(sentences, " ")
}

// Fix is an action that addresses the result of a check. If it has a URL, the action is to open that page.
// Otherwise [Doctor.Fix] carries it out.
type Fix struct {
	ID    string     // such as "install-node"
	Title words.Text // the label of the button
	URL   string

	// Runtime is the id of a program that Workbench can install itself on some systems, see
	// engine/manage/computer/runtimes; empty if there is none.
	Runtime string
}

// Ids of the fixes that [Doctor.Fix] carries out. All other fixes open a page.
const (
	FixPermissions = "permissions" // lets no other user read the configuration
	FixHistory     = "history"     // makes the folder of the history, accessible to the user only
)
