package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/session"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
)

const (
	toolboxName = "suite"
	serverName  = "server"
	// maxSignIns is how often the user signs in for one request before giving up.
	maxSignIns = 2
	// clientMetadata is the client ID that the suite expects from clients with a metadata document. The suite
	// never reads that document.
	clientMetadata = "https://conformance-test.local/client-metadata.json"
)

// client is an MCP client and its user.
type client struct {
	url     string // of the suite's server
	about   about
	engine  *session.Session
	signIns *signin.Store
	tools   []tool // of the open toolbox
	modern  bool   // it speaks 2026-07-28
}

type tool struct {
	Name        string          `json:"name"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// start starts the engine and sends initialize.
func (c *client) start(ctx context.Context, program, folder string) error {
	file, err := c.config(folder)
	if err != nil {
		return err
	}
	kept := filepath.Join(folder, "sign-ins")
	c.signIns = signin.Open(signin.Options{Dir: kept, ClientMetadata: clientMetadata})
	c.engine, err = session.Start(session.Options{
		// The driver passes as a client that shows its model long answers, so that nothing is left out of them.
		Command: []string{program, "stdio", "--client", "continue", "--link", "off", "--sign-ins", kept, "--config", file},
		Env:     append(os.Environ(), "WORKBENCH_TOOL_MODE=proxy", "HOME="+folder, Variable+"="),
		Stderr:  os.Stderr,
		Receive: c.receive,
	})
	if err != nil {
		return fmt.Errorf("starting the engine: %w", err)
	}
	if c.modern {
		return nil // every request contains what initialize would say
	}
	_, err = c.ask(ctx, "initialize", json.RawMessage(`{"protocolVersion":"2025-11-25",`+
		`"capabilities":{"elicitation":{"form":{}},"sampling":{},"roots":{"listChanged":true}},`+
		`"clientInfo":{"name":"conformance-driver","version":"1.0.0"}}`))
	if err != nil {
		c.engine.Close()
		return err
	}
	return c.engine.Send(nil, "notifications/initialized", nil)
}

// open opens the toolbox and remembers its tools.
func (c *client) open(ctx context.Context) error {
	result, err := c.use(ctx, "open_toolbox", json.RawMessage(`{"toolbox_name":"`+toolboxName+`"}`))
	if err != nil {
		return err
	}
	var opened struct {
		Tools []tool `json:"tools"`
	}
	if err := json.Unmarshal([]byte(text(result)), &opened); err != nil {
		return fmt.Errorf("the answer of open_toolbox: %w", err)
	}
	c.tools = opened.Tools
	return nil
}

// call calls a tool of the suite's server.
func (c *client) call(ctx context.Context, name string, arguments json.RawMessage) error {
	which := jsonrpc.AppendString([]byte(`{"toolbox":"`+toolboxName+`","server":"`+serverName+`","tool":`), name)
	_, err := c.use(ctx, "use_tool", jsonrpc.AppendObject(nil, []jsonrpc.Member{
		{Name: "tool", Value: append(which, '}')}, {Name: "arguments", Value: arguments},
	}))
	return err
}

// use calls a meta-tool. If the server requires a sign-in, it signs in and calls again.
func (c *client) use(ctx context.Context, metaTool string, arguments json.RawMessage) (json.RawMessage, error) {
	name := jsonrpc.AppendString(nil, metaTool)
	for signIns := 0; ; signIns++ {
		result, err := c.ask(ctx, "tools/call",
			jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: "name", Value: name}, {Name: "arguments", Value: arguments}}))
		if err != nil {
			return nil, err
		}
		if string(jsonrpc.Lookup(result, "isError")) != "true" {
			return result, nil
		}
		failure := fmt.Errorf("%s: %s", metaTool, text(result))
		if !wantsSignIn(result) || signIns == maxSignIns {
			return nil, failure
		}
		c.note(failure)
		if err := c.signIns.SignIn(ctx, &config.Server{URL: c.url, OAuth: c.about.registration()}, nil, browse); err != nil {
			return nil, fmt.Errorf("signing in: %w", err)
		}
	}
}

// wantsSignIn reports whether a call failed because the user has to sign in.
func wantsSignIn(result json.RawMessage) bool {
	var failed struct {
		Meta map[string]contract.Envelope `json:"_meta"`
	}
	return json.Unmarshal(result, &failed) == nil && failed.Meta[contract.MetaKey].Error.Code == contract.AuthRequired
}

// browse acts as the browser of a user who agrees to everything: it follows the page, which leads back to us.
func browse(page string) error {
	response, err := http.Get(page)
	if err != nil {
		return nil // the sign-in reports that the user did not come back
	}
	return response.Body.Close()
}

// ask sends a request to the engine and returns the result. If a result of version 2026-07-28 asks for input,
// it repeats the request with the input.
func (c *client) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	members := jsonrpc.Split(params)
	if c.modern {
		members = append(members, jsonrpc.Member{Name: "_meta",
			Value: json.RawMessage(`{"io.modelcontextprotocol/protocolVersion":"` + modernVersion + `",` +
				`"io.modelcontextprotocol/clientInfo":{"name":"conformance-driver","version":"1.0.0"},` +
				`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"sampling":{},"roots":{}}}`)})
	}
	var brought []jsonrpc.Member
	for {
		m, err := c.engine.Ask(ctx, method,
			jsonrpc.AppendObject(nil, append(members[:len(members):len(members)], brought...)))
		if err != nil {
			return nil, err
		}
		result, err := session.Result(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		if kind, _ := jsonrpc.String(jsonrpc.Lookup(result, "resultType")); kind != "input_required" {
			return result, nil
		}
		var responses []jsonrpc.Member
		for _, wanted := range jsonrpc.Split(jsonrpc.Lookup(result, "inputRequests")) {
			method, _ := jsonrpc.String(jsonrpc.Lookup(wanted.Value, "method"))
			responses = append(responses, jsonrpc.Member{Name: wanted.Name,
				Value: answer(method, jsonrpc.Lookup(wanted.Value, "params"))})
		}
		brought = []jsonrpc.Member{{Name: "inputResponses", Value: jsonrpc.AppendObject(nil, responses)}}
		if state := jsonrpc.Lookup(result, "requestState"); state != nil {
			brought = append(brought, jsonrpc.Member{Name: "requestState", Value: state})
		}
	}
}

// receive answers the requests of the engine.
func (c *client) receive(m jsonrpc.Message) {
	if m.Kind() != jsonrpc.Request {
		return
	}
	failure := json.RawMessage(`{"code":-32601,"message":"Method not found"}`)
	c.note(c.engine.Answer(m.ID, answer(m.Method, m.Params), failure))
}

// answer returns the answer of the client and its user to a request; nil for an unknown one.
func answer(method string, params json.RawMessage) json.RawMessage {
	switch method {
	case "ping":
		return json.RawMessage(`{}`)
	case "elicitation/create":
		return fillIn(params)
	case "sampling/createMessage":
		return json.RawMessage(`{"role":"assistant","model":"none","content":{"type":"text","text":"a text"}}`)
	case "roots/list":
		return json.RawMessage(`{"roots":[{"uri":"file:///tmp","name":"tmp"}]}`)
	}
	return nil
}

// fillIn accepts a form with the default of every field. A field that asks for a confirmation gets true.
func fillIn(params json.RawMessage) json.RawMessage {
	var filled []jsonrpc.Member
	for _, field := range jsonrpc.Split(jsonrpc.Lookup(jsonrpc.Lookup(params, "requestedSchema"), "properties")) {
		if value := jsonrpc.Lookup(field.Value, "default"); value != nil {
			filled = append(filled, jsonrpc.Member{Name: field.Name, Value: value})
		} else if field.Name == "confirmed" {
			filled = append(filled, jsonrpc.Member{Name: field.Name, Value: json.RawMessage("true")})
		}
	}
	return append(jsonrpc.AppendObject([]byte(`{"action":"accept","content":`), filled), '}')
}

// ofServer returns the elements of a list that come from the suite's server.
func (c *client) ofServer(list json.RawMessage) []json.RawMessage {
	elements, err := jsonrpc.Elements(list)
	if err != nil {
		return nil
	}
	var found []json.RawMessage
	for _, element := range elements {
		if uri, _ := jsonrpc.String(jsonrpc.Lookup(element, "uri")); !strings.HasPrefix(uri, "workbench://") {
			found = append(found, element)
		}
	}
	return found
}

// note reports a failure that does not end the scenario. The suite keeps the text.
func (c *client) note(err error) {
	if err != nil && !errors.Is(err, session.ErrEnded) {
		fmt.Fprintln(os.Stderr, "driver:", err)
	}
}

// text returns the first text of a tool's result.
func text(result json.RawMessage) string {
	var r struct {
		Content []struct{ Text string }
	}
	if json.Unmarshal(result, &r) != nil || len(r.Content) == 0 {
		return string(result)
	}
	return r.Content[0].Text
}
