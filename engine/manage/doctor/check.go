package doctor

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

// Check is one thing that is looked at, and what was found. Its texts are for people: plain sentences without secrets. Paths
// are whole; [Report] shortens them.
type Check struct {
	ID    string `json:"id"` // such as "node", the same in every run
	Group Group  `json:"group"`
	Title string `json:"title"` // what is looked at, in a few words
	State State  `json:"state"`

	// Detail is what was found, Advice what to do. Both are empty for a check that is still to come.
	Detail string `json:"detail,omitempty"`
	Advice string `json:"advice,omitempty"`

	// Fix is what a button can do about it; nil when there is none.
	Fix *Fix `json:"fix,omitempty"`
}

// Fix is something that can be done at once about what a check found: a page to be opened, when it has a URL, else
// something that [Doctor.Fix] does.
type Fix struct {
	ID    string `json:"id"`    // such as "install-node"
	Title string `json:"title"` // for a button
	URL   string `json:"url,omitempty"`
}

// Ids of fixes that [Doctor.Fix] carries out. All others are pages.
const (
	FixPermissions = "permissions" // lets nobody else read the configuration
	FixHistory     = "history"     // makes the folder of the history, for the user alone
)
