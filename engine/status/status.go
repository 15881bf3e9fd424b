// Package status has the types with which an engine reports the state of its servers. They are plain values
// without behaviour, so that the packages that produce them (toolbox), transport them (ipc) and show them do
// not depend on each other.
package status

import (
	"encoding/json"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// State is the state of one server of an engine.
type State string

// The states of a server (screens.md, "The look", and the tray).
const (
	NotStarted State = "not_started" // waiting for its toolbox to be opened
	Starting   State = "starting"    // started, in the handshake or listing its tools
	Connected  State = "connected"
	Failed     State = "failed"  // could not be connected; there is no further try
	Stopped    State = "stopped" // was connected and ended by itself; see Server.RetryAt
	SignIn     State = "sign_in" // a remote server requires a sign-in
	Disabled   State = "disabled"

	NeedsApproval State = "needs_approval" // another program has added or changed it, and no person has approved that
)

// Server is the state of one server at one moment.
type Server struct {
	Toolbox string `json:"toolbox"`
	Name    string `json:"name"`
	State   State  `json:"state"`

	// Since is when the state began; zero for a server that was never started.
	Since time.Time `json:"since,omitzero"`

	// Held is set for a NotStarted server that the user has stopped: calls of its tools fail and say so.
	Held bool `json:"held,omitempty"`

	// Waits is set if the server runs with its old entry, because another program has changed the entry and
	// no person has approved that.
	Waits bool `json:"waits,omitempty"`

	// Installing is set for a Starting server whose runner, such as npx, may be downloading it.
	Installing bool `json:"installing,omitempty"`

	// Tools is how many tools clients may see, AllTools how many the server has. Both are set only for a
	// connected server.
	Tools    int `json:"tools,omitempty"`
	AllTools int `json:"allTools,omitempty"`

	// Waiting is how many of its tools have changed and are withheld until the person answers. If Forgotten is set,
	// the file that says what they were is damaged, and nobody knows whether they have changed.
	Waiting   int  `json:"waiting,omitempty"`
	Forgotten bool `json:"forgotten,omitempty"`

	// Marked is how many tools that were new or changed when this engine first saw them contain words that
	// may be meant to steer a model, see Tool.Marks.
	Marked int `json:"marked,omitempty"`

	// Faulty is how many definitions of a connected server (tools, prompts, resources and templates) clients or
	// AI services would not take as they are, and LeftOut how many of them are left out; the others are corrected or
	// marked, see Tool.Problem.
	Faulty  int `json:"faulty,omitempty"`
	LeftOut int `json:"leftOut,omitempty"`

	// Revision changes when the tools change, even if their number does not. It starts again with each Since.
	Revision int `json:"revision,omitempty"`

	// Problem is why the state is Failed, Stopped, SignIn or NeedsApproval; nil otherwise.
	Problem *Problem `json:"problem,omitempty"`

	// RetryAt is when a Stopped server will be restarted automatically; zero if it will not.
	RetryAt time.Time `json:"retryAt,omitzero"`

	Process Process `json:"process,omitzero"`

	// Title and Version are from the server, shortened and on one line.
	Title   string `json:"title,omitempty"`
	Version string `json:"version,omitempty"`
}

// Process is what a connected server runs in.
type Process struct {
	// Pid is the process of the server or of its wrapper; 0 for a remote server.
	Pid int `json:"pid,omitempty"`

	// Shared is set if other engines may use the same process. Alone is why only this engine does, although the entry of
	// the server says that it is shared.
	Shared bool       `json:"shared,omitempty"`
	Alone  words.Text `json:"alone,omitzero"`

	// Key is set if the entry says nothing of sharing and only this engine uses the process: engines with the same key
	// would use one process if it said that the server is shared.
	Key string `json:"key,omitempty"`
}

// Snapshot is the state of an engine's toolboxes at one moment. It is never changed after it was returned.
type Snapshot struct {
	// Open are the names of the open toolboxes, in the order of the file.
	Open []string `json:"open"`

	// Servers are all configured servers, disabled ones included, in the order of the file.
	Servers []Server `json:"servers"`

	// Paused is set if the user has paused the engine: nothing is connected and nothing can be opened.
	Paused bool `json:"paused,omitempty"`
}

// Kind classifies problems by what solves them.
type Kind string

// The kinds of problems.
const (
	KindProgram  Kind = "program"  // the command is not found or must not be run
	KindVariable Kind = "variable" // a ${VAR} or a keychain entry has no value
	KindKey      Kind = "key"      // it says that a key is missing or wrong
	KindTimeout  Kind = "timeout"  // it did not answer in time
	KindExited   Kind = "exited"   // its process ended
	KindProtocol Kind = "protocol" // it does not speak MCP
	KindNetwork  Kind = "network"  // a remote server cannot be reached
	KindSignIn   Kind = "sign_in"
	KindApproval Kind = "approval" // it waits for a person's approval
	KindOther    Kind = "other"
)

// Problem says why a server is not connected. Its texts are for people, one line each, with secrets masked.
type Problem struct {
	Kind    Kind       `json:"kind"`
	Message words.Text `json:"message"`
	Hint    words.Text `json:"hint,omitzero"`     // what to do
	Program string     `json:"program,omitempty"` // the missing command, for KindProgram
	// the field of the entry whose value is missing, for KindVariable and KindKey: "args", "env", …
	Field string `json:"field,omitempty"`
	// the variable or header in that field; empty if unknown
	Name string `json:"name,omitempty"`
}

// Outcome is how a call ended.
type Outcome string

// The outcomes of calls.
const (
	Running   Outcome = "running"
	Done      Outcome = "done"
	ToolError Outcome = "tool_error" // the tool itself reports a failure
	Error     Outcome = "error"      // the server or the engine answered with an error
	Cancelled Outcome = "cancelled"

	// The person was asked first. These calls have not reached the server.
	Refused    Outcome = "refused"
	Unanswered Outcome = "unanswered" // in time
)

// Call is a tool call that passed through an engine.
type Call struct {
	ID       uint64        `json:"id"` // unique within its engine
	Toolbox  string        `json:"toolbox"`
	Server   string        `json:"server"`
	Tool     string        `json:"tool"`
	Started  time.Time     `json:"started"`
	Duration time.Duration `json:"duration,omitempty"` // nanoseconds; 0 while it is running
	Outcome  Outcome       `json:"outcome"`
	Problem  words.Text    `json:"problem,omitzero"` // on one line, masked

	// Arguments are the arguments as JSON text, with values masked that look like secrets, cut at
	// [MaxArguments].
	Arguments string `json:"arguments,omitempty"`

	// ResultBytes is the size of the result.
	ResultBytes int `json:"resultBytes,omitempty"`

	// Missed is how many calls before this one were not reported because there were too many at once.
	Missed int `json:"missed,omitempty"`

	// MissedAfter is how many calls after this one were not reported, as long as no later call has come that
	// could say so.
	MissedAfter int `json:"missedAfter,omitempty"`
}

// MaxArguments is the largest size of Call.Arguments, in bytes.
const MaxArguments = 4 << 10

// LogLine is one line of a server's log: its own output, or a remark of ours.
type LogLine struct {
	Time   time.Time `json:"time"`
	Source string    `json:"source"`          // stderr, stdout, message or engine
	Level  string    `json:"level,omitempty"` // of a message
	Text   string    `json:"text,omitempty"`  // one line, secrets masked; empty for remarks of the engine

	Said words.Text `json:"said,omitzero"` // a remark of the engine, secrets masked
}

// Words returns the content of the line: the server's text, or the engine's remark.
func (l LogLine) Words() words.Text {
	if l.Said.IsZero() {
		return words.Foreign(l.Text)
	}
	return l.Said
}

// Tool is one tool of a connected server, for display.
type Tool struct {
	Name       string          `json:"name"`
	Definition json.RawMessage `json:"definition"`        // as the server sent it
	Exposed    string          `json:"exposed,omitempty"` // the name that clients see in dynamic mode, if registered
	Allowed    bool            `json:"allowed"`           // by toolFilters
	Problem    words.Text      `json:"problem,omitzero"`  // why it is left out, or what is doubtful about it

	// Withheld is set if the tool has changed and is hidden from clients until the person approves it.
	Withheld bool `json:"withheld,omitempty"`

	// Marks are the places with words that may be meant to steer a model.
	Marks []words.Text `json:"marks,omitempty"`
}
