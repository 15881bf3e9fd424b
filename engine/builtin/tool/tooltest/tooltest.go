// Package tooltest calls the tools of a built-in server, for tests.
package tooltest

import (
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Arguments are the arguments of a call.
type Arguments map[string]any

// Caller calls the tools of a server, and reports failures to T.
type Caller struct {
	T      testing.TB
	client *client.Client
}

// New returns a Caller for a server. It is closed when the test ends.
func New(t testing.TB, to *server.MCPServer) *Caller {
	t.Helper()
	connected, err := client.NewInProcessClient(to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connected.Close() })
	if err := connected.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	if _, err := connected.Initialize(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	return &Caller{t, connected}
}

// Tools returns the definitions of the server's tools.
func (c *Caller) Tools() []mcp.Tool {
	c.T.Helper()
	list, err := c.client.ListTools(c.T.Context(), mcp.ListToolsRequest{})
	if err != nil {
		c.T.Fatal(err)
	}
	return list.Tools
}

// Call calls a tool and returns the text of the result, and whether the result is an error.
func (c *Caller) Call(tool string, with Arguments) (text string, failed bool) {
	c.T.Helper()
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, map[string]any(with)
	result, err := c.client.CallTool(c.T.Context(), request)
	if err != nil {
		return err.Error(), true
	}
	for _, content := range result.Content {
		if part, isText := content.(mcp.TextContent); isText {
			text += part.Text
		}
	}
	return text, result.IsError
}

// Says checks that the result of a call contains want.
func (c *Caller) Says(tool string, with Arguments, want string) {
	c.T.Helper()
	if text, failed := c.Call(tool, with); failed || !strings.Contains(text, want) {
		c.T.Errorf("%s %v returns %q (an error: %t); it should contain %q", tool, with, text, failed, want)
	}
}

// Refuses checks that a call fails, and that the text of the error contains why.
func (c *Caller) Refuses(tool string, with Arguments, why string) {
	c.T.Helper()
	if text, failed := c.Call(tool, with); !failed || !strings.Contains(text, why) {
		c.T.Errorf("%s %v returns %q (an error: %t); it should fail with %q", tool, with, text, failed, why)
	}
}
