package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// identity makes what the client is told about this server.
type identity struct {
	id      string // of the session
	version string // of the program
	manager *toolbox.Manager
	peer    *peer
}

// commonCapabilities are the capabilities that all clients get (contract.md, section 3).
const commonCapabilities = `"logging":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},` +
	`"tools":{"listChanged":true,"progress":true,"cancellation":true},"completions":{}`

// tasksCapability is added for protocol version 2025-11-25, the only one with tasks in its core.
const tasksCapability = `,"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`

// initializeResult returns the result of initialize for a protocol version.
func (i *identity) initializeResult(version string) json.RawMessage {
	capabilities := commonCapabilities
	if version == mcp.ProtocolVersion20251125 {
		capabilities += tasksCapability
	}
	id := jsonrpc.AppendString(nil, i.id)
	return jsonrpc.AppendObject(nil, []jsonrpc.Member{
		{Name: "protocolVersion", Value: jsonrpc.AppendString(nil, version)},
		{Name: "capabilities", Value: json.RawMessage(`{` + capabilities + `}`)},
		{Name: "serverInfo", Value: i.about()},
		{Name: "instructions", Value: i.instructions()},
		{Name: "session_id", Value: id},
		{Name: "_meta", Value: jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: "session_id", Value: id}})},
	})
}

// discoverResult returns the result of server/discover.
func (i *identity) discoverResult() json.RawMessage {
	id := jsonrpc.AppendString(nil, i.id)
	versions := []byte{'['}
	for i, version := range mcp.ValidProtocolVersions {
		if i > 0 {
			versions = append(versions, ',')
		}
		versions = jsonrpc.AppendString(versions, version)
	}
	members := []jsonrpc.Member{
		{Name: "_meta", Value: jsonrpc.AppendObject(nil,
			[]jsonrpc.Member{{Name: mcp.MetaKeyServerInfo, Value: i.about()}, {Name: "session_id", Value: id}})},
		{Name: "resultType", Value: json.RawMessage(`"complete"`)},
	}
	members = append(members, notCached...)
	return jsonrpc.AppendObject(nil, append(members,
		jsonrpc.Member{Name: "supportedVersions", Value: append(versions, ']')},
		jsonrpc.Member{Name: "capabilities", Value: json.RawMessage(`{` + commonCapabilities + `}`)},
		jsonrpc.Member{Name: "instructions", Value: i.instructions()},
		jsonrpc.Member{Name: "session_id", Value: id},
	))
}

// about returns serverInfo.
func (i *identity) about() json.RawMessage {
	about := append([]byte(`{"name":`), jsonrpc.AppendString(nil, ServerName)...)
	about = append(about, `,"version":`...)
	return append(jsonrpc.AppendString(about, i.version), '}')
}

// instructions returns the instructions for this client as a JSON string.
func (i *identity) instructions() json.RawMessage {
	return jsonrpc.AppendString(nil, instructionsFor(i.manager.Config(), i.peer.client.Load()))
}

// appendServerMeta appends a _meta object with the given members and serverInfo, which 2026-07-28 requires in every
// result.
func (i *identity) appendServerMeta(dst []byte, meta []jsonrpc.Member) []byte {
	return jsonrpc.AppendObject(dst, jsonrpc.With(meta, mcp.MetaKeyServerInfo, i.about()))
}

// completed returns a result with the members that 2026-07-28 requires. Members that the server has sent are kept.
func (i *identity) completed(result []jsonrpc.Member) []jsonrpc.Member {
	raw := jsonrpc.ValueOf(result, "_meta")
	if raw != nil && raw[0] != '{' {
		return result // invalid, and passed on unchanged
	}
	if jsonrpc.ValueOf(result, "resultType") == nil {
		result = jsonrpc.With(result, "resultType", []byte(`"complete"`))
	}
	return jsonrpc.With(result, "_meta", i.appendServerMeta(nil, jsonrpc.Split(raw)))
}

// ServerName is the name of the engine in serverInfo and clientInfo (contract.md, section 3).
const ServerName = "mcp-workbench"
