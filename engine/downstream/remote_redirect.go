package downstream

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxRedirects is how many redirects of one request are followed.
const maxRedirects = 5

// redirectError is why a redirect was not followed.
type redirectError struct{ error }

func (e *redirectError) Text() words.Text { return words.Of(e.error) }

// checkRedirect allows redirects only to the same host, since the headers may have tokens, and Go removes only
// Authorization and Cookie. It refuses redirects that turn a POST into a GET (301, 302 and 303).
func checkRedirect(next *http.Request, before []*http.Request) error {
	first := before[0]
	switch {
	case !sameHost(first.URL, next.URL) || first.Method != next.Method:
		return &redirectError{words.NewError("downstream.redirect_elsewhere", "Address", shownAddress(next.URL))}
	case len(before) >= maxRedirects:
		return &redirectError{words.NewError("downstream.redirect_loop")}
	}
	return nil
}

// sameHost reports whether two addresses have the same host and port. A redirect from http to https with the default
// ports is allowed, too.
func sameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	switch {
	case from.Scheme == to.Scheme:
		return port(from) == port(to)
	case from.Scheme == "http" && to.Scheme == "https":
		return port(from) == "80" && port(to) == "443"
	}
	return false
}

func port(address *url.URL) string {
	switch port := address.Port(); {
	case port != "":
		return port
	case address.Scheme == "https":
		return "443"
	}
	return "80"
}
