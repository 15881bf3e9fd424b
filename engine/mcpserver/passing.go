package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// passer answers requests of one method with the members of a result. params are the members of the request's params
// without _meta.
type passer func(s *Server, ctx context.Context, r *request, e era, params []jsonrpc.Member) ([]jsonrpc.Member, error)

// passerOf returns the passer for a method, or nil. Methods for tools have none.
func passerOf(method string) passer {
	switch method {
	case "prompts/list":
		return listing(downstream.Prompts)
	case "resources/list":
		return listing(downstream.Resources)
	case "resources/templates/list":
		return listing(downstream.Templates)
	case "prompts/get":
		return getPrompt
	case "resources/read":
		return readResource
	case "completion/complete":
		return complete
	case "resources/subscribe", "resources/unsubscribe":
		return subscribeResource
	case "logging/setLevel":
		return setLevel
	case "tasks/get", "tasks/cancel", "tasks/result":
		return task
	case "tasks/list":
		return listTasks
	}
	return nil
}

// passOn answers a request with its passer.
func (s *Server) passOn(ctx context.Context, r *request, pass passer) {
	e := eraOf(r.params)
	if r.refuseEra(e) || e.modern && r.refuseRemoved() {
		return
	}
	s.noteClient(e)
	s.roots.await(ctx)
	defer s.levels.want(ctx, e)()
	members := slices.DeleteFunc(jsonrpc.Split(r.params), func(m jsonrpc.Member) bool {
		return m.Name == "_meta" || m.Name == "inputResponses" || m.Name == "requestState"
	})
	switch capability, _, _ := strings.Cut(r.method, "/"); capability {
	case "prompts", "resources":
		s.awaitLists(ctx, capability)
	}
	result, err := pass(s, ctx, r, e, members)
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return // cancelled by the client, which expects no answer, or the session has ended
	}
	if err != nil {
		r.failWith(e, err)
		return
	}
	if e.modern {
		result = s.identity.completed(result)
		if r.method == "resources/read" && jsonrpc.ValueOf(result, "ttlMs") == nil {
			result = append(slices.Clip(result), notCached...)
		}
	} else if r.method == "tasks/result" {
		result = definition.MendStructure(result)
	}
	r.result(jsonrpc.Object(result)...)
}

// awaitLists is [opener.awaitLists].
func (s *Server) awaitLists(ctx context.Context, capability string) {
	if s.opener.awaitLists(ctx, capability) {
		s.announcer.signal()
	}
}

// failWith answers with a JSON-RPC error: the server's own, or one of ours with the envelope.
func (r *request) failWith(e era, err error) {
	var rpc *downstream.RPCError
	var failure *toolbox.Error
	switch {
	case errors.As(err, &rpc):
		r.failRaw(rpc)
	case errors.Is(err, errUnknownState):
		r.fail(jsonrpc.CodeInvalidParams, err.Error(), nil)
	case errors.Is(err, toolbox.ErrNoResource):
		code := jsonrpc.CodeResourceNotFound
		if e.modern {
			code = jsonrpc.CodeInvalidParams
		}
		uri, _ := jsonrpc.String(jsonrpc.Lookup(r.params, "uri"))
		r.fail(code, "Resource not found: "+err.Error(), map[string]string{"uri": uri})
	case errors.Is(err, toolbox.ErrNoTask):
		r.fail(jsonrpc.CodeInvalidParams, "Task not found: "+err.Error(), nil)
	case errors.As(err, &failure):
		code := jsonrpc.CodeInternalError
		if failure.Code == contract.InvalidInput {
			code = jsonrpc.CodeInvalidParams
		}
		r.fail(code, failure.Sentence, failure.Envelope())
	default:
		r.fail(jsonrpc.CodeInternalError, err.Error(), nil)
	}
}

// forward returns the request that the server gets.
func forward(s *Server, r *request, e era, params []jsonrpc.Member) *downstream.Call {
	c := &call{era: e}
	if token := jsonrpc.ValueOf(e.meta, jsonrpc.ProgressToken); isID(token) {
		c.token = token
	}
	out := s.outgoing(c, nil)
	out.Method, out.Params = r.method, params
	out.Relisted = func() { s.announcer.announceAndWait(s.lifetime) }
	if e.modern {
		s.exchanges.takeInput(out, r)
	}
	return out
}

// listing returns a passer that answers with all items of one kind on one page, since some clients do not request a
// second.
func listing(kind downstream.Kind) passer {
	about := kind.List()
	return func(s *Server, ctx context.Context, _ *request, e era, _ []jsonrpc.Member) ([]jsonrpc.Member, error) {
		list := newList(s.peer.most())
		for _, own := range ownResources(s.manager.Config(), kind) {
			list.add(own)
		}
		for _, one := range s.manager.Lists.List(ctx, kind, s.catalogue.namer()) {
			list.add(listed(about, one))
		}
		result := []jsonrpc.Member{{Name: about.Member, Value: list.done(s.catalogue, kind)}}
		if e.modern {
			result = append(result, notCached...)
		}
		return result, nil
	}
}

// listed returns a definition with the client's name for the item. The _meta of a prompt has its origin, as that of a
// tool.
func listed(about downstream.List, one toolbox.Listed) json.RawMessage {
	if one.Name == one.Item.Name {
		return one.Item.Definition
	}
	members := jsonrpc.With(jsonrpc.Split(one.Item.Definition), about.Key, jsonrpc.AppendString(nil, one.Name))
	if about.Unique == downstream.ByName {
		meta := jsonrpc.Split(jsonrpc.ValueOf(members, "_meta"))
		origin := appendOrigin(nil, one.Server, about.Name, one.Item.Name)
		members = jsonrpc.With(members, "_meta",
			jsonrpc.AppendObject(nil, jsonrpc.With(meta, "workbench/"+about.Name, origin)))
	}
	return jsonrpc.AppendObject(nil, members)
}

// prompt returns the server of a prompt and the server's name of it.
func prompt(s *Server, ctx context.Context, name string) (toolbox.ServerID, string, error) {
	for _, one := range s.manager.Lists.List(ctx, downstream.Prompts, s.catalogue.namer()) {
		if one.Name == name {
			return one.Server, one.Item.Name, nil
		}
	}
	return toolbox.ServerID{}, "",
		invalidParams("prompt '%s' not found; the prompts of a toolbox are there while it is open",
			downstream.Clean(name, 200))
}

func getPrompt(s *Server, ctx context.Context, r *request, e era, params []jsonrpc.Member) ([]jsonrpc.Member, error) {
	name, ok := jsonrpc.String(jsonrpc.ValueOf(params, "name"))
	if !ok {
		return nil, invalidParams("name must be a string")
	}
	server, own, err := prompt(s, ctx, name)
	if err != nil {
		return nil, err
	}
	call := forward(s, r, e, jsonrpc.With(params, "name", jsonrpc.AppendString(nil, own)))
	return s.exchanges.converse(ctx, r, e, name, server, func(ctx context.Context) ([]jsonrpc.Member, error) {
		s.exchanges.takeProgress(ctx, call)
		result, err := s.manager.Request(ctx, server, *call)
		return withAskers(server, result), err
	})
}

func readResource(s *Server, ctx context.Context, r *request, e era,
	params []jsonrpc.Member) ([]jsonrpc.Member, error) {
	uri, ok := jsonrpc.String(jsonrpc.ValueOf(params, "uri"))
	if !ok {
		return nil, invalidParams("uri must be a string")
	}
	if content, ok := readOwn(s.manager, uri); ok {
		return content, nil
	}
	if strings.HasPrefix(uri, ownToolboxes) {
		return nil, toolbox.ErrNoResource
	}
	call := forward(s, r, e, slices.DeleteFunc(params, func(m jsonrpc.Member) bool { return m.Name == "uri" }))
	return s.exchanges.converse(ctx, r, e, uri, toolbox.ServerID{}, func(ctx context.Context) ([]jsonrpc.Member, error) {
		var from toolbox.ServerID
		s.exchanges.takeProgress(ctx, call)
		result, err := s.manager.Resources.Read(ctx, uri, *call, func(server toolbox.ServerID) {
			from = server
			s.exchanges.setServer(exchangeOf(ctx), server)
		})
		return withAskers(from, result), err
	})
}

// complete passes completion/complete to the server of the prompt or template.
func complete(s *Server, ctx context.Context, r *request, e era, params []jsonrpc.Member) ([]jsonrpc.Member, error) {
	ref := jsonrpc.ValueOf(params, "ref")
	kind, _ := jsonrpc.String(jsonrpc.Lookup(ref, "type"))
	var server toolbox.ServerID
	var key, own string
	var err error
	switch kind {
	case "ref/prompt":
		key = "name"
		name, _ := jsonrpc.String(jsonrpc.Lookup(ref, key))
		s.awaitLists(ctx, "prompts")
		if server, own, err = prompt(s, ctx, name); err != nil {
			return nil, err
		}
	case "ref/resource":
		key = "uri"
		uri, _ := jsonrpc.String(jsonrpc.Lookup(ref, key))
		if strings.HasPrefix(uri, ownToolboxes) {
			return completeOwn(s.manager.Config(), params), nil
		}
		s.awaitLists(ctx, "resources")
		if server, own, err = s.manager.Resources.Template(ctx, uri); err != nil {
			return nil, err
		}
	default:
		return nil, invalidParams(`ref.type must be "ref/prompt" or "ref/resource"`)
	}
	ref = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(ref), key, jsonrpc.AppendString(nil, own)))
	return s.manager.Request(ctx, server, *forward(s, r, e, jsonrpc.With(params, "ref", ref)))
}

// inTurn returns a passer that waits for earlier requests to subscribe to or unsubscribe from the same URI. It is
// called on the read loop.
func inTurn(s *Server, r *request, pass passer) passer {
	uri, _ := jsonrpc.String(jsonrpc.Lookup(r.params, "uri"))
	wait, done := s.streams.turns.take(uri)
	answered := r.done
	r.done = func() {
		done()
		answered()
	}
	return func(s *Server, ctx context.Context, r *request, e era, params []jsonrpc.Member) ([]jsonrpc.Member, error) {
		wait(ctx)
		return pass(s, ctx, r, e, params)
	}
}

func subscribeResource(s *Server, ctx context.Context, r *request, e era,
	params []jsonrpc.Member) ([]jsonrpc.Member, error) {
	uri, ok := jsonrpc.String(jsonrpc.ValueOf(params, "uri"))
	if !ok {
		return nil, invalidParams("uri must be a string")
	}
	var err error
	if r.method == "resources/subscribe" {
		err = s.streams.subscribe(ctx, legacyStream, uri)
	} else {
		err = s.streams.unsubscribe(ctx, legacyStream, uri)
	}
	return nil, err
}

func setLevel(s *Server, ctx context.Context, _ *request, _ era, params []jsonrpc.Member) ([]jsonrpc.Member, error) {
	level, _ := jsonrpc.String(jsonrpc.ValueOf(params, "level"))
	if !slices.Contains(knownLevels[:], level) {
		return nil, invalidParams("level must be one of %s", strings.Join(knownLevels[:], ", "))
	}
	s.levels.set(ctx, level)
	return nil, nil
}

func task(s *Server, ctx context.Context, r *request, e era, params []jsonrpc.Member) ([]jsonrpc.Member, error) {
	id, ok := jsonrpc.String(jsonrpc.ValueOf(params, "taskId"))
	if !ok {
		return nil, invalidParams("taskId must be a string")
	}
	return s.manager.Tasks.Request(ctx, id, *forward(s, r, e, slices.DeleteFunc(params, func(m jsonrpc.Member) bool {
		return m.Name == "taskId"
	})))
}

func listTasks(s *Server, ctx context.Context, _ *request, _ era, _ []jsonrpc.Member) ([]jsonrpc.Member, error) {
	tasks := jsonrpc.AppendArray(nil, s.manager.Tasks.List(ctx), jsonrpc.AppendValue)
	return []jsonrpc.Member{{Name: "tasks", Value: tasks}}, nil
}
