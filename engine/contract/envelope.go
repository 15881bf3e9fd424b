package contract

// Code is the kind of error that an envelope reports.
type Code string

// The codes of the error envelope.
const (
	InvalidInput  Code = "INVALID_INPUT"  // a bad request or bad arguments
	AuthRequired  Code = "AUTH_REQUIRED"  // a remote server requires a sign-in
	Unavailable   Code = "UNAVAILABLE"    // cannot connect, timed out, or still starting
	InternalError Code = "INTERNAL_ERROR" // a fault of the engine or of the tool
)

// MetaKey is the member of a tool result's _meta with the Envelope of an error. Its message is the result's own text,
// and is not written again: some clients show their model the whole _meta.
const MetaKey = "workbench/error"

// Details says where an error happened. Unknown fields are empty and left out.
type Details struct {
	Toolbox string `json:"toolbox,omitempty"`
	Server  string `json:"server,omitempty"`
	Tool    string `json:"tool,omitempty"`
	// Outcome is "unknown" if the tool may have run, and nobody will ever know whether it did.
	Outcome string `json:"outcome,omitempty"`
}

// UnknownOutcome is a value of Details.Outcome.
const UnknownOutcome = "unknown"

// Envelope is the form in which the engine reports errors to programs. It marshals to
// {"error":{"code":…,"message":…,"details":{…}}}, see error.envelope.json.
type Envelope struct {
	Error Report `json:"error"`
}

// Report is the content of an Envelope.
type Report struct {
	Code    Code    `json:"code"`
	Message string  `json:"message,omitempty"`
	Details Details `json:"details"`
}

// NewEnvelope returns the envelope of an error. The message is for people; "" where it stands beside the envelope.
func NewEnvelope(code Code, message string, details Details) Envelope {
	return Envelope{Error: Report{Code: code, Message: message, Details: details}}
}
