package workbench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// toolsCapability is declared to the letter of contract.md, section 3; mcp-go's type knows only the
// first member.
const toolsCapability = `{"listChanged":true,"progress":true,"cancellation":true}`

// tasksCapability is declared for protocol version 2025-11-25, the only one that has tasks in its core.
const tasksCapability = `{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`

// initialize greets a client of the era before 2026-07-28.
func (s *Server) initialize(ctx context.Context, r *request) {
	if err := contract.ValidateInitializeRequest(r.params); err != nil {
		r.fail(jsonrpc.CodeInvalidParams, "Invalid params: "+err.Error(), contract.NewEnvelope(contract.InvalidInput, err.Error(), contract.Details{}))
		return
	}
	result, failure := s.ask(ctx, r)
	if failure != nil {
		r.fail(failure.Code, failure.Message, failure.Data)
		return
	}
	client := s.session.GetClientInfo()
	s.mu.Lock()
	s.capabilities = slices.Clone(jsonrpc.Lookup(r.params, "capabilities"))
	if s.streams[legacyStream] == nil {
		one := &stream{uris: map[string]bool{}}
		for kind := range one.kinds {
			one.kinds[kind] = true
		}
		s.streams[legacyStream] = one
	}
	s.mu.Unlock()
	s.greeted(client.Name, client.Version, true)
	greeting := s.decorateGreeting(result)
	r.result(greeting)
	s.calls.Go(func() { s.checkGreeting(greeting) })
}

// discover greets a client of the era that 2026-07-28 began.
func (s *Server) discover(ctx context.Context, r *request) {
	result, failure := s.ask(ctx, r)
	if failure != nil {
		r.fail(failure.Code, failure.Message, failure.Data)
		return
	}
	s.greetModern(eraOf(r.params))
	r.result(s.decorateGreeting(result))
}

// maxClientName is how much of what a client calls itself is passed on, in bytes.
const maxClientName = 200

// greeted remembers who the client is. The client is not told of changes before its first list.
func (s *Server) greeted(name, version string, legacy bool) {
	// No announcement may come between knowing the client and knowing what it knows.
	s.announceMu.Lock()
	defer s.announceMu.Unlock()
	s.mu.Lock()
	legacy = legacy || s.legacy.Load()
	known := s.clientName == name && s.legacy.Load() == legacy
	s.clientName = name
	s.legacy.Store(legacy)
	s.mu.Unlock()
	if !known {
		s.client.Store(client.Find(s.options.ClientID, name))
	}
	if !known {
		s.changes.Add(1) // names depend on the client
		s.announced = sha256.Sum256(s.toolList(s.modernList))
		if tell := s.options.Greeted; tell != nil {
			tell(downstream.Clean(name, maxClientName), downstream.Clean(version, maxClientName))
		}
		s.log.Info("Client connected", "name", name, "client", s.options.ClientID, "mode", s.mode())
	}
}

// greetModern remembers what a request of 2026-07-28 says about the client.
func (s *Server) greetModern(e era) {
	if !e.modern {
		return
	}
	if !s.legacy.Load() { // otherwise the capabilities of initialize stay
		s.mu.Lock()
		if !bytes.Equal(s.capabilities, e.capabilities) {
			s.capabilities = slices.Clone(e.capabilities)
		}
		s.mu.Unlock()
	}
	if e.clientName != "" {
		s.greeted(e.clientName, e.clientVersion(), false)
	}
}

// decorateGreeting adds the instructions for this client, and the members that mcp-go's types lack: session_id and the full
// tools capability.
func (s *Server) decorateGreeting(result json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(result)
	id := jsonrpc.AppendString(nil, s.session.id)
	capabilities := jsonrpc.With(jsonrpc.Split(member(members, "capabilities")), "tools", []byte(toolsCapability))
	if version, _ := jsonrpc.String(member(members, "protocolVersion")); version == mcp.ProtocolVersion20251125 {
		capabilities = jsonrpc.With(capabilities, "tasks", []byte(tasksCapability))
	}
	members = jsonrpc.With(members, "capabilities", jsonrpc.AppendObject(nil, capabilities))
	meta := jsonrpc.Split(member(members, "_meta"))
	members = jsonrpc.With(members, "instructions", jsonrpc.AppendString(nil, instructionsFor(s.manager.Config(), s.client.Load())))
	members = jsonrpc.With(members, "session_id", id)
	members = jsonrpc.With(members, "_meta", jsonrpc.AppendObject(nil, jsonrpc.With(meta, "session_id", id)))
	return jsonrpc.AppendObject(nil, members)
}

// checkGreeting holds what we sent against our own contract (contract.md, section 6: logged, sent
// all the same).
func (s *Server) checkGreeting(greeting json.RawMessage) {
	if err := contract.ValidateInitializeResponse(greeting); err != nil {
		s.log.Error("Our initialize response breaks the contract; this is a bug", "error", err)
	}
	for _, definition := range metaDefinitions(s.manager.Config(), s.mode()) {
		if err := contract.ValidateTool(definition); err != nil {
			s.log.Error("A meta-tool's definition breaks the contract; this is a bug", "error", err)
		}
	}
}

// checkEnvelope holds an error envelope against our own contract, as checkGreeting does.
func (s *Server) checkEnvelope(failure *toolbox.Error) {
	if err := contract.ValidateEnvelope(appendEnvelope(nil, failure.Envelope())); err != nil {
		s.log.Error("An error envelope breaks the contract; this is a bug", "error", err)
	}
}

// era is what a request says of the protocol it is written in.
type era struct {
	modern   bool // protocol version 2026-07-28 or later, declared in _meta
	proper   bool // a version that we know, with the capabilities that it requires
	asksBack bool // the client can be asked for something, see [exchange]

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
	version, _ := jsonrpc.String(member(e.meta, mcp.MetaKeyProtocolVersion))
	if e.modern = mcp.IsModernProtocol(version); !e.modern {
		return e
	}
	e.capabilities = member(e.meta, mcp.MetaKeyClientCapabilities)
	e.proper = mcp.IsValidProtocolVersion(version) && len(e.capabilities) > 0 && e.capabilities[0] == '{'
	for _, known := range askables {
		e.asksBack = e.asksBack || jsonrpc.Lookup(e.capabilities, known.capability) != nil
	}
	e.level, _ = jsonrpc.String(member(e.meta, mcp.MetaKeyLogLevel))
	e.clientInfo = member(e.meta, mcp.MetaKeyClientInfo)
	e.clientName, _ = jsonrpc.String(jsonrpc.Lookup(e.clientInfo, "name"))
	return e
}

// clientVersion is what the client says of its own version.
func (e era) clientVersion() string {
	version, _ := jsonrpc.String(jsonrpc.Lookup(e.clientInfo, "version"))
	return version
}
