package status

import (
	"encoding/json"
	"time"
)

// Question asks the person whether a call may proceed. Its texts come from outside. The person must see all that has
// an effect, so only values that the server was given, and that can only be secrets, are masked.
type Question struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
	Tool    string `json:"tool"`

	// Title is the server's name of the tool for people; "" if there is none.
	Title string `json:"title,omitempty"`

	// Says is the first sentence of the server's description of the tool; "" if there is none.
	Says string `json:"says,omitempty"`

	// Destructive is set if the server declares that the tool destroys something. If it is not set, the tool may still
	// change something: nobody is asked about tools that are declared to be read-only.
	Destructive bool `json:"destructive,omitempty"`

	// Arguments are all arguments, with those secrets masked; nil if there are none.
	Arguments json.RawMessage `json:"arguments,omitempty"`

	// Until is when the wait for the answer ends.
	Until time.Time `json:"until"`
}

// Answer is the person's answer to a [Question].
type Answer string

// The answers. AllowHour applies to the same tool of the same server in the same engine.
const (
	AllowOnce Answer = "once"
	AllowHour Answer = "hour"
	Refuse    Answer = "refuse"
)
