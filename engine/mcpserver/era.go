package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// era is what a request says about its protocol version and its client.
type era struct {
	version  string // of the protocol, "" if absent
	modern   bool   // protocol version 2026-07-28 or later, declared in _meta
	proper   bool   // the version is known, and the required capabilities are present
	asksBack bool   // the client accepts questions, see [exchange]

	capabilities json.RawMessage // of the client, nil if absent
	level        string          // of the log messages that the request wants, "" for none
	clientName   string
	clientInfo   json.RawMessage // nil if absent
	meta         []jsonrpc.Member
}

// eraOf returns the era of a request with these params.
func eraOf(params json.RawMessage) era {
	return eraOfMeta(jsonrpc.Lookup(params, "_meta"))
}

func eraOfMeta(raw json.RawMessage) era {
	e := era{meta: jsonrpc.Split(raw)}
	e.version, _ = jsonrpc.String(jsonrpc.ValueOf(e.meta, mcp.MetaKeyProtocolVersion))
	if e.modern = mcp.IsModernProtocol(e.version); !e.modern {
		return e
	}
	e.capabilities = jsonrpc.ValueOf(e.meta, mcp.MetaKeyClientCapabilities)
	e.proper = mcp.IsValidProtocolVersion(e.version) && len(e.capabilities) > 0 && e.capabilities[0] == '{'
	for _, known := range askables {
		e.asksBack = e.asksBack || jsonrpc.Lookup(e.capabilities, known.capability) != nil
	}
	e.level, _ = jsonrpc.String(jsonrpc.ValueOf(e.meta, mcp.MetaKeyLogLevel))
	e.clientInfo = jsonrpc.ValueOf(e.meta, mcp.MetaKeyClientInfo)
	e.clientName, _ = jsonrpc.String(jsonrpc.Lookup(e.clientInfo, "name"))
	return e
}

// clientVersion returns the version in clientInfo.
func (e era) clientVersion() string {
	version, _ := jsonrpc.String(jsonrpc.Lookup(e.clientInfo, "version"))
	return version
}
