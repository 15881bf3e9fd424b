package toolbox

import (
	"context"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Read sends resources/read to the server of a resource. call has the other params of the client, without uri. Read
// calls trying with the server before it sends the request. The error is [ErrNoResource], or one of [Manager.Request].
func (r *Resources) Read(ctx context.Context, uri string, call downstream.Call,
	trying func(ServerID)) ([]jsonrpc.Member, error) {
	t, err := r.find(ctx, uri)
	if err != nil {
		return nil, err
	}
	trying(t.server)
	call.Method = "resources/read"
	call.Params = append(slices.Clone(call.Params), jsonrpc.Member{Name: "uri", Value: jsonrpc.AppendString(nil, t.uri)})
	result, err := r.router.request(ctx, t.server, call)
	if err != nil {
		return nil, err
	}
	r.references.add(t.uri, t.server) // so that another server with a matching template does not get the next request
	if t.uri != uri {
		result = renameContents(result, t.uri, uri)
	}
	return result, nil
}

// renameContents replaces the server's own URI in the contents of a result by the client's.
func renameContents(result []jsonrpc.Member, own, uri string) []jsonrpc.Member {
	contents, err := jsonrpc.Elements(jsonrpc.ValueOf(result, "contents"))
	if err != nil {
		return result
	}
	for i, content := range contents {
		if text, _ := jsonrpc.String(jsonrpc.Lookup(content, "uri")); text == own {
			contents[i] = withURI(content, uri)
		}
	}
	return jsonrpc.With(result, "contents", jsonrpc.AppendArray(nil, contents, jsonrpc.AppendValue))
}

// Subscribe subscribes the client to a resource until [Resources.Unsubscribe]. The subscription is renewed when the
// server is restarted. The error is [ErrNoResource] if no server claims the URI.
func (r *Resources) Subscribe(ctx context.Context, uri string) error {
	t, err := r.find(ctx, uri)
	if err != nil {
		return err
	}
	if !r.subscriptions.add(uri, t) {
		return words.NewError("toolbox.too_many_subscriptions")
	}
	err = r.router.onLink(ctx, t.server, "resources/subscribe", func(l *link) error {
		return l.session.Subscribe(ctx, t.uri)
	})
	if err != nil {
		r.subscriptions.remove(uri)
	}
	return err
}

// Unsubscribe ends a subscription. It is not an error if there is none.
func (r *Resources) Unsubscribe(ctx context.Context, uri string) error {
	t, last := r.subscriptions.remove(uri)
	if !last || !r.boxes.isOpen(t.server.Toolbox) {
		return nil
	}
	return r.router.onLink(ctx, t.server, "resources/unsubscribe", func(l *link) error {
		return l.session.Unsubscribe(ctx, t.uri)
	})
}

// Template returns the server of a resource template or resource, and the server's own URI of it. uri may also be made
// from a template. The error is [ErrNoResource].
func (r *Resources) Template(ctx context.Context, uri string) (ServerID, string, error) {
	for _, kind := range []downstream.Kind{downstream.Templates, downstream.Resources} {
		var servers []ServerID
		for _, one := range r.lists.List(ctx, kind, nil) {
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
	t, err := r.find(ctx, uri)
	return t.server, t.uri, err
}
