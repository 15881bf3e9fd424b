package status

import (
	"encoding/json"
	"time"
)

// Question asks the person whether a call may go on. Its texts are from outside, in one line each, with secrets masked.
type Question struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	Tool    string `json:"tool"`

	// Title is what the server calls the tool towards people; "" when it has no other name.
	Title string `json:"title,omitempty"`

	// Destructive tells that the server says that the tool destroys something. Otherwise it only does not say that the tool
	// changes nothing.
	Destructive bool `json:"destructive,omitempty"`

	// Arguments are all arguments, with secret-looking values masked; nil when there are none.
	Arguments json.RawMessage `json:"arguments,omitempty"`

	// Until is when nobody waits for the answer any more.
	Until time.Time `json:"until"`
}

// Answer is what the person says to a [Question].
type Answer string

// The answers. AllowHour counts for the same tool of the same server in the same engine.
const (
	AllowOnce Answer = "once"
	AllowHour Answer = "hour"
	Refuse    Answer = "refuse"
)
