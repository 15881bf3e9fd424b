package mcpserver

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// initialize answers a client of the initialize era.
func (s *Server) initialize(ctx context.Context, r *request) {
	if err := contract.ValidateInitializeRequest(r.params); err != nil {
		r.fail(jsonrpc.CodeInvalidParams, "Invalid params: "+err.Error(),
			contract.NewEnvelope(contract.InvalidInput, err.Error(), contract.Details{}))
		return
	}
	s.peer.declare(jsonrpc.Lookup(r.params, "capabilities"))
	s.streams.beginLegacy()
	info := jsonrpc.Lookup(r.params, "clientInfo")
	name, _ := jsonrpc.String(jsonrpc.Lookup(info, "name"))
	version, _ := jsonrpc.String(jsonrpc.Lookup(info, "version"))
	s.identify(name, version, true, true)
	wanted, _ := jsonrpc.String(jsonrpc.Lookup(r.params, "protocolVersion"))
	greeting := s.identity.initializeResult(mcp.NegotiateLegacyVersion(wanted))
	r.result(greeting)
}

// discover answers server/discover.
func (s *Server) discover(_ context.Context, r *request) {
	e := eraOf(r.params)
	if !e.modern {
		r.requiresModern()
		return
	}
	if r.refuseEra(e) {
		return
	}
	s.noteEra(e, false)
	r.result(s.identity.discoverResult())
}

// maxClientName limits the client's name for itself, in bytes.
const maxClientName = 200

// identify records who the client is. legacy is set for the initialize era. An app may start an engine only to learn
// which versions it supports, and end it after server/discover. So begun is false until the client does something
// else, and [Options.Identified] is not called before.
func (s *Server) identify(name, version string, legacy, begun bool) {
	var known, hear bool
	s.announcer.identify(func() bool {
		if known, hear = s.peer.identify(name, legacy, begun); !known {
			s.catalogue.applyVisible(nil) // it may see other toolboxes
		}
		return known
	})
	if !hear {
		return
	}
	if tell := s.options.Identified; tell != nil {
		tell(downstream.Clean(name, maxClientName), downstream.Clean(version, maxClientName))
	}
	s.log.Info("Client connected", "name", name, "client", s.options.ClientID, "mode", s.catalogue.mode())
}

// noteClient records what a request of 2026-07-28 says about the client.
func (s *Server) noteClient(e era) { s.noteEra(e, true) }

// noteEra records what a request says about the client, if it is of 2026-07-28. See identify for begun.
func (s *Server) noteEra(e era, begun bool) {
	if !e.modern {
		return
	}
	if !s.peer.legacy.Load() { // otherwise the capabilities of initialize are valid
		s.peer.declare(e.capabilities)
	}
	if e.clientName != "" {
		s.identify(e.clientName, e.clientVersion(), false, begun)
	}
}
