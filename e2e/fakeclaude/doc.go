// Package fakeclaude behaves as Claude Desktop does towards its file and its servers, as far as that has made trouble for somebody:
//
//   - It reads its file once, at its start. One that it cannot read, or whose form it doesn't know, counts as empty.
//   - It writes the whole file from memory when a setting changes, soon after its start, and when it ends. What others have written there meanwhile
//     is lost, comments and layout with it.
//   - It starts each server twice, with hardly any environment and in a folder that is nobody's, and skips entries that have no command.
//   - It greets as "claude-ai", heeds neither a server's instructions nor news about its tools, and drops the whole list when one tool's schema
//     is not of type "object".
//
// A test binary becomes it when it is started again with the path of the file in the environment variable [Variable], see [RunIfAsked]. To be taken for the
// real one it must have its name: start a copy of the binary that is called as [Program] says.
//
// It is told what to do by lines of JSON on its stdin, see [Order], and answers each with one line, after a first one that says that it is ready. It ends
// with its stdin.
package fakeclaude

import (
	"encoding/json"
	"os"
	"runtime"
)

// Variable is the environment variable with the path of its file.
const Variable = "WORKBENCH_FAKE_CLAUDE"

// Program is what its executable must be called to be taken for Claude Desktop, below a folder of its own.
func Program() string {
	switch runtime.GOOS {
	case "windows":
		return `AnthropicClaude\Claude.exe`
	case "darwin":
		return "Claude.app/Contents/MacOS/Claude"
	}
	return "claude-desktop"
}

// Order is something that a test has it do.
type Order struct {
	Do string `json:"do"` // one of the constants below

	Name  string          `json:"name,omitempty"` // of a setting or of a server
	Value json.RawMessage `json:"value,omitempty"`

	// A call: which of the two copies of the server, which tool, with what.
	Copy      int             `json:"copy,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// What can be ordered.
const (
	Servers = "servers" // answers with a list of [Server]s
	Call    = "call"    // answers with the raw result
	Set     = "set"     // changes a setting, as people do in its window
	Remove  = "remove"  // removes a server there
	Quit    = "quit"    // ends it; answers with how many servers had to be killed
)

// Answer is what it says to an order.
type Answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// Server is one of the two copies of a server that it has started.
type Server struct {
	Name     string   `json:"name"`
	Copy     int      `json:"copy"`
	Pid      int      `json:"pid,omitempty"`
	Protocol string   `json:"protocol,omitempty"` // that was agreed on
	Tools    []string `json:"tools"`
	Problem  string   `json:"problem,omitempty"`
}

// RunIfAsked becomes the fake when this process was started as one; it doesn't return then.
func RunIfAsked() {
	if path := os.Getenv(Variable); path != "" {
		os.Exit(run(path, os.Stdin, os.Stdout))
	}
}
