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
)

// commonCapabilities are the members of capabilities that every client is told of (contract.md, section 3).
const commonCapabilities = `"logging":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},` +
	`"tools":{"listChanged":true,"progress":true,"cancellation":true},"completions":{}`

// tasksCapability is declared for protocol version 2025-11-25 too, the only version that has tasks in its core.
const tasksCapability = `,"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}`

// initialize greets a client of the era before 2026-07-28.
func (s *Server) initialize(ctx context.Context, r *request) {
	if err := contract.ValidateInitializeRequest(r.params); err != nil {
		r.fail(jsonrpc.CodeInvalidParams, "Invalid params: "+err.Error(), contract.NewEnvelope(contract.InvalidInput, err.Error(), contract.Details{}))
		return
	}
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
	info := jsonrpc.Lookup(r.params, "clientInfo")
	name, _ := jsonrpc.String(jsonrpc.Lookup(info, "name"))
	version, _ := jsonrpc.String(jsonrpc.Lookup(info, "version"))
	s.greeted(name, version, true, true)
	wanted, _ := jsonrpc.String(jsonrpc.Lookup(r.params, "protocolVersion"))
	greeting := s.greeting(mcp.NegotiateLegacyVersion(wanted))
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
	s.meet(e, false)
	r.result(s.discovery())
}

// maxClientName is how much of what a client calls itself is passed on, in bytes.
const maxClientName = 200

// greeted remembers who the client is. The client is not told of changes before its first list. An app may start a copy of
// us only to learn which versions we know, and end it after server/discover: begun is false until it does more, and nobody
// hears of it before.
func (s *Server) greeted(name, version string, legacy, begun bool) {
	// No announcement may be sent between storing the client and storing which lists it has.
	s.announceMu.Lock()
	defer s.announceMu.Unlock()
	s.mu.Lock()
	legacy = legacy || s.legacy.Load()
	known := s.clientName == name && s.legacy.Load() == legacy
	hear := begun && !(known && s.begun)
	s.clientName, s.begun = name, s.begun || begun
	s.legacy.Store(legacy)
	s.mu.Unlock()
	if !known {
		s.client.Store(client.Find(s.options.ClientID, name))
	}
	if !known {
		s.fit(nil)       // it may see other toolboxes
		s.changes.Add(1) // names depend on the client
		s.announced = sha256.Sum256(s.toolList(s.modernList))
	}
	if !hear {
		return
	}
	if tell := s.options.Greeted; tell != nil {
		tell(downstream.Clean(name, maxClientName), downstream.Clean(version, maxClientName))
	}
	s.log.Info("Client connected", "name", name, "client", s.options.ClientID, "mode", s.mode())
}

// greetModern remembers what a request of 2026-07-28 other than server/discover says about the client.
func (s *Server) greetModern(e era) { s.meet(e, true) }

// meet remembers what a request of 2026-07-28 says about the client; begun is as in [Server.greeted].
func (s *Server) meet(e era, begun bool) {
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
		s.greeted(e.clientName, e.clientVersion(), false, begun)
	}
}

// greeting is the result of initialize for a protocol version.
func (s *Server) greeting(version string) json.RawMessage {
	capabilities := commonCapabilities
	if version == mcp.ProtocolVersion20251125 {
		capabilities += tasksCapability
	}
	id := jsonrpc.AppendString(nil, s.id)
	return jsonrpc.AppendObject(nil, []jsonrpc.Member{
		{Name: "protocolVersion", Value: jsonrpc.AppendString(nil, version)},
		{Name: "capabilities", Value: json.RawMessage(`{` + capabilities + `}`)},
		{Name: "serverInfo", Value: s.about()},
		{Name: "instructions", Value: s.instructions()},
		{Name: "session_id", Value: id},
		{Name: "_meta", Value: jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: "session_id", Value: id}})},
	})
}

// discovery is the result of server/discover.
func (s *Server) discovery() json.RawMessage {
	id := jsonrpc.AppendString(nil, s.id)
	versions := []byte{'['}
	for i, version := range mcp.ValidProtocolVersions {
		if i > 0 {
			versions = append(versions, ',')
		}
		versions = jsonrpc.AppendString(versions, version)
	}
	members := []jsonrpc.Member{
		{Name: "_meta", Value: jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: mcp.MetaKeyServerInfo, Value: s.about()}, {Name: "session_id", Value: id}})},
		{Name: "resultType", Value: json.RawMessage(`"complete"`)},
	}
	members = append(members, cacheable...)
	return jsonrpc.AppendObject(nil, append(members,
		jsonrpc.Member{Name: "supportedVersions", Value: append(versions, ']')},
		jsonrpc.Member{Name: "capabilities", Value: json.RawMessage(`{` + commonCapabilities + `}`)},
		jsonrpc.Member{Name: "instructions", Value: s.instructions()},
		jsonrpc.Member{Name: "session_id", Value: id},
	))
}

// about says who we are.
func (s *Server) about() json.RawMessage {
	about := append([]byte(`{"name":`), jsonrpc.AppendString(nil, ServerName)...)
	about = append(about, `,"version":`...)
	return append(jsonrpc.AppendString(about, s.options.Version), '}')
}

// instructions are those for this client, as a JSON string.
func (s *Server) instructions() json.RawMessage {
	return jsonrpc.AppendString(nil, instructionsFor(s.manager.Config(), s.client.Load()))
}

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
	e.version, _ = jsonrpc.String(member(e.meta, mcp.MetaKeyProtocolVersion))
	if e.modern = mcp.IsModernProtocol(e.version); !e.modern {
		return e
	}
	e.capabilities = member(e.meta, mcp.MetaKeyClientCapabilities)
	e.proper = mcp.IsValidProtocolVersion(e.version) && len(e.capabilities) > 0 && e.capabilities[0] == '{'
	for _, known := range askables {
		e.asksBack = e.asksBack || jsonrpc.Lookup(e.capabilities, known.capability) != nil
	}
	e.level, _ = jsonrpc.String(member(e.meta, mcp.MetaKeyLogLevel))
	e.clientInfo = member(e.meta, mcp.MetaKeyClientInfo)
	e.clientName, _ = jsonrpc.String(jsonrpc.Lookup(e.clientInfo, "name"))
	return e
}

// clientVersion returns the version of the client, as the client states it.
func (e era) clientVersion() string {
	version, _ := jsonrpc.String(jsonrpc.Lookup(e.clientInfo, "version"))
	return version
}
