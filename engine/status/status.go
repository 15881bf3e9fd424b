// Package status holds the words in which an engine tells how its servers are doing: plain values without behaviour, so
// that what produces them (toolbox), what carries them (ipc) and what shows them agree without knowing each other.
package status

import (
	"encoding/json"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// State is how one server of an engine is doing.
type State string

// The states of a server (screens.md, "The look", and the tray).
const (
	NotStarted State = "not_started" // waits for its toolbox to be opened
	Starting   State = "starting"    // started, shaking hands or listing its tools
	Connected  State = "connected"
	Failed     State = "failed"  // could not be connected; nothing is under way
	Stopped    State = "stopped" // was connected and ended by itself; see Server.RetryAt
	SignIn     State = "sign_in" // a remote server wants the user to sign in
	Disabled   State = "disabled"

	NeedsApproval State = "needs_approval" // another program has added or changed it, and no person has approved that
)

// Server is one server of one engine at one moment.
type Server struct {
	Toolbox string `json:"toolbox"`
	Name    string `json:"name"`
	State   State  `json:"state"`

	// Since is when the state began; zero for a server that was never started.
	Since time.Time `json:"since,omitzero"`

	// Held tells of a NotStarted server that the user has stopped it: calls of its tools fail and say so.
	Held bool `json:"held,omitempty"`

	// Waits tells that the server runs as it was, since another program has changed its entry and no person has approved that.
	Waits bool `json:"waits,omitempty"`

	// Installing tells of a Starting server that its runner, such as npx, may be downloading it.
	Installing bool `json:"installing,omitempty"`

	// Tools is how many tools clients may see, AllTools how many the server has. Of a connected server only.
	Tools    int `json:"tools,omitempty"`
	AllTools int `json:"allTools,omitempty"`

	// Waiting is how many of its tools have changed, are withheld and wait for the person's answer.
	Waiting int `json:"waiting,omitempty"`

	// Marked is how many of the tools that were new or had changed when this engine saw them first have words that may be meant to
	// steer a model, see Tool.Marks.
	Marked int `json:"marked,omitempty"`

	// Revision changes when the tools do, also when there are as many as before. It starts anew with each Since.
	Revision int `json:"revision,omitempty"`

	// Problem says why, for Failed, Stopped, SignIn and NeedsApproval; nil otherwise.
	Problem *Problem `json:"problem,omitempty"`

	// RetryAt is when a Stopped server is started again by itself; zero when it is not.
	RetryAt time.Time `json:"retryAt,omitzero"`

	// Pid is the process of a connected server or of its wrapper, 0 for a remote one.
	Pid int `json:"pid,omitempty"`

	// Title and Version are the server's own words, capped and in one line.
	Title   string `json:"title,omitempty"`
	Version string `json:"version,omitempty"`
}

// Snapshot is everything an engine says of its toolboxes at one moment. It is never changed once it was handed out.
type Snapshot struct {
	// Open are the names of the open toolboxes, in the order of the file.
	Open []string `json:"open"`

	// Servers are all configured servers, disabled ones included, in the order of the file.
	Servers []Server `json:"servers"`

	// Paused tells that the user has paused the engine: nothing is connected and nothing can be opened.
	Paused bool `json:"paused,omitempty"`
}

// Kind sorts problems by what mends them.
type Kind string

// The kinds of problems.
const (
	KindProgram  Kind = "program"  // the command is not found or may not be run
	KindVariable Kind = "variable" // a ${VAR} or a keychain entry has no value
	KindTimeout  Kind = "timeout"  // it did not answer in time
	KindExited   Kind = "exited"   // its process ended
	KindProtocol Kind = "protocol" // it does not speak MCP
	KindNetwork  Kind = "network"  // a remote server cannot be reached
	KindSignIn   Kind = "sign_in"
	KindApproval Kind = "approval" // it waits for a person
	KindOther    Kind = "other"
)

// Problem says why a server is not connected. Its texts are for people, in one line each, with secrets masked.
type Problem struct {
	Kind    Kind       `json:"kind"`
	Message words.Text `json:"message"`
	Hint    words.Text `json:"hint,omitzero"`     // what to do
	Program string     `json:"program,omitempty"` // the command that is missing, for KindProgram
	Field   string     `json:"field,omitempty"`   // the field of the entry whose value is missing, for KindVariable: "args", "env", …
}

// Outcome is how a call ended.
type Outcome string

// The outcomes of calls.
const (
	Running   Outcome = "running"
	Done      Outcome = "done"
	ToolError Outcome = "tool_error" // the tool itself says that it failed
	Error     Outcome = "error"      // the server or the engine answered with an error
	Cancelled Outcome = "cancelled"
)

// Call is one tool call that passed through an engine.
type Call struct {
	ID       uint64        `json:"id"` // unique within its engine
	Toolbox  string        `json:"toolbox"`
	Server   string        `json:"server"`
	Tool     string        `json:"tool"`
	Started  time.Time     `json:"started"`
	Duration time.Duration `json:"duration,omitempty"` // nanoseconds; 0 while it runs
	Outcome  Outcome       `json:"outcome"`
	Problem  words.Text    `json:"problem,omitzero"` // in one line, masked

	// Arguments are the arguments as JSON text with secret-looking values masked, cut at [MaxArguments].
	Arguments string `json:"arguments,omitempty"`

	// ResultBytes is the size of the result.
	ResultBytes int `json:"resultBytes,omitempty"`

	// Missed is how many calls before this one were not told of because there were too many in a moment.
	Missed int `json:"missed,omitempty"`

	// MissedAfter is how many calls after this one were not, as long as no other has come that could say so.
	MissedAfter int `json:"missedAfter,omitempty"`
}

// MaxArguments caps Call.Arguments, in bytes.
const MaxArguments = 4 << 10

// LogLine is one line of a server's log: what it wrote, and what we did with it.
type LogLine struct {
	Time   time.Time `json:"time"`
	Source string    `json:"source"`          // stderr, stdout, message or engine
	Level  string    `json:"level,omitempty"` // of a message
	Text   string    `json:"text,omitempty"`  // one line, secrets masked; empty for those of the engine

	Said words.Text `json:"said,omitzero"` // what the engine says, secrets masked
}

// Words returns what the line says: the server's text as it is, or that of the engine.
func (l LogLine) Words() words.Text {
	if l.Said.IsZero() {
		return words.Foreign(l.Text)
	}
	return l.Said
}

// Tool is one tool of a connected server, for people who look at it.
type Tool struct {
	Name       string          `json:"name"`
	Definition json.RawMessage `json:"definition"`        // as the server sent it
	Exposed    string          `json:"exposed,omitempty"` // the name that clients see in dynamic mode, when registered
	Allowed    bool            `json:"allowed"`           // by toolFilters
	Problem    words.Text      `json:"problem,omitzero"`  // why it is set aside, or what is doubtful about it

	// Withheld reports that the tool has changed and is kept from clients until the person approves it.
	Withheld bool `json:"withheld,omitempty"`

	// Marks are the places whose words may be meant to steer a model.
	Marks []words.Text `json:"marks,omitempty"`
}
