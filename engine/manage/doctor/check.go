package doctor

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// State is how one check went.
type State string

// The states of a check. A check that is still to come, or that is under way, has none.
const (
	Pending State = ""
	OK      State = "ok"
	Notice  State = "notice" // works, but something may surprise the user, or is missing that some servers need
	Wrong   State = "wrong"  // something does not work and has to be mended
)

// Group says under which heading a check is shown.
type Group string

// The groups of checks, in the order in which they are shown.
const (
	Programs Group = "programs" // what servers are started with
	Files    Group = "files"    // what Workbench reads and writes
	System   Group = "system"   // what the computer has to offer
)

// Check is one thing that is looked at, and what was found. Its texts hold no secrets. Paths are whole; [Doctor.Report] shortens them.
type Check struct {
	ID    string // such as "node", the same in every run
	Group Group
	Title words.Text // what is looked at
	State State

	// Detail is what was found, in sentences, Advice what to do. Both are empty for a check that is still to come.
	Detail []words.Text
	Advice words.Text

	// Fix is what a button can do about it; nil when there is none.
	Fix *Fix
}

// found sets the state and what was found, in place of what was there.
func (c *Check) found(state State, detail words.Text) {
	c.State, c.Detail = state, []words.Text{detail}
}

// add adds a sentence to what was found.
func (c *Check) add(detail words.Text) { c.Detail = append(c.Detail, detail) }

// Describe returns the detail of the check as one text.
func (c Check) Describe(p words.Printer) string {
	sentences := make([]string, len(c.Detail))
	for i, sentence := range c.Detail {
		sentences[i] = p.Text(sentence)
	}
	return strings.Join(sentences, " ")
}

// Fix is something that can be done at once about what a check found: a page to be opened, when it has a URL, else
// something that [Doctor.Fix] does.
type Fix struct {
	ID    string     // such as "install-node"
	Title words.Text // for a button
	URL   string

	// Runtime is the id of what Workbench can get itself where it can be got at all, see engine/manage/runtimes; else empty.
	Runtime string
}

// Ids of fixes that [Doctor.Fix] carries out. All others are pages.
const (
	FixPermissions = "permissions" // lets nobody else read the configuration
	FixHistory     = "history"     // makes the folder of the history, for the user alone
)
