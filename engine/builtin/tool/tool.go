// Package tool defines the tools of the built-in servers on mcp-go: a tool is a name, what it does to the world,
// and a function with typed arguments.
package tool

import (
	"bytes"
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Effect says what a tool can do to the world. Clients show it, and ask before some effects.
type Effect int

// The effects of tools.
const (
	Reads    Effect = iota // changes nothing
	Adds                   // makes something new, and leaves what is there alone
	Replaces               // can overwrite or remove what is there
)

// Definition is what a client is told about a tool.
type Definition struct {
	Name, Title, Description string
	Effect                   Effect
	Elsewhere                bool // the tool reaches beyond this computer
}

// New returns a server without tools. Instructions are for the model.
func New(name, title, version, instructions string) *server.MCPServer {
	return server.NewMCPServer(name, version, server.WithTitle(title), server.WithInstructions(instructions),
		server.WithToolCapabilities(false), server.WithRecovery(), server.WithInputSchemaValidation())
}

// Add adds a tool to a server. The arguments' schema is made from the struct A and its jsonschema tags. An error of do
// becomes an error result, whose text the model reads.
func Add[A any](s *server.MCPServer, d Definition, do func(context.Context, A) (*mcp.CallToolResult, error)) {
	definition := mcp.NewTool(d.Name,
		mcp.WithDescription(d.Description),
		mcp.WithToolTitle(d.Title),
		mcp.WithInputSchema[A](),
		mcp.WithToolAnnotation(mcp.ToolAnnotation{
			Title:           d.Title,
			ReadOnlyHint:    new(d.Effect == Reads),
			DestructiveHint: new(d.Effect == Replaces),
			IdempotentHint:  new(d.Effect == Reads),
			OpenWorldHint:   new(d.Elsewhere),
		}))
	// A list of Go may be nil, so its schema allows null. Some LLM services refuse lists of types.
	definition.RawInputSchema = bytes.ReplaceAll(definition.RawInputSchema, []byte(`["null","array"]`), []byte(`"array"`))
	s.AddTool(definition, func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var arguments A
		if err := request.BindArguments(&arguments); err != nil {
			return mcp.NewToolResultErrorf("the arguments do not fit the tool's schema: %v", err), nil
		}
		result, err := do(ctx, arguments)
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return result, nil
	})
}

// Text returns a result with a text. JSON cannot carry bytes that are not UTF-8, so they are replaced.
func Text(text string) *mcp.CallToolResult {
	return mcp.NewToolResultText(strings.ToValidUTF8(text, "\uFFFD"))
}
