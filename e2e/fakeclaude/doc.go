// Package fakeclaude imitates how Claude Desktop treats its file and its servers, as far as that has caused
// trouble:
//
//   - It reads its file once, at its start. A file that it cannot read, or whose form it does not know, counts as empty.
//   - It writes the whole file from memory when a setting changes, soon after its start, and when it ends. Changes by others
//     in the meantime are lost, and so are comments and layout.
//   - It starts each server twice, with almost no environment and in a folder that is no home, and skips entries without a command.
//     A third copy, for a moment, is only asked server/discover and thrown away.
//   - It identifies itself as "claude-ai", ignores a server's instructions and notifications about its tools, and drops the whole
//     list if the schema of one tool is not of type "object".
//
// A test binary becomes the fake when it is started again with the path of the file in the environment
// variable [Variable], see [RunIfAsked]. To be recognised as Claude Desktop it must have its name: start a
// copy of the binary that is named as [Program] says.
//
// It reads orders as lines of JSON from its stdin, see [Order], and answers each with one line. Its first
// line says that it is ready. It ends when its stdin ends.
package fakeclaude

import (
	"encoding/json"
	"os"
	"runtime"
)

// Variable is the environment variable with the path of its file.
const Variable = "WORKBENCH_FAKE_CLAUDE"

// Program returns the name that its executable needs to be recognised as Claude Desktop, below a folder of
// its own.
func Program() string {
	switch runtime.GOOS {
	case "windows":
		return `AnthropicClaude\Claude.exe`
	case "darwin":
		return "Claude.app/Contents/MacOS/Claude"
	}
	return "claude-desktop"
}

// Order is an order of a test to the fake.
type Order struct {
	Do string `json:"do"` // one of the constants below

	Name  string          `json:"name,omitempty"` // of a setting or of a server
	Value json.RawMessage `json:"value,omitempty"`

	// For a call: which of the two copies of the server, which tool, and its arguments.
	Copy      int             `json:"copy,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// The orders.
const (
	Servers = "servers" // answers with a list of [Server]s
	Call    = "call"    // answers with the raw result
	Set     = "set"     // changes a setting, as people do in the app
	Remove  = "remove"  // removes a server, as people do in the app
	Quit    = "quit"    // ends it; answers with how many servers had to be killed
)

// Answer is the answer to an order.
type Answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// Server is one of the two started copies of a server.
type Server struct {
	Name     string   `json:"name"`
	Copy     int      `json:"copy"`
	Pid      int      `json:"pid,omitempty"`
	Protocol string   `json:"protocol,omitempty"` // that was agreed on
	Tools    []string `json:"tools"`
	Probe    []string `json:"probe"` // the versions that the throw-away copy of this entry answered
	ProbePid int      `json:"probePid,omitempty"`
	Problem  string   `json:"problem,omitempty"`
}

// RunIfAsked runs the fake and exits if this process was started as one.
func RunIfAsked() {
	if path := os.Getenv(Variable); path != "" {
		os.Exit(run(path, os.Stdin, os.Stdout))
	}
}
