package mcpserver

import (
	"context"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// asPromised returns a result as the official SDKs accept it from a tool with an outputSchema. They replace any other
// result by an error of their own, so that the model learns nothing.
//
// An error loses its structured content, which rarely has the form that the schema promises, and keeps its text. A
// result without structured content gets it from its text, where older servers have the object. If the text is no
// object, the tool loses its outputSchema, and the client is told so before it gets the result.
func (s *Server) asPromised(ctx context.Context, called string, id toolbox.ToolID,
	result []jsonrpc.Member) []jsonrpc.Member {
	kind, isText := jsonrpc.String(jsonrpc.ValueOf(result, "resultType"))
	if len(result) == 0 || !s.catalogue.registersAny() || !s.catalogue.registered().output[called] ||
		isText && kind != "complete" || jsonrpc.ValueOf(result, "task") != nil {
		return result
	}
	structure := jsonrpc.ValueOf(result, "structuredContent")
	content, _ := jsonrpc.Elements(jsonrpc.ValueOf(result, "content"))
	switch {
	case structure != nil && string(jsonrpc.ValueOf(result, "isError")) == "true":
		result = slices.DeleteFunc(slices.Clone(result), func(m jsonrpc.Member) bool { return m.Name == "structuredContent" })
		if len(content) == 0 {
			text := append(jsonrpc.AppendString([]byte(`[{"type":"text","text":`), string(structure)), "}]"...)
			result = jsonrpc.With(result, "content", text)
		}
	case structure != nil || downstream.Failed(result):
	case len(content) == 1 && isObject(unquoted(jsonrpc.Lookup(content[0], "text"))):
		result = jsonrpc.With(result, "structuredContent", unquoted(jsonrpc.Lookup(content[0], "text")))
	default:
		if _, known := s.catalogue.broken.LoadOrStore(id, true); !known {
			s.log.Warn("A tool is offered without its outputSchema, since its result has no structured content",
				"toolbox", id.Toolbox, "server", id.Server, "tool", id.Tool)
		}
		s.announcer.announceAndWait(ctx)
	}
	return result
}
