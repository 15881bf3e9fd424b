package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrNoResource means that no server of an open toolbox has a resource.
const ErrNoResource = words.Code("toolbox.no_resource")

// target is a resource as its server knows it.
type target struct {
	server ServerID
	uri    string
}

// ReadResource passes resources/read to the server that has the resource. call holds what else the client sent; its params
// must not have a uri. ReadResource calls trying with each server before it passes the request to it. The error is
// [ErrNoResource], or as [Manager.Request] tells.
func (m *Manager) ReadResource(ctx context.Context, uri string, call downstream.Call, trying func(ServerID)) (json.RawMessage, error) {
	targets, sure := m.find(ctx, uri)
	if sure || len(targets) == 1 {
		trying(targets[0].server)
		result, err := m.readFrom(ctx, targets[0], call)
		if err == nil && targets[0].uri != uri {
			result = renameContents(result, targets[0].uri, uri)
		}
		return result, err
	}
	var failure error = ErrNoResource
	for i, t := range targets {
		trying(t.server)
		patience := guessPatience
		if i == len(targets)-1 {
			patience = time.Hour // nobody waits behind it
		}
		result, err := m.guess(ctx, t, call, patience)
		if err == nil || ctx.Err() != nil {
			return result, err
		}
		if rpc := asRPC(err); failure == ErrNoResource && !(rpc != nil && unknownResource(rpc)) {
			failure = err
		}
	}
	return nil, failure
}

func (m *Manager) readFrom(ctx context.Context, t target, call downstream.Call) (json.RawMessage, error) {
	call.Method = "resources/read"
	call.Params = append(slices.Clone(call.Params), jsonrpc.Member{Name: "uri", Value: jsonrpc.AppendString(nil, t.uri)})
	return m.Request(ctx, t.server, call)
}

// guessPatience is how long a server may take to answer for a resource that may be another server's.
const guessPatience = 3 * time.Second

// guess reads from a server that may have the resource. A server that does not answer comes after the others from then on.
func (m *Manager) guess(ctx context.Context, t target, call downstream.Call, patience time.Duration) (json.RawMessage, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	result, err := m.readFrom(limited, t, call)
	l := m.linkOf(t.server)
	switch {
	case l != nil && errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		l.mute.Store(true)
		l.journal.say(words.New("toolbox.read_slow", "Limit", patience))
	case l != nil && err == nil:
		l.mute.Store(false)
	}
	if contents := jsonrpc.Lookup(result, "contents"); err == nil && (len(contents) == 0 || contents[0] != '[') {
		if l != nil {
			l.journal.say(words.New("toolbox.read_without_contents"))
		}
		return nil, ErrNoResource
	}
	return result, err
}

// renameContents replaces the server's own URI in the contents of a result by uri, which the client asked for.
func renameContents(result json.RawMessage, own, uri string) json.RawMessage {
	members := jsonrpc.Split(result)
	for i := range members {
		contents, err := jsonrpc.Elements(members[i].Value)
		if members[i].Name != "contents" || err != nil {
			continue
		}
		for k, content := range contents {
			if text, _ := jsonrpc.String(jsonrpc.Lookup(content, "uri")); text == own {
				contents[k] = withURI(content, uri)
			}
		}
		members[i].Value = jsonrpc.AppendArray(nil, contents, jsonrpc.AppendValue)
	}
	return jsonrpc.AppendObject(nil, members)
}

// withURI returns an object with another uri.
func withURI(object json.RawMessage, uri string) json.RawMessage {
	return jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(object), "uri", jsonrpc.AppendString(nil, uri)))
}

// unknownResource reports whether an error says that the server has no such resource. The code depends on the version of the
// protocol.
func unknownResource(err *downstream.RPCError) bool {
	return err.Code == jsonrpc.CodeResourceNotFound || err.Code == jsonrpc.CodeInvalidParams || err.Code == jsonrpc.CodeMethodNotFound || err.Code == 0
}

// find returns the servers that may have a resource, the likeliest first. sure reports that the first is known to have it, by
// a list, a link, a template or one of its tools. Otherwise targets holds every server with resources, because servers may
// have resources they do not list.
func (m *Manager) find(ctx context.Context, uri string) (targets []target, sure bool) {
	if server, own, ok := parseAddress(uri); ok && m.isOpen(server.Toolbox) {
		return []target{{server, own}}, true
	}
	linked, known := m.links.of(uri)
	known = known && m.isOpen(linked.Toolbox)
	var listed []target
	for _, one := range m.List(ctx, downstream.Resources, nil) {
		m.listed.add(one.Item.Name, one.Server, false)
		if one.Item.Name != uri {
			continue
		}
		if known && one.Server == linked {
			return []target{{linked, uri}}, true
		}
		listed = append(listed, target{one.Server, uri})
	}
	switch {
	case len(listed) > 0:
		return listed[:1], true
	case known:
		return []target{{linked, uri}}, true
	}
	// A server that has listed the resource and is down is connected again. No other server may answer in its place.
	if owner, ok := m.listed.of(uri); ok && m.isOpen(owner.Toolbox) {
		return []target{{owner, uri}}, true
	}
	if server, ok := m.filledIn(m.List(ctx, downstream.Templates, nil), uri); ok {
		return []target{{server, uri}}, true
	}
	var last []target
	for _, l := range m.connected("resources") {
		switch t := (target{l.id(), uri}); {
		case pointsTo(l.session.Tools(), uri):
			return []target{t}, true
		case l.mute.Load():
			last = append(last, t)
		default:
			targets = append(targets, t)
		}
	}
	return append(targets, last...), false
}

// pointsTo reports whether one of the tools says in _meta that a resource is its user interface, as MCP Apps do.
func pointsTo(tools []downstream.Item, uri string) bool {
	return slices.ContainsFunc(tools, func(tool downstream.Item) bool {
		meta := jsonrpc.Lookup(tool.Definition, "_meta")
		for _, raw := range []json.RawMessage{jsonrpc.Lookup(jsonrpc.Lookup(meta, "ui"), "resourceUri"), jsonrpc.Lookup(meta, "ui/resourceUri")} {
			if text, ok := jsonrpc.String(raw); ok && text == uri {
				return true
			}
		}
		return false
	})
}

// SubscribeResource has the client told of updates of a resource until [Manager.UnsubscribeResource], also after its server was started
// again. The error is [ErrNoResource] for what no server lists, links to or has a template for.
func (m *Manager) SubscribeResource(ctx context.Context, uri string) error {
	targets, sure := m.find(ctx, uri)
	if !sure {
		return ErrNoResource
	}
	t := targets[0]
	if !m.subscriptions.add(uri, t) {
		return words.NewError("toolbox.too_many_subscriptions")
	}
	err := m.onLink(ctx, t.server, "resources/subscribe", func(l *link) error { return l.session.Subscribe(ctx, t.uri) })
	if err != nil {
		m.subscriptions.remove(uri)
	}
	return err
}

// UnsubscribeResource takes a subscription back. It is no error when there was none.
func (m *Manager) UnsubscribeResource(ctx context.Context, uri string) error {
	t, last := m.subscriptions.remove(uri)
	if !last || !m.isOpen(t.server.Toolbox) {
		return nil
	}
	return m.onLink(ctx, t.server, "resources/unsubscribe", func(l *link) error { return l.session.Unsubscribe(ctx, t.uri) })
}

// seeLinks remembers which resources a result links to.
func seeLinks(result json.RawMessage, found func(uri string)) {
	// The end of the word is looked for first: it is rarer than a quote, and so many times faster to miss in a long text.
	if !bytes.Contains(result, []byte(`_link"`)) || !bytes.Contains(result, []byte(`"resource_link"`)) {
		return
	}
	// A tool's result has content, a prompt's has messages with one content each. A missing member has no elements.
	content, _ := jsonrpc.Elements(jsonrpc.Lookup(result, "content"))
	messages, _ := jsonrpc.Elements(jsonrpc.Lookup(result, "messages"))
	for _, message := range messages {
		content = append(content, jsonrpc.Lookup(message, "content"))
	}
	for _, item := range content {
		if kind, _ := jsonrpc.String(jsonrpc.Lookup(item, "type")); kind != "resource_link" {
			continue
		}
		if uri, ok := jsonrpc.String(jsonrpc.Lookup(item, "uri")); ok {
			found(uri)
		}
	}
}

// Template returns the server that has a resource template or resource, and the server's own URI of it.
func (m *Manager) Template(ctx context.Context, uri string) (ServerID, string, error) {
	for _, kind := range []downstream.Kind{downstream.Templates, downstream.Resources} {
		for _, one := range m.List(ctx, kind, nil) {
			if one.Name == uri || one.Item.Name == uri {
				return one.Server, one.Item.Name, nil
			}
		}
	}
	return ServerID{}, "", ErrNoResource
}
