package workbench

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// initialize greets a client of the era before 2026-07-28.
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

// discover greets a client of the era that 2026-07-28 began.
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

// maxClientName is how much of what a client calls itself is passed on, in bytes.
const maxClientName = 200

// identify remembers who the client is. The client is not told of changes before its first list. An app may start a
// copy of us only to learn which versions we know, and end it after server/discover: begun is false until it does
// more, and nobody hears of it before.
func (s *Server) identify(name, version string, legacy, begun bool) {
	var known, hear bool
	s.announcer.identify(func() bool {
		if known, hear = s.peer.identify(name, legacy, begun); !known {
			s.catalogue.fit(nil) // it may see other toolboxes
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

// noteClient remembers what a request of 2026-07-28 other than server/discover says about the client.
func (s *Server) noteClient(e era) { s.noteEra(e, true) }

// noteEra remembers what a request of 2026-07-28 says about the client; begun is as in [Server.identify].
func (s *Server) noteEra(e era, begun bool) {
	if !e.modern {
		return
	}
	if !s.peer.legacy.Load() { // otherwise the capabilities of initialize stay
		s.peer.declare(e.capabilities)
	}
	if e.clientName != "" {
		s.identify(e.clientName, e.clientVersion(), false, begun)
	}
}
