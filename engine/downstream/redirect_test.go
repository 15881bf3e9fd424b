package downstream

import (
	"net/http"
	"net/url"
	"testing"
)

// TestRedirects: a redirect is followed only on the same host, never from https to http, and at most five
// times, since the requests contain tokens.
func TestRedirects(t *testing.T) {
	client := newHTTPClient(1 << 20)
	request := func(address string) *http.Request {
		parsed, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return &http.Request{URL: parsed}
	}
	for _, c := range []struct {
		from, to string
		hops     int
		want     bool
	}{
		{"https://a.example/x", "https://a.example/y", 1, true},
		{"http://a.example/x", "http://a.example/y", 1, true},
		{"https://a.example/x", "http://a.example/x", 1, false},
		{"https://a.example/x", "https://b.example/x", 1, false},
		{"https://a.example/x", "https://a.example:8443/x", 1, false},
		{"http://a.example/x", "http://b.example/x", 1, false},
		{"https://a.example/x", "https://a.example/y", 4, true},
		{"https://a.example/x", "https://a.example/y", 5, false},
	} {
		before := []*http.Request{request(c.from)}
		for len(before) < c.hops {
			before = append(before, request(c.from))
		}
		if err := client.CheckRedirect(request(c.to), before); (err == nil) != c.want {
			t.Errorf("from %s to %s after %d: %v", c.from, c.to, c.hops, err)
		}
	}
}
