// Package client is the table of the apps that start Workbench: everything known of each stands in one row.
//
// [All] returns the rows. The engine reads from them how to behave towards the app that started it; package clients reads
// where the app keeps its file, and what an entry looks like there. To add an app is to add one row, and the golden file of package clients.
// What the rows say was seen with the real program where Seen is set; docs/clients.md tells more.
package client

import (
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Client is what is known of an app. The zero value of each field that tells how it behaves means unknown, and is safe.
type Client struct {
	// ID is the name on the command line and behind --client.
	ID string

	// Name is what people call it.
	Name string

	// Maker is whose app it is, for those whose apps hand entries on to each other; "" for the others.
	Maker string

	Session
	File
	Managed *Managed // where an organisation sets rules for it; nil where nothing is known of such rules

	// Limits are what people should know about the client.
	Limits []words.Code
}

// Say returns a sentence about the client. Its words may name the client as {{.Client}}.
func (c Client) Say(code words.Code) words.Text {
	if code == "" {
		return words.Text{}
	}
	return words.New(code, "Client", c.Name)
}

// Session is how a client behaves while Workbench runs for it.
type Session struct {
	// Greetings are what it alone is known to call itself (clientInfo.name), compared without regard to case.
	Greetings []string

	// Seen is the version that was run and the day of the run; "" where the program was not run. Source then tells where the
	// rest of this comes from.
	Seen, Source string

	// NewTools is what it does with tools that come while it runs.
	NewTools NewTools
	// Pause is how long it takes to use a list of tools that it was given; 0 is unknown.
	Pause time.Duration
	// NoHold is set when it asks for the tools only after it has the answer, but still before its next request to the model.
	NoHold bool

	// Patience is how long its first request to the model waits for the first list of tools. After that it goes without any tool of ours. 0 is unknown.
	Patience time.Duration

	// Limit is how much of an answer it shows its model; the zero value is unknown.
	Limit Limit
	// NameBudget is how long a tool name may be beside the prefix that this client adds, in bytes; 0 is unknown.
	NameBudget int

	// Instructions tells whether it shows its model what a server says about itself, and FirstLine that it may be the first line alone.
	Instructions Answer
	FirstLine    bool
}

// NewTools is what a client does with tools that come while it runs.
type NewTools int

// The ways.
const (
	ToolsUnknown NewTools = iota
	ToolsIgnored          // it does not notice them
	ToolsClaimed          // it is said to take them up, and nobody has seen it
	ToolsLate             // it asks for them, but a request under way may go on without them
	ToolsInTime           // in a run with the real program, the next request to the model had the tools of a toolbox just opened
)

// Dynamic reports whether a model sees the tools of a toolbox right after it opens the toolbox (contract.md, section 4).
func (s Session) Dynamic() bool { return s.NewTools == ToolsInTime }

// ListChanged reports whether the client asks for the tools again when they change.
func (s Session) ListChanged() Answer {
	switch s.NewTools {
	case ToolsIgnored:
		return No
	case ToolsLate, ToolsInTime:
		return Yes
	}
	return Unknown
}

// Answer is whether a client does something, as far as is known. Treat Unknown as No.
type Answer int

// The answers.
const (
	Unknown Answer = iota
	Yes
	No
)

// MarshalText implements [encoding.TextMarshaler].
func (a Answer) MarshalText() ([]byte, error) {
	return []byte([...]string{Unknown: "unknown", Yes: "yes", No: "no"}[a]), nil
}

// Limit is how much of a tool's answer a client shows its model.
type Limit struct {
	Size int
	Unit Unit
}

// Unit is what a client counts when it cuts an answer.
type Unit int

// The units.
const (
	Bytes        Unit = iota // of the text, as UTF-8
	Characters               // of the text, as JavaScript counts: those beyond the first 65,536 are two
	EscapedBytes             // of the text inside JSON, where each quote takes two
)

// All returns the rows of the table. Nobody changes what is in them.
func All() []Client { return table[:] }

// Retired returns the apps that are no longer made. Their servers can be brought in, but nothing is registered in them.
func Retired() []Client { return retired[:] }

// IDs returns the ids of all clients, in the order of the table.
func IDs() []string {
	var ids []string
	for _, c := range All() {
		ids = append(ids, c.ID)
	}
	return ids
}

// Find returns what is known of the client with an id, which our registration wrote and which is certain. Without an id it goes by
// the name that the client gives itself. Of an unknown client it returns the zero value, never nil.
func Find(id, greeting string) *Client {
	greeting = strings.TrimSpace(greeting)
	var found Client
	for i := range table {
		if id != "" && table[i].ID == id || id == "" && greets(table[i].Greetings, greeting) {
			found = table[i]
			break
		}
	}
	return &found
}

func greets(greetings []string, name string) bool {
	return slices.ContainsFunc(greetings, func(own string) bool { return strings.EqualFold(own, name) })
}

// Matches reports whether an app that greets with a name can be the client whose entry started us. Some apps read the files of
// others: VS Code finds the entry of Claude Desktop and starts it. Apps of one maker hand entries on to each other. A name that is not
// in the table matches every client.
func Matches(id, greeting string) bool {
	entry, greeted := Find(id, ""), Find("", greeting)
	switch {
	case entry.ID == "":
		return false
	case greeted.ID == "":
		return true
	}
	return greeted.ID == id || greeted.Maker != "" && greeted.Maker == entry.Maker
}
