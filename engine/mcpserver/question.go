package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// How long a client may take to answer a server's request. The limit depends on who answers: the client itself, a
// model, or a person.
const (
	askProgram = 30 * time.Second
	askModel   = 5 * time.Minute
	askPerson  = 10 * time.Minute
)

// askable describes a request that servers may make of the client.
type askable struct {
	method     string
	capability string // that the client must have declared
	limit      time.Duration
}

// askables is the table of the requests that servers may make of the client.
var askables = [...]askable{
	{"sampling/createMessage", "sampling", askModel},
	{"elicitation/create", "elicitation", askPerson},
	{"roots/list", "roots", askProgram},
	{"tasks/get", "tasks", askProgram},
	{"tasks/list", "tasks", askProgram},
	{"tasks/cancel", "tasks", askProgram},
	{"tasks/result", "tasks", askPerson},
}

// askableOf returns the row of a method; its method is "" if there is none.
func askableOf(method string) askable {
	for _, known := range askables {
		if known.method == method {
			return known
		}
	}
	return askable{}
}

// question is a request of a server to the client.
type question struct {
	askable
	from   toolbox.ServerID
	params json.RawMessage
}

// refusal returns why a client with these capabilities cannot be asked, or nil.
func (q question) refusal(capabilities json.RawMessage) error {
	if !declares(capabilities, q.capability) {
		return &downstream.RPCError{Code: jsonrpc.CodeMethodNotFound,
			Message: fmt.Sprintf("the client does not support %s (%s)", q.capability, q.method)}
	}
	needs := [][]string{}
	switch q.method {
	case "elicitation/create":
		mode, ok := jsonrpc.String(jsonrpc.Lookup(q.params, "mode"))
		if !ok && jsonrpc.Lookup(q.params, "mode") != nil {
			return invalidParams("mode must be a string")
		}
		// A client that declares no mode supports forms, the only mode of earlier versions.
		if mode != "" && mode != "form" || declares(capabilities, "elicitation", "url") {
			if mode == "" {
				mode = "form"
			}
			needs = append(needs, []string{"elicitation", mode})
		}
	case "sampling/createMessage":
		if jsonrpc.Lookup(q.params, "tools") != nil || jsonrpc.Lookup(q.params, "toolChoice") != nil {
			needs = append(needs, []string{"sampling", "tools"})
		}
	case "tasks/list":
		needs = append(needs, []string{"tasks", "list"})
	case "tasks/cancel":
		needs = append(needs, []string{"tasks", "cancel"})
	}
	if jsonrpc.Lookup(q.params, "task") != nil {
		needs = append(needs, append([]string{"tasks", "requests"}, strings.Split(q.method, "/")...))
	}
	for _, path := range needs {
		if !declares(capabilities, path...) {
			return invalidParams("the client does not support %s", downstream.Clean(strings.Join(path, "."), 100))
		}
	}
	return nil
}

// declares reports whether capabilities have an object at a path.
func declares(capabilities json.RawMessage, path ...string) bool {
	for _, name := range path {
		capabilities = jsonrpc.Lookup(capabilities, name)
	}
	return len(capabilities) > 0 && capabilities[0] == '{'
}

// badPage returns an error for an address that is not a web page. The person agrees to visit a page, but a browser
// does something else with "javascript:" or "file:".
func (q question) badPage() error {
	if q.method == "elicitation/create" && hasBadPage(q.params) {
		address, _ := jsonrpc.String(jsonrpc.Lookup(q.params, "url"))
		return invalidParams("url must begin with https:// or http://, and '%s' does not", downstream.Clean(address, 100))
	}
	return nil
}
