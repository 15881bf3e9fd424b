package httpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// isModern reports whether the headers of a request are of 2026-07-28 or later.
func isModern(r *http.Request) bool {
	return mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
}

// modernMessage reports whether a message is of 2026-07-28 or later, whatever the headers say. A message without a
// session that names an older version counts as one too: only requests of the modern era name their version in _meta,
// and it is refused as one of them.
func modernMessage(r *http.Request, m jsonrpc.Message) bool {
	version := versionIn(m)
	return mcp.IsModernProtocol(version) || version != "" && r.Header.Get(mcp.HeaderSessionID) == ""
}

// versionIn returns the version of the protocol that a message names, or "".
func versionIn(m jsonrpc.Message) string {
	version, _ := jsonrpc.String(jsonrpc.Lookup(jsonrpc.Lookup(m.Params, "_meta"), mcp.MetaKeyProtocolVersion))
	return version
}

// postModern answers a message of 2026-07-28 or later.
func (s *Server) postModern(w http.ResponseWriter, r *http.Request, owner *app, m jsonrpc.Message) {
	if m.Kind() == jsonrpc.Response {
		s.refuse(w, r, http.StatusBadRequest, "Invalid Request: in this version of the protocol, the server asks nothing")
		return
	}
	if err := checkHeaders(r.Header, m); err != nil {
		s.refuseMismatch(w, r, m, err)
		return
	}
	session, ok := s.start(w, r, owner, sharedKey(m))
	if !ok {
		return
	}
	defer s.apps.free(session)
	if err := session.checkParamHeaders(r.Header, m); err != nil {
		s.refuseMismatch(w, r, m, err)
		return
	}
	s.deliver(w, r, session, []jsonrpc.Message{m}, [][]byte{nil})
}

// refuseMismatch refuses a message whose headers contradict it. What they say is not logged.
func (s *Server) refuseMismatch(w http.ResponseWriter, r *http.Request, m jsonrpc.Message, err error) {
	s.refusals.note(r, http.StatusBadRequest, "the headers contradict the message")
	s.fail(w, http.StatusBadRequest, m.ID, jsonrpc.CodeHeaderMismatch, err.Error())
}

// maxSharedName is how much of a client's name counts.
const maxSharedName = 100

// sharedKey returns the key of the session that serves a message. It has a space, so it is no id of a session.
func sharedKey(m jsonrpc.Message) string {
	info := jsonrpc.Lookup(jsonrpc.Lookup(m.Params, "_meta"), mcp.MetaKeyClientInfo)
	name, _ := jsonrpc.String(jsonrpc.Lookup(info, "name"))
	return "client " + name[:min(len(name), maxSharedName)]
}

// checkHeaders returns how the headers of a request contradict its message.
func checkHeaders(header http.Header, m jsonrpc.Message) error {
	for _, name := range []string{mcp.HeaderProtocolVersion, mcp.HeaderMethod, mcp.HeaderName} {
		if len(header.Values(name)) > 1 {
			return fmt.Errorf("the header %s is there more than once", name)
		}
	}
	shown, version := header.Get(mcp.HeaderProtocolVersion), versionIn(m)
	switch {
	case shown == "":
		return fmt.Errorf("the header %s is missing", mcp.HeaderProtocolVersion)
	case version != "" && shown != version:
		return fmt.Errorf("the header %s is not the version in _meta", mcp.HeaderProtocolVersion)
	}
	return mcp.ValidateStandardHeaders(header.Get, shown, mcp.MCPMethod(m.Method), m.Params)
}

// checkParamHeaders returns how the headers of a call contradict its arguments.
func (s *session) checkParamHeaders(header http.Header, m jsonrpc.Message) error {
	if m.Method != string(mcp.MethodToolsCall) {
		return nil
	}
	name, _ := jsonrpc.String(jsonrpc.Lookup(m.Params, "name"))
	s.mu.Lock()
	tool := s.mirrored[name]
	s.mu.Unlock()
	if tool == nil {
		return nil
	}
	return mcp.ValidateParamHeadersLookup(func(name string) (string, bool) {
		return header.Get(name), len(header.Values(name)) > 0
	}, tool, m.Params)
}

// maxMirrored limits [session.mirrored].
const maxMirrored = 1000

// mirrors is the member of a schema that says that clients also send a parameter in a header.
const mirrors = `"x-mcp-header"`

// learn remembers which tools of a list have parameters that clients also send in headers.
func (s *session) learn(result json.RawMessage) {
	tools, err := jsonrpc.Elements(jsonrpc.Lookup(result, "tools"))
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, raw := range tools {
		name, _ := jsonrpc.String(jsonrpc.Lookup(raw, "name"))
		schema := jsonrpc.Lookup(raw, "inputSchema")
		delete(s.mirrored, name)
		if bytes.Contains(schema, []byte(mirrors)) && len(s.mirrored) < maxMirrored {
			s.mirrored[name] = &mcp.Tool{Name: name, RawInputSchema: schema}
		}
	}
}
