// Package client is the table of the apps that start Workbench, with one row for each app.
//
// [All] returns the rows. The engine reads from them how to treat the app that started it. Package clients
// reads where the app keeps its file and what an entry looks like there. To add an app, add one row here and
// its golden file in package clients. If Seen is set, the behaviour in the row was observed with the real
// program; see docs/clients.md.
package client

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Client describes an app. The zero value of each field about its behaviour means unknown, and is safe.
type Client struct {
	// ID is the app's name in commands and after --client.
	ID string

	// Name is the app's name for people.
	Name string

	// Maker is the maker of apps that pass entries on to each other; "" for all other apps.
	Maker string

	Session
	File
	Managed *Managed // where an organisation sets rules for the app; nil if no such rules are known

	// Limits are what people should know about the client.
	Limits []words.Code
}

// Say returns a sentence about the client. The text may refer to the client as {{.Client}}.
func (c Client) Say(code words.Code) words.Text {
	if code == "" {
		return words.Text{}
	}
	return words.New(code, "Client", c.Name)
}

// Session describes how a client behaves while it uses Workbench.
type Session struct {
	// ClientNames are the names that only this client sends in clientInfo. Case is ignored. A name that ends in "*"
	// stands for all names that begin with it, since some clients add the name of the entry.
	ClientNames []string

	// Seen is the version of the program that was run, with the day; "" if it was not run. Source then says
	// where the other fields come from.
	Seen, Source string

	// NewTools is how it handles tools that are added while it runs.
	NewTools NewTools
	// Pause is how long it takes until it uses a new list of tools; 0 if unknown, or [NoWait].
	Pause time.Duration

	// Patience is how long its first request to the model waits for the first list of tools. After that it is
	// sent without our tools. 0 if unknown.
	Patience time.Duration

	// CallLimit is how long it waits for the result of a tool; 0 if unknown.
	CallLimit time.Duration

	// Limit is how much of an answer it shows its model; the zero value means unknown.
	Limit Limit
	// MaxMessage is the size of the largest message that it takes, in bytes; 0 if unknown.
	MaxMessage int
	// NameBudget is the length in bytes that a tool's name may have in addition to the client's own prefix; 0
	// if unknown.
	NameBudget int

	// Mends has the faults in the schema of a tool that it corrects, or for which it leaves out the tool. It sends
	// schemas with other faults unchanged, and its AI service may then refuse a request with all tools.
	Mends definition.Refusal

	// Instructions says whether it shows its model the server's instructions. FirstLine is set if it may show
	// only their first line.
	Instructions Answer
	FirstLine    bool
}

// NewTools is how a client handles tools that are added while it runs.
type NewTools int

// The ways to handle new tools.
const (
	ToolsUnknown NewTools = iota
	ToolsIgnored          // it does not notice them
	ToolsClaimed          // it claims to use them, which was not observed
	ToolsLate             // it requests them, but its next request to the model may not have them
	// its next request to the model has them, which was observed with the real program
	ToolsInTime
)

// Answering returns how long a person may take to allow a call, so that there is time left for the call itself; 0 if
// unknown.
func (s Session) Answering() time.Duration {
	if s.CallLimit == 0 {
		return 0
	}
	return min(5*time.Minute, s.CallLimit-15*time.Second)
}

// NoWait is the Pause of a client that requests the list of tools only after it has the answer of open_toolbox, but
// before its next request to the model. The answer must not wait for it.
const NoWait time.Duration = -1

// Dynamic reports whether a model sees the tools of a toolbox right after it opens the toolbox (contract.md,
// section 4).
func (s Session) Dynamic() bool { return s.NewTools == ToolsInTime }

// ListChanged returns whether the client requests the tools again when they change.
func (s Session) ListChanged() Answer {
	switch s.NewTools {
	case ToolsIgnored:
		return No
	case ToolsLate, ToolsInTime:
		return Yes
	}
	return Unknown
}

// Answer says whether a client does something, as far as is known. Treat Unknown as No.
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
	Bytes Unit = iota // of the text, as UTF-8
	// of the text in UTF-16, as JavaScript counts: characters beyond the first 65,536 count as two
	Characters
	EscapedBytes // of the text as JSON, where each quote takes two
)

// All returns the rows of the table. They must not be changed.
func All() []Client { return table[:] }

// Retired returns the apps that are no longer developed. Their servers can be imported, but they cannot be
// connected.
func Retired() []Client { return retired[:] }

// IDs returns the ids of all clients, in the order of the table.
func IDs() []string {
	var ids []string
	for _, c := range All() {
		ids = append(ids, c.ID)
	}
	return ids
}

// Find returns the row of a client by its id, which is certain, since it comes from our own entry. Without an id, it
// uses the client's name in clientInfo. For an unknown client it returns a zero Client, never nil.
func Find(id, name string) *Client {
	name = strings.TrimSpace(name)
	var found Client
	for i := range table {
		if id != "" && table[i].ID == id || id == "" && matches(table[i].ClientNames, name) {
			found = table[i]
			break
		}
	}
	return &found
}

func matches(names []string, name string) bool {
	return slices.ContainsFunc(names, func(own string) bool {
		beginning, more := strings.CutSuffix(own, "*")
		return strings.EqualFold(own, name) || more && len(name) > len(beginning) &&
			strings.EqualFold(beginning, name[:len(beginning)])
	})
}

// Called returns the name of an app as people know it. id is the one in the entry that has started us, and name what
// the app calls itself; both may be empty. If nobody knows the app, that is its own name, and "" if it has none. An
// app that uses the entry of another one has its own name.
func Called(id, name string) string {
	if Find(id, "").ID != "" && !Matches(id, name) {
		id = ""
	}
	id, name = strings.TrimSpace(id), strings.TrimSpace(name)
	for _, word := range []string{id, name} {
		if called := called(strings.ToLower(word)); called != "" {
			return called
		}
	}
	return cmp.Or(name, id)
}

// called returns the name of a known app for its id, or for what it calls itself, in lower case.
func called(word string) string {
	for _, known := range []*Client{Find(word, ""), Find("", word)} {
		if known.ID != "" {
			return known.Name
		}
	}
	switch word { // names that are not in the table, or that several apps use
	case "claude-ai": // both Claude Desktop and Claude in a browser use this name
		return "Claude"
	case "roo", "roo-code":
		return "Roo Code"
	case "inspector-client", "mcp-inspector":
		return "MCP Inspector"
	case "workbench":
		return "Workbench"
	}
	return ""
}

// Matches reports whether an app with this name in clientInfo can be the client whose entry has started us. Some apps
// start entries in the files of other apps: VS Code, for example, those of Claude Desktop. Apps of one maker pass
// entries on to each other. A name that is not in the table matches every client.
func Matches(id, name string) bool {
	entry, named := Find(id, ""), Find("", name)
	switch {
	case entry.ID == "":
		return false
	case named.ID == "":
		return true
	}
	return named.ID == id || named.Maker != "" && named.Maker == entry.Maker
}
