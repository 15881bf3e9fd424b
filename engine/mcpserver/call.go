package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// call is a parsed tools/call.
type call struct {
	name      string
	arguments json.RawMessage // nil if absent
	era       era
	token     json.RawMessage // the client's progress token, nil if absent
	task      json.RawMessage // the params of a call that becomes a task, nil for other calls
	request   *request
	sent      func() // see [downstream.Call]
}

// startCall handles tools/call. A server gets calls in the order in which the client sent them.
func (s *Server) startCall(ctx context.Context, r *request) {
	c, ok := parseCall(r.params)
	c.request = r
	s.noteClient(c.era)
	wait := func(context.Context) {}
	c.sent = func() {}
	if id, _, aims := s.catalogue.target(c.name, c.arguments); ok && aims {
		var done func()
		wait, done = s.sending.take(id.On().String())
		c.sent = sync.OnceFunc(done)
	}
	s.requests.spawn(ctx, r, &s.requests.calls, func(ctx context.Context, r *request) {
		defer c.sent()
		wait(ctx)
		s.callTool(ctx, r, c, ok)
	})
}

// callTool answers a call. understood is false if the params could not be parsed.
func (s *Server) callTool(ctx context.Context, r *request, c *call, understood bool) {
	if !understood {
		if !r.refuseEra(eraOf(r.params)) {
			r.fail(jsonrpc.CodeInvalidParams, "Invalid params: name must be a string", nil)
		}
		return
	}
	if r.refuseEra(c.era) {
		return
	}
	s.roots.await(ctx)
	defer s.levels.want(ctx, c.era)()
	result, err := s.dispatch(ctx, c)
	if errors.Is(err, errUnknownTool) {
		r.fail(jsonrpc.CodeInvalidParams, fmt.Sprintf("tool '%s' not found: tool not found", c.name), nil)
		return
	}
	s.answerCall(ctx, r, c, result, err)
}

// answerCall sends the result or the error of a call.
func (s *Server) answerCall(ctx context.Context, r *request, c *call, result []jsonrpc.Member, err error) {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return // cancelled by the client, which expects no answer, or the session has ended
	}
	if rpc := s.passesAsError(c, err); rpc != nil {
		r.failRaw(rpc)
		return
	}
	if err != nil {
		failure := asToolboxError(withURLs(err))
		result = errorResult(failure)
	}
	if c.era.modern {
		result = s.identity.completed(result)
	} else {
		result = definition.MendStructure(result)
	}
	raw := jsonrpc.Object(result)
	if size := lengthOf(raw); !r.takes(size) {
		id, _, _ := s.catalogue.target(c.name, c.arguments)
		failure := &toolbox.Error{Code: contract.InternalError, Sentence: s.conn.tooLarge(size),
			Details: contract.Details{Toolbox: id.Toolbox, Server: id.Server, Tool: id.Tool}}
		s.log.Warn("An answer is larger than the client takes", "toolbox", id.Toolbox, "server", id.Server, "tool", id.Tool,
			"bytes", size, "limit", s.peer.most())
		if result = errorResult(failure); c.era.modern {
			result = s.identity.completed(result)
		}
		raw = jsonrpc.Object(result)
	}
	r.result(raw...)
}

// errUnknownTool means that there is no tool of this name.
var errUnknownTool = errors.New("unknown tool")

// dispatch calls a meta-tool or a tool of a server.
func (s *Server) dispatch(ctx context.Context, c *call) ([]jsonrpc.Member, error) {
	name, isMeta := strings.CutPrefix(c.name, s.manager.Config().MetaToolPrefix)
	switch {
	case isMeta && name == openToolbox:
		return s.openToolbox(ctx, c)
	case isMeta && name == closeToolbox:
		return s.closeToolbox(ctx, c)
	case isMeta && name == findTools && s.manager.Config().Search:
		return s.findTools(ctx, c)
	case isMeta && name == useTool &&
		(s.catalogue.mode() != config.ModeDynamic || s.catalogue.registersAny() && len(s.catalogue.registered().unlisted) > 0):
		id, arguments, err := parseUseTool(c.arguments)
		if err != nil {
			return nil, err
		}
		return s.callServer(ctx, c, id, arguments)
	}
	if s.opener.mustAwaitOpen() {
		s.opener.awaitOpen(ctx) // the client may know the tool from an earlier session
		s.announcer.signal()
	}
	if id, arguments, ok := s.catalogue.target(c.name, c.arguments); ok {
		result, err := s.callServer(ctx, c, id, arguments)
		return s.asPromised(ctx, c.name, id, result), err
	}
	return nil, errUnknownTool
}

func (s *Server) openToolbox(ctx context.Context, c *call) ([]jsonrpc.Member, error) {
	name, server, tool, err := parseOpen(c.arguments)
	if err != nil {
		return nil, err
	}
	var report func(toolbox.Progress)
	if c.token != nil {
		report = func(p toolbox.Progress) { s.conn.reportOpening(c.token, p) }
	}
	// Changes are not announced while the toolbox is opened, so that there is one notification for all servers, and the
	// client has the new tools before the model reads about them.
	opened, err := s.opener.open(ctx, name, report)
	s.announcer.announceAndWait(ctx)
	narrow := server != "" || tool != ""
	if err == nil && narrow {
		opened, err = s.manager.Narrow(opened, server, tool)
	}
	if err != nil {
		return nil, err
	}
	return textResult(s.openedText(opened, narrow)), nil
}

func (s *Server) closeToolbox(ctx context.Context, c *call) ([]jsonrpc.Member, error) {
	name, err := parseToolboxName(c.arguments)
	if err != nil {
		return nil, err
	}
	disconnected, wasOpen, err := s.manager.Close(ctx, name)
	if err != nil {
		return nil, err
	}
	s.announcer.announceAndWait(ctx)
	return textResult(closedText(name, disconnected, wasOpen)), nil
}

// callServer calls a tool of a server.
func (s *Server) callServer(ctx context.Context, c *call, id toolbox.ToolID,
	arguments json.RawMessage) ([]jsonrpc.Member, error) {
	result, err := s.exchanges.converse(ctx, c.request, c.era, id.On().String()+"/"+id.Tool, id.On(),
		func(ctx context.Context) ([]jsonrpc.Member, error) {
			out := s.outgoing(c, arguments)
			out.Relisted = func() { s.announcer.announceAndWait(ctx) }
			s.exchanges.takeProgress(ctx, out)
			result, err := s.manager.Call(ctx, id, *out)
			return withAskers(id.On(), result), err
		})
	if err != nil {
		return nil, err
	}
	if downstream.Failed(result) {
		result = withErrorContext(result, id)
	}
	return result, nil
}

// outgoing returns the call that the server gets.
func (s *Server) outgoing(c *call, arguments json.RawMessage) *downstream.Call {
	out := &downstream.Call{Arguments: arguments, Capabilities: c.era.capabilities, Meta: c.era.meta, Sent: c.sent}
	if c.task != nil {
		out.Params = []jsonrpc.Member{{Name: "task", Value: c.task}}
	}
	if c.era.modern && c.request != nil {
		s.exchanges.takeInput(out, c.request)
	}
	if token := c.token; token != nil {
		out.Progress = func(params json.RawMessage) {
			params, ok := definition.MendProgress(params)
			if !ok {
				return // invalid progress would end the connection of some clients
			}
			s.conn.notifyProgress(jsonrpc.AppendObject(nil,
				jsonrpc.With(jsonrpc.Split(params), jsonrpc.ProgressToken, token)))
		}
	}
	return out
}

// parseCall parses the params of tools/call. It reports false if the name is missing.
func parseCall(params json.RawMessage) (c *call, ok bool) {
	c = &call{}
	members := jsonrpc.Split(params)
	if c.name, ok = jsonrpc.String(jsonrpc.ValueOf(members, "name")); !ok {
		return c, false
	}
	c.arguments = unquoted(jsonrpc.ValueOf(members, "arguments"))
	c.task = jsonrpc.ValueOf(members, "task")
	if string(c.arguments) == "null" {
		c.arguments = nil // some clients write null for absent members
	}
	if meta := jsonrpc.ValueOf(members, "_meta"); meta != nil {
		c.era = eraOfMeta(meta)
		if token := jsonrpc.ValueOf(c.era.meta, jsonrpc.ProgressToken); isID(token) {
			c.token = token
		}
	}
	return c, true
}

// passesAsError returns the JSON-RPC error that the client gets unchanged, or nil if err becomes a result
// (contract.md, section 5).
func (s *Server) passesAsError(c *call, err error) *downstream.RPCError {
	if err == nil {
		return nil
	}
	var rpc *downstream.RPCError
	switch {
	case errors.Is(err, errUnknownState):
		return &downstream.RPCError{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	case !errors.As(err, &rpc):
		return nil
	case rpc.Code == jsonrpc.CodeMissingCapability && c.era.modern:
		return rpc
	case rpc.Code == jsonrpc.CodeInvalidParams && c.era.modern && c.request != nil &&
		jsonrpc.Lookup(c.request.params, "requestState") != nil:
		return rpc // the server refuses the client's requestState or inputs
	case rpc.Code != jsonrpc.CodeVisitURL:
		return nil
	}
	capabilities := c.era.capabilities
	if !c.era.modern {
		capabilities = s.peer.declared()
	}
	if jsonrpc.Lookup(jsonrpc.Lookup(capabilities, "elicitation"), "url") == nil {
		return nil
	}
	return withVisitAsker(err, rpc)
}

// withURLs adds the pages that a server wants the person to visit to the text of an error, for clients that cannot
// show them.
func withURLs(err error) error {
	var rpc *downstream.RPCError
	if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeVisitURL {
		return err
	}
	failure := *asToolboxError(err)
	elicitations, _ := jsonrpc.Elements(jsonrpc.Lookup(rpc.Data, "elicitations"))
	for _, e := range elicitations {
		if url, _ := jsonrpc.String(jsonrpc.Lookup(e, "url")); isWebPage(url) {
			failure.Sentence += "; ask the user to visit " + downstream.Clean(url, 2000)
		}
	}
	return &failure
}

// asToolboxError returns err as an error of the contract.
func asToolboxError(err error) *toolbox.Error {
	var e *toolbox.Error
	if errors.As(err, &e) {
		return e
	}
	return &toolbox.Error{Code: contract.InternalError, Sentence: err.Error(), Cause: err}
}
