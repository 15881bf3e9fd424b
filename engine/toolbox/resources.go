package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrNoResource means that no server of an open toolbox has a resource, or that several do.
const ErrNoResource = words.Code("toolbox.no_resource")

// target is a resource as its server knows it.
type target struct {
	server ServerID
	uri    string
}

// ReadResource passes resources/read to the server that has the resource. call holds what else the client sent; its params
// must not have a uri. ReadResource calls trying with the server before it passes the request to it. The error is
// [ErrNoResource], or as [Manager.Request] tells.
func (m *Manager) ReadResource(ctx context.Context, uri string, call downstream.Call, trying func(ServerID)) (json.RawMessage, error) {
	t, err := m.find(ctx, uri)
	if err != nil {
		return nil, err
	}
	trying(t.server)
	call.Method = "resources/read"
	call.Params = append(slices.Clone(call.Params), jsonrpc.Member{Name: "uri", Value: jsonrpc.AppendString(nil, t.uri)})
	result, err := m.Request(ctx, t.server, call)
	if err != nil {
		return nil, err
	}
	m.linked.add(t.uri, t.server) // another server whose template it matches, too, does not take it over
	if t.uri != uri {
		result = renameContents(result, t.uri, uri)
	}
	return result, nil
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

// find returns the server that has a resource. A URI is its server's: that of the only server which lists it, or else
// whose tools point to it, which links to it, or which has a template for it. No other server is asked, since a URI may be
// secret. When several servers claim it, only addresses of ours can tell which of them is meant.
func (m *Manager) find(ctx context.Context, uri string) (target, error) {
	if server, own, ok := parseAddress(uri); ok && m.isOpen(server.Toolbox) {
		return target{server, own}, nil
	}
	t, err := m.claimed(ctx, uri)
	if err == ErrNoResource && m.awaitStarting(ctx) {
		t, err = m.claimed(ctx, uri)
	}
	if err != ErrNoResource || ctx.Err() != nil {
		return t, err
	}
	if silent := m.undecided(ctx); len(silent) > 0 {
		return t, words.NewError("toolbox.resource_not_yet", "Servers", silent).Because(ErrNoResource)
	}
	return t, err
}

// startPatience is how long a request for a resource that no server claims waits for servers that are being started.
const startPatience = 5 * time.Second

// awaitStarting waits for the servers of open toolboxes that are being started. It reports whether there were any.
func (m *Manager) awaitStarting(ctx context.Context) bool {
	limited, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	starting := m.starting()
	for _, l := range starting {
		select {
		case <-l.attempt.ready:
		case <-limited.Done():
		}
	}
	return len(starting) > 0
}

// starting returns the links of open toolboxes that are being connected.
func (m *Manager) starting() (links []*link) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.open {
		for _, l := range b.all() {
			if !l.settled() {
				links = append(links, l)
			}
		}
	}
	return links
}

// undecided returns the names of the servers of which it is not known yet which resources they have.
func (m *Manager) undecided(ctx context.Context) (names []string) {
	for _, l := range m.starting() {
		names = append(names, l.id().String())
	}
	links := m.connected("resources")
	for _, kind := range []downstream.Kind{downstream.Resources, downstream.Templates} {
		_, silent := m.items(ctx, kind, links)
		for server := range silent {
			if name := server.String(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names[:min(len(names), maxShared)]
}

// claimed returns the server that claims a resource by its own URI.
func (m *Manager) claimed(ctx context.Context, uri string) (target, error) {
	for _, claim := range []func() []ServerID{
		func() []ServerID { return m.listing(ctx, uri) },
		func() []ServerID { return m.pointing(uri) },
		func() []ServerID {
			return slices.DeleteFunc(m.linked.of(uri), func(s ServerID) bool { return !m.isOpen(s.Toolbox) })
		},
		func() []ServerID { return m.filledIn(m.named(ctx, downstream.Templates), uri) },
	} {
		switch servers := claim(); len(servers) {
		case 0:
		case 1:
			return target{servers[0], uri}, nil
		default:
			return target{}, shared(uri, servers)
		}
	}
	return target{}, ErrNoResource
}

// maxShared is how many of the servers that share a URI are named.
const maxShared = 10

// shared is the error for a URI that several servers claim.
func shared(uri string, servers []ServerID) error {
	var addresses []string
	for _, server := range servers[:min(len(servers), maxShared)] {
		addresses = append(addresses, downstream.Clean(address(server, uri), maxOwned))
	}
	return words.NewError("toolbox.resource_shared", "Addresses", addresses).Because(ErrNoResource)
}

// listing returns the servers that list a resource, and those that did and are down now.
func (m *Manager) listing(ctx context.Context, uri string) (servers []ServerID) {
	for _, one := range m.named(ctx, downstream.Resources) {
		if one.Item.Name == uri {
			servers = append(servers, one.Server)
		}
	}
	return servers
}

// pointing returns the servers one of whose tools says in _meta that a resource is its user interface.
func (m *Manager) pointing(uri string) (servers []ServerID) {
	for _, l := range m.connected("resources") {
		if pointsTo(l.session.Tools(), uri) {
			servers = append(servers, l.id())
		}
	}
	return servers
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
	t, err := m.find(ctx, uri)
	if err != nil {
		return err
	}
	if !m.subscriptions.add(uri, t) {
		return words.NewError("toolbox.too_many_subscriptions")
	}
	err = m.onLink(ctx, t.server, "resources/subscribe", func(l *link) error { return l.session.Subscribe(ctx, t.uri) })
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

// linksOf calls found for the resources that a result links to, or has a part of.
func linksOf(result json.RawMessage, found func(uri string)) {
	if !bytes.Contains(result, []byte(`"uri"`)) { // much faster
		return
	}
	// A tool's result has content, a prompt's has messages with one content each, and a resource has contents. A missing
	// member has no elements.
	content, _ := jsonrpc.Elements(jsonrpc.Lookup(result, "content"))
	messages, _ := jsonrpc.Elements(jsonrpc.Lookup(result, "messages"))
	for _, message := range messages {
		content = append(content, jsonrpc.Lookup(message, "content"))
	}
	named := func(object json.RawMessage) {
		if uri, ok := jsonrpc.String(jsonrpc.Lookup(object, "uri")); ok {
			found(uri)
		}
	}
	for _, item := range content {
		switch kind, _ := jsonrpc.String(jsonrpc.Lookup(item, "type")); kind {
		case "resource_link":
			named(item)
		case "resource":
			named(jsonrpc.Lookup(item, "resource"))
		}
	}
	contents, _ := jsonrpc.Elements(jsonrpc.Lookup(result, "contents"))
	for _, part := range contents {
		named(part)
	}
}

// Template returns the server that has a resource template or resource, and the server's own URI of it. The URI may also be
// one that was made from a template. The error is [ErrNoResource].
func (m *Manager) Template(ctx context.Context, uri string) (ServerID, string, error) {
	for _, kind := range []downstream.Kind{downstream.Templates, downstream.Resources} {
		var servers []ServerID
		for _, one := range m.List(ctx, kind, nil) {
			if one.Name == uri {
				return one.Server, one.Item.Name, nil
			}
			if one.Item.Name == uri {
				servers = append(servers, one.Server)
			}
		}
		if len(servers) > 0 { // listed under addresses of ours
			return ServerID{}, "", shared(uri, servers)
		}
	}
	t, err := m.find(ctx, uri)
	return t.server, t.uri, err
}
