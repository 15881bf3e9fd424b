package downstream

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxRedirects is how often one request is sent on.
const maxRedirects = 5

// redirectError says why a request was not sent on to another address.
type redirectError struct{ error }

func (e *redirectError) Text() words.Text { return words.Of(e.error) }

// checkRedirect follows redirects only to the same host, since the headers contain tokens, and Go removes
// only Authorization and Cookie. It does not follow those that make another request of a post (301, 302 and
// 303), which would lose what was asked.
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

// sameHost reports whether two addresses have the same host and port. An address with https may follow one
// with http, if both have the usual port.
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
