package toolbox

import (
	"net/url"
	"strings"
)

// Scheme begins the URIs that are ours.
const Scheme = "workbench://"

// addressPrefix begins our address of a resource whose URI two servers have. Toolbox and server follow, escaped, and then
// the server's own URI or URI template as it is, so that a template can be filled in.
const addressPrefix = Scheme + "from/"

// address returns our URI for a resource, made from its server and the server's own URI.
func address(server ServerID, uri string) string {
	return addressPrefix + url.PathEscape(server.Toolbox) + "/" + url.PathEscape(server.Server) + "/" + uri
}

// parseAddress splits a URI that address has made into the server and the server's own URI.
func parseAddress(uri string) (server ServerID, own string, ok bool) {
	rest, ok := strings.CutPrefix(uri, addressPrefix)
	if !ok {
		return server, "", false
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
	return ServerID{toolbox, name}, parts[2], true
}
