package toolbox

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Scheme begins the URIs of our own resources.
const Scheme = "workbench://"

// addressPrefix begins our URI of a server's resource. It is used if two servers have the same URI, or if the server's
// own URI is not a valid one. The escaped names of toolbox and server follow, and then the server's own URI or URI
// template, which is not escaped so that clients can fill in a template.
const addressPrefix = Scheme + "from/"

// pageScheme begins the URIs of the pages of MCP Apps. Clients require it. Servers made from the same examples use the
// same URIs, so clients see each page under a URI of ours, which begins with pagePrefix.
const (
	pageScheme = "ui://"
	pagePrefix = pageScheme + "workbench/"
)

// address returns our URI for a resource of a server. uri is the server's own URI.
func address(server ServerID, uri string) string {
	place := url.PathEscape(server.Toolbox) + "/" + url.PathEscape(server.Server) + "/"
	if own, isPage := strings.CutPrefix(uri, pageScheme); isPage {
		return pagePrefix + place + own
	}
	return addressPrefix + place + uri
}

// parseAddress splits a URI made by address into the server and the server's own URI.
func parseAddress(uri string) (server ServerID, own string, ok bool) {
	rest, isPage := strings.CutPrefix(uri, pagePrefix)
	if !isPage {
		if rest, ok = strings.CutPrefix(uri, addressPrefix); !ok {
			return server, "", false
		}
	}
	parts := strings.SplitN(rest, "/", 3)
	if len(parts) < 3 {
		return server, "", false
	}
	toolbox, err := url.PathUnescape(parts[0])
	if err != nil {
		return server, "", false
	}
	name, err := url.PathUnescape(parts[1])
	if err != nil {
		return server, "", false
	}
	if isPage {
		return ServerID{toolbox, name}, pageScheme + parts[2], true
	}
	return ServerID{toolbox, name}, parts[2], true
}

// needsAddress reports whether clients see a server's URI only as one of ours. These are pages, URIs with our scheme,
// and strings that are not URIs: clients in Python refuse a list that has one.
func needsAddress(uri string) bool {
	if strings.HasPrefix(uri, pageScheme) || strings.HasPrefix(uri, Scheme) {
		return true
	}
	fixed, _, _ := strings.Cut(uri, "{") // of a template
	scheme, _, ok := strings.Cut(fixed, ":")
	if !ok {
		return !strings.Contains(uri, "{") // a template may make the scheme
	}
	return scheme == "" || strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" ||
		!(scheme[0]|0x20 >= 'a' && scheme[0]|0x20 <= 'z')
}

// withURI returns a copy of an object with its member uri replaced.
func withURI(object json.RawMessage, uri string) json.RawMessage {
	return jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(object), "uri", jsonrpc.AppendString(nil, uri)))
}

// referencesIn calls found with the URI of each resource that a result links to or contains.
func referencesIn(result []jsonrpc.Member, found func(uri string)) {
	// the usual case, without parsing
	if !slices.ContainsFunc(result, func(m jsonrpc.Member) bool { return bytes.Contains(m.Value, []byte(`"uri"`)) }) {
		return
	}
	// A tool's result has content, a prompt's has messages with one content each, and a resource's has contents.
	content, _ := jsonrpc.Elements(jsonrpc.ValueOf(result, "content"))
	messages, _ := jsonrpc.Elements(jsonrpc.ValueOf(result, "messages"))
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
	contents, _ := jsonrpc.Elements(jsonrpc.ValueOf(result, "contents"))
	for _, part := range contents {
		named(part)
	}
}

// OwnPages returns the _meta of a definition or result with the URIs of the server's pages replaced by ours.
func OwnPages(server ServerID, meta json.RawMessage) json.RawMessage {
	if !bytes.Contains(meta, []byte(pageScheme)) {
		return meta
	}
	members := jsonrpc.Split(meta)
	for i, m := range members {
		switch m.Name {
		case "ui/resourceUri", "openai/outputTemplate":
			members[i].Value = ownPage(server, m.Value)
		case "ui":
			if raw := jsonrpc.Lookup(m.Value, "resourceUri"); raw != nil {
				ui := jsonrpc.With(jsonrpc.Split(m.Value), "resourceUri", ownPage(server, raw))
				members[i].Value = jsonrpc.AppendObject(nil, ui)
			}
		}
	}
	return jsonrpc.AppendObject(nil, members)
}

// ownPage returns our URI for the URI of a page. It returns other values unchanged.
func ownPage(server ServerID, raw json.RawMessage) json.RawMessage {
	if uri, ok := jsonrpc.String(raw); ok && strings.HasPrefix(uri, pageScheme) {
		return jsonrpc.AppendString(nil, address(server, uri))
	}
	return raw
}

// withOwnPages returns a result with the URIs of the server's pages replaced by ours, in its _meta and in its links.
func withOwnPages(server ServerID, result []jsonrpc.Member) []jsonrpc.Member {
	meta := jsonrpc.ValueOf(result, "_meta")
	if own := OwnPages(server, meta); !bytes.Equal(meta, own) {
		result = jsonrpc.With(result, "_meta", own)
	}
	content := jsonrpc.ValueOf(result, "content")
	if !bytes.Contains(content, []byte(`"`+pageScheme)) || !bytes.Contains(content, []byte(`"resource_link"`)) {
		return result
	}
	items, _ := jsonrpc.Elements(content)
	for i, item := range items {
		if kind, _ := jsonrpc.String(jsonrpc.Lookup(item, "type")); kind == "resource_link" {
			uri := ownPage(server, jsonrpc.Lookup(item, "uri"))
			items[i] = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(item), "uri", uri))
		}
	}
	if len(items) == 0 {
		return result
	}
	return jsonrpc.With(result, "content", jsonrpc.AppendArray(nil, items, jsonrpc.AppendValue))
}
