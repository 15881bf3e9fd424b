package toolbox

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrNoResource means that no server of an open toolbox has a resource, or that several have it.
const ErrNoResource = words.Code("toolbox.no_resource")

// Resources finds the servers of resources, and passes requests for resources to them.
type Resources struct {
	boxes         *boxes
	router        *router
	lists         *Lists
	references    *references // of the resources that results have linked to
	subscriptions *subscriptions
}

// find returns the server of a resource. That is the only server which lists the URI; if none does, the only one whose
// tools have it as their user interface, whose results have linked to it, or which has a template for it. No server is
// asked, since a URI may be secret. If several servers claim the URI, the client must use one of our URIs, which name
// the server.
func (r *Resources) find(ctx context.Context, uri string) (target, error) {
	if server, own, ok := parseAddress(uri); ok && r.boxes.isOpen(server.Toolbox) {
		if !r.claims(ctx, server, own) {
			return target{}, ErrNoResource
		}
		return target{server, own}, nil
	}
	t, err := r.claimed(ctx, uri)
	if err == ErrNoResource && r.awaitStarting(ctx) {
		t, err = r.claimed(ctx, uri)
	}
	if err != ErrNoResource || ctx.Err() != nil {
		return t, err
	}
	if silent := r.undecided(ctx); len(silent) > 0 {
		return t, words.NewError("toolbox.resource_not_yet", "Servers", silent).Because(ErrNoResource)
	}
	return t, err
}

// startPatience is how long a request for a resource that no server claims waits for servers that are starting.
const startPatience = 5 * time.Second

// awaitStarting waits for the servers of open toolboxes that are starting. It reports whether there were any.
func (r *Resources) awaitStarting(ctx context.Context) bool {
	limited, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	starting := r.boxes.starting()
	for _, l := range starting {
		select {
		case <-l.attempt.ready:
		case <-limited.Done():
		}
	}
	return len(starting) > 0
}

// undecided returns the names of the servers whose resources are not known yet.
func (r *Resources) undecided(ctx context.Context) (names []string) {
	for _, l := range r.boxes.starting() {
		names = append(names, l.id().String())
	}
	links := r.boxes.connected("resources")
	for _, kind := range []downstream.Kind{downstream.Resources, downstream.Templates} {
		_, silent := r.lists.items(ctx, kind, links)
		for server := range silent {
			if name := server.String(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names[:min(len(names), maxShared)]
}

// claimed returns the server that claims a URI, which is the server's own.
func (r *Resources) claimed(ctx context.Context, uri string) (target, error) {
	for _, claim := range []func() []ServerID{
		func() []ServerID { return r.listing(ctx, uri) },
		func() []ServerID { return r.pointing(uri) },
		func() []ServerID {
			return slices.DeleteFunc(r.references.of(uri), func(s ServerID) bool { return !r.boxes.isOpen(s.Toolbox) })
		},
		func() []ServerID { return r.filledIn(r.lists.named(ctx, downstream.Templates), uri) },
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

// claims reports whether a server claims a URI, or may claim it: it may if it is not connected or does not answer.
func (r *Resources) claims(ctx context.Context, server ServerID, uri string) bool {
	links := r.boxes.connected("resources")
	at := slices.IndexFunc(links, func(l *link) bool { return l.id() == server })
	if at < 0 {
		return true // the request then fails with the reason
	}
	if slices.Contains(r.references.of(uri), server) || slices.Contains(r.pointing(uri), server) {
		return true
	}
	for _, kind := range []downstream.Kind{downstream.Resources, downstream.Templates} {
		found, silent := r.lists.items(ctx, kind, links[at:at+1])
		if silent[server] {
			return true
		}
		for i, one := range found[0] {
			if one.Name == uri {
				return true
			}
			if kind == downstream.Templates && i < maxFilledIn && len(uri) <= maxMatched {
				if matches, nearly, _ := matchTemplate(one.Name, uri); matches || nearly {
					return true
				}
			}
		}
	}
	return false
}

// maxShared is how many servers an error names.
const maxShared = 10

// shared returns the error for a URI that several servers claim.
func shared(uri string, servers []ServerID) error {
	var addresses []string
	for _, server := range servers[:min(len(servers), maxShared)] {
		addresses = append(addresses, downstream.Clean(address(server, uri), maxOwned))
	}
	return words.NewError("toolbox.resource_shared", "Addresses", addresses).Because(ErrNoResource)
}

// listing returns the servers that list a URI, or listed it before they went down.
func (r *Resources) listing(ctx context.Context, uri string) (servers []ServerID) {
	for _, one := range r.lists.named(ctx, downstream.Resources) {
		if one.Item.Name == uri {
			servers = append(servers, one.Server)
		}
	}
	return servers
}

// pointing returns the servers with a tool whose user interface is at a URI.
func (r *Resources) pointing(uri string) (servers []ServerID) {
	for _, l := range r.boxes.connected("resources") {
		if pointsTo(l.session.Tools(), uri) {
			servers = append(servers, l.id())
		}
	}
	return servers
}

// pointsTo reports whether the _meta of a tool says that its user interface is at a URI. MCP Apps and the apps of
// ChatGPT use different members for that.
func pointsTo(tools []downstream.Item, uri string) bool {
	return slices.ContainsFunc(tools, func(tool downstream.Item) bool {
		meta := jsonrpc.Lookup(tool.Definition, "_meta")
		for _, raw := range []json.RawMessage{
			jsonrpc.Lookup(jsonrpc.Lookup(meta, "ui"), "resourceUri"),
			jsonrpc.Lookup(meta, "ui/resourceUri"),
			jsonrpc.Lookup(meta, "openai/outputTemplate"),
		} {
			if text, ok := jsonrpc.String(raw); ok && text == uri {
				return true
			}
		}
		return false
	})
}

// filledIn returns the servers that have a template from which a URI can be made. Many servers write "file:///{path}"
// and mean a path of several parts; such a server counts only if no template matches exactly. Templates that begin
// with a variable are ignored, since they would match any URI.
func (r *Resources) filledIn(templates []Listed, uri string) (servers []ServerID) {
	var exact, roughly []ServerID
	compared := map[ServerID]int{}
	for _, one := range templates {
		fixed, _, _ := strings.Cut(one.Item.Name, "{")
		if len(uri) > maxMatched || !strings.Contains(fixed, ":") || !strings.HasPrefix(uri, fixed) ||
			compared[one.Server] == maxFilledIn {
			continue
		}
		compared[one.Server]++
		matches, nearly, err := matchTemplate(one.Item.Name, uri)
		switch {
		case err != nil:
			if l := r.boxes.linkOf(one.Server); l != nil {
				l.said.template.Do(func() {
					shown := one.Item.Name[:min(len(one.Item.Name), maxName)]
					l.journal.say(words.New("toolbox.template_unusable", "Template", shown, "Why", err))
				})
			}
		case matches && !slices.Contains(exact, one.Server):
			exact = append(exact, one.Server)
		case nearly && !slices.Contains(roughly, one.Server):
			roughly = append(roughly, one.Server)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return roughly
}
