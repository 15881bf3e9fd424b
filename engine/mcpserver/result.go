package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// encoded returns a definition or result of ours as JSON.
func encoded(value any) json.RawMessage {
	raw, _ := json.Marshal(value) // texts, numbers and booleans cannot fail
	return raw
}

// resultOf returns the members of a result of ours.
func resultOf(value any) []jsonrpc.Member { return jsonrpc.Split(encoded(value)) }

// textResult returns the result of a meta-tool with one text.
func textResult(text string) []jsonrpc.Member { return resultOf(mcp.NewToolResultText(text)) }

// errorResult returns the result for an error (contract.md, section 5).
func errorResult(e *toolbox.Error) []jsonrpc.Member {
	result := mcp.NewToolResultError(e.Sentence)
	for _, hint := range e.Hints {
		result.Content = append(result.Content, mcp.NewTextContent(hint.String()))
	}
	result.Meta = mcp.NewMetaFromMap(map[string]any{contract.MetaKey: contract.NewEnvelope(e.Code, "", e.Details)})
	return resultOf(result)
}

// withErrorContext returns the result of a tool that has failed with its origin added in _meta.
func withErrorContext(result []jsonrpc.Member, id toolbox.ToolID) []jsonrpc.Member {
	raw := jsonrpc.ValueOf(result, "_meta")
	if raw != nil && raw[0] != '{' {
		return result // invalid, and passed on unchanged
	}
	meta := jsonrpc.Split(raw)
	envelope := encoded(contract.NewEnvelope(contract.InternalError, "",
		contract.Details{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool}))
	return jsonrpc.With(result, "_meta", jsonrpc.AppendObject(nil, jsonrpc.With(meta, contract.MetaKey, envelope)))
}

// notCached has the members about caching that 2026-07-28 requires. They forbid caching.
var notCached = []jsonrpc.Member{{Name: "ttlMs", Value: json.RawMessage("0")},
	{Name: "cacheScope", Value: json.RawMessage(`"private"`)}}
