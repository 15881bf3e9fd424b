package workbench

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// era is the protocol version of a request, with what the request says about its client.
type era struct {
	version  string // of the protocol, "" when the request says none
	modern   bool   // protocol version 2026-07-28 or later, declared in _meta
	proper   bool   // a version that we know, with the capabilities that it requires
	asksBack bool   // the client can be asked for something, see [exchange]

	capabilities json.RawMessage // of the client, nil when there are none
	level        string          // of the messages that the request wants, "" for none
	clientName   string
	clientInfo   json.RawMessage // nil when there is none
	meta         []jsonrpc.Member
}

// eraOf reads params._meta.
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

// clientVersion returns the version of the client, as the client states it.
func (e era) clientVersion() string {
	version, _ := jsonrpc.String(jsonrpc.Lookup(e.clientInfo, "version"))
	return version
}
