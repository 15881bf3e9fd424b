// Package fakeserver is an MCP server for tests that behaves, or misbehaves, as
// a script says.
//
// A test binary becomes the fake when it is started again with the script in
// the environment variable [Variable]:
//
//	func TestMain(m *testing.M) {
//		fakeserver.RunIfAsked() // doesn't return in the started-again binary
//		os.Exit(m.Run())
//	}
//
//	server := &config.Server{Command: os.Args[0], Env: []config.Variable{
//		{Name: fakeserver.Variable, Value: fakeserver.Script{Echo: true}.String()},
//	}}
//
// In a configuration file the script is written as JSON, for instance
//
//	"env": {"WORKBENCH_FAKE_SERVER": "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}]}"}
//
// A fake that does not inherit the environment takes a second to end under -race,
// unless GORACE=atexit_sleep_ms=0 is in what it gets.
//
// The zero script is a well-behaved server with one tool, "echo".
package fakeserver

import (
	"encoding/json"
	"strings"
)

// Variable is the environment variable with the script, or with "@" and the name of a file that has it: on
// Windows a variable can have at most 32,767 characters.
const Variable = "WORKBENCH_FAKE_SERVER"

// Script says how the fake server behaves. [Variable] has it as JSON. An unknown member ends the fake at
// once, with status 64 and a line on stderr.
type Script struct {
	// The handshake. Name is "fake" and Version "1.0.0" by default,
	// ProtocolVersion the client's, Capabilities {"tools":{"listChanged":true}}.
	// Initialize replaces the whole result. InitializeError is a raw JSON-RPC
	// error to answer with instead.
	Name            string          `json:"name,omitempty"`
	Version         string          `json:"version,omitempty"`
	ProtocolVersion string          `json:"protocolVersion,omitempty"`
	Instructions    string          `json:"instructions,omitempty"`
	Capabilities    json.RawMessage `json:"capabilities,omitempty"`
	Initialize      json.RawMessage `json:"initialize,omitempty"`
	InitializeError json.RawMessage `json:"initializeError,omitempty"`

	// Tools are raw definitions, sent unchanged; if absent, there is the tool "echo". Pages is the number of
	// tools on a page (0: all on one). Cursor is "repeat" if the last page names the first cursor again,
	// "endless" if there are pages without end, else the cursor of the second page, as JSON. ListError is a
	// raw JSON-RPC error with which tools/list is answered.
	Tools     []json.RawMessage `json:"tools,omitempty"`
	Echo      bool              `json:"echo,omitempty"` // adds "echo" to Tools
	Pages     int               `json:"pages,omitempty"`
	Cursor    string            `json:"cursor,omitempty"`
	ListError json.RawMessage   `json:"listError,omitempty"`

	// The answers to tools/call, by the tool's name: a raw result, a raw JSON-RPC error, a whole raw line, or
	// a result with a text of a number of bytes. In a line, $ID stands for the request's id and $FILL for a
	// number of bytes of x, since a script cannot be long. "echo" answers with the arguments as a text item
	// and as structuredContent, byte for byte; if they have a number "delayMs", it first waits that long. Any
	// other listed tool answers {"content":[]}, and an unlisted one gives error -32602.
	Results map[string]json.RawMessage `json:"results,omitempty"`
	Errors  map[string]json.RawMessage `json:"errors,omitempty"`
	Lines   map[string]string          `json:"lines,omitempty"`
	Fill    int                        `json:"fill,omitempty"`
	Sizes   map[string]int             `json:"sizes,omitempty"`

	// Delays in milliseconds: before the process does anything, before the answer to initialize, to
	// tools/list, and to each call. A delayed call that is cancelled is not answered.
	StartDelayMs      int `json:"startDelayMs,omitempty"`
	InitializeDelayMs int `json:"initializeDelayMs,omitempty"`
	ListDelayMs       int `json:"listDelayMs,omitempty"`
	DelayMs           int `json:"delayMs,omitempty"`

	// Progress is the number of progress notifications before each result, if the request has a token.
	// PingOnCall makes the fake send a ping before each result and wait for the answer. AskOnCall is the
	// method of a request to send likewise, whose answer becomes "asked" in the result.
	Progress   int    `json:"progress,omitempty"`
	PingOnCall bool   `json:"pingOnCall,omitempty"`
	AskOnCall  string `json:"askOnCall,omitempty"`
	// AskParams are the params of the request of AskOnCall.
	AskParams json.RawMessage `json:"askParams,omitempty"`
	// AskOn is a key as in Answers: the answer to that request waits for the answer to AskOnCall.
	AskOn string `json:"askOn,omitempty"`

	// Answers are raw results of further methods, such as "resources/list". A key may also be a method, a
	// space, and the name, uri or taskId in the params; such a key takes precedence. AnswerErrors are raw
	// JSON-RPC errors with the same keys. SayOn are raw lines that are sent before the answer to a request,
	// with the same keys.
	Answers      map[string]json.RawMessage `json:"answers,omitempty"`
	AnswerErrors map[string]json.RawMessage `json:"answerErrors,omitempty"`
	SayOn        map[string][]string        `json:"sayOn,omitempty"`
	// RawAnswers are raw lines instead of the answer, with the same keys; an empty list means no answer.
	RawAnswers map[string][]string `json:"rawAnswers,omitempty"`
	// Times is how often the lines of SayOn are sent (0: once).
	Times int `json:"times,omitempty"`
	// AskTimes is how often AskOnCall is sent, one request after the other (0: once); the last answer counts.
	AskTimes int `json:"askTimes,omitempty"`
	// In Answers, SayOn and RawAnswers, $ID stands for the request's id, $N for a number that differs each
	// time, $FILL for Fill bytes of x, "$DEEP" for an array that is nested Deep levels, and $BYTES for bytes
	// that are not UTF-8.
	Deep int `json:"deep,omitempty"`

	// Modern makes it a server that speaks only 2026-07-28: it requires the members that every request must
	// have, answers server/discover, and reports changes in the streams that were requested. Rounds are the
	// raw results of a tool's calls, one after the other; the last one is repeated. OnListen are raw lines
	// that are sent after a stream was accepted, with $ID for its id. NoAgreement leaves out the acceptance.
	Modern      bool                         `json:"modern,omitempty"`
	Rounds      map[string][]json.RawMessage `json:"rounds,omitempty"`
	OnListen    []string                     `json:"onListen,omitempty"`
	NoAgreement bool                         `json:"noAgreement,omitempty"`

	// After the first call's result the list becomes Tools2, and a list_changed notification is sent
	// ListChanged times (0: once). ListChangedAfterCall must be set. With ListChangedBefore it comes before the
	// result.
	ListChangedAfterCall bool              `json:"listChangedAfterCall,omitempty"`
	ListChangedBefore    bool              `json:"listChangedBefore,omitempty"`
	Tools2               []json.RawMessage `json:"tools2,omitempty"`
	ListChanged          int               `json:"listChanged,omitempty"`

	// Hang makes the fake stop answering: "start" (everything), or "initialize", "tools/list" or "tools/call"
	// (that method). "reading" makes it stop reading after it was initialized and has listed its tools. It
	// still ends when its stdin ends, except with "reading".
	Hang string `json:"hang,omitempty"`
	// Exit makes it end at "start", or when a method arrives, with ExitStatus and after Stderr. DieOnCall is
	// the name of a tool ("*" for any) whose call kills it.
	Exit       string `json:"exit,omitempty"`
	ExitStatus int    `json:"exitStatus,omitempty"`
	DieOnCall  string `json:"dieOnCall,omitempty"`
	// CloseStdout closes stdout when the first call arrives, without ending the process.
	CloseStdout bool `json:"closeStdout,omitempty"`
	// IgnoreEnd keeps it running after the end of its stdin and after SIGTERM.
	IgnoreEnd bool `json:"ignoreEnd,omitempty"`

	// Output other than answers. Stderr lines are written at the start. StderrFlood is a number of bytes in
	// lines, written at the start and at each call. StdoutNoise lines, which may be messages, are written
	// before the answer to initialize, StdoutNoiseOnCall before each result. LogOnCall sends a
	// notifications/message.
	Stderr            []string `json:"stderr,omitempty"`
	StderrFlood       int      `json:"stderrFlood,omitempty"`
	StdoutNoise       []string `json:"stdoutNoise,omitempty"`
	StdoutNoiseOnCall []string `json:"stdoutNoiseOnCall,omitempty"`
	LogOnCall         string   `json:"logOnCall,omitempty"`
	// ByteOrderMark makes stdout begin with a byte order mark.
	ByteOrderMark bool `json:"byteOrderMark,omitempty"`

	// Files to which lines are appended. PidFile: the process id, and those of grandchildren. CallLog: the
	// raw params of each call. CancelFile: the raw params of each notifications/cancelled. MethodLog: the
	// method of each message. RequestLog: each message, unchanged.
	PidFile    string `json:"pidFile,omitempty"`
	CallLog    string `json:"callLog,omitempty"`
	CancelFile string `json:"cancelFile,omitempty"`
	MethodLog  string `json:"methodLog,omitempty"`
	RequestLog string `json:"requestLog,omitempty"`

	// SpawnGrandchild starts a process that ignores SIGTERM, keeps stdout open,
	// and sleeps.
	SpawnGrandchild bool `json:"spawnGrandchild,omitempty"`

	// Sleep makes the process do nothing but sleep, as grandchildren do.
	Sleep bool `json:"sleep,omitempty"`
}

// String returns the script's JSON form.
func (s Script) String() string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // raw members must arrive byte for byte
	if err := encoder.Encode(s); err != nil {
		panic(err) // a raw member is not JSON: the test is wrong
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// Tool returns a minimal raw definition.
func Tool(name string) json.RawMessage {
	text, err := json.Marshal(map[string]any{
		"name":        name,
		"description": "The tool " + name,
		"inputSchema": map[string]any{"type": "object", "properties": map[string]any{}},
	})
	if err != nil {
		panic(err)
	}
	return text
}
