package downstream

import (
	"net/http"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestRemoteSaysWhatTheServerSays: the server's own words are part of the error, in whatever form they come,
// short, and without secrets.
func TestRemoteSaysWhatTheServerSays(t *testing.T) {
	const token = "tok_4711verysecret"
	for name, c := range map[string]struct {
		status     int
		body, want string
	}{
		"plain":          {500, "out of  disk\n", "500 (Internal Server Error); the server says: out of  disk"},
		"a framework":    {422, `{"detail":"model is loading"}`, "the server says: model is loading"},
		"a nested error": {402, `{"error":{"code":7,"message":"no credit left"}}`, "the server says: no credit left"},
		"OAuth": {401, `{"error":"invalid_token","error_description":"it has expired"}`,
			"may be wrong or have expired; the server says: it has expired"},
		"forbidden": {403, "your plan has no API", "the server says: your plan has no API"},
		"not there": {404, "use /v2/mcp", "check the address; the server says: use /v2/mcp"},
		"a page":    {502, "<html><head><title>502 Bad Gateway</title></head>", "502 (Bad Gateway)"},
		"a page with words": {503, "<html><title>We are moving</title><script>alert(1)</script>",
			"the server says: We are moving"},
		"its own secret": {500, "bad key " + token, "the server says: bad key •••"},
		"a hidden text":  {500, "a\x1b[31m\u202eb", "the server says: ab"},
		"JSON that ends": {500, `{"detail":"` + strings.Repeat("x", 5000), `the server says: {"detail":"xxx`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Connect(t.Context(),
				remoteOptions(config.TransportHTTP, answering(t, func(w http.ResponseWriter, _ *http.Request) {
					refusing(c.status, c.body)(w, nil)
				}), config.Variable{Name: "X-Api-Key", Value: token}))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), token) ||
				len(err.Error()) > 600 {
				t.Errorf("the error is %v", err)
			}
			if c.status == 502 && strings.Contains(err.Error(), "says") {
				t.Errorf("the error says twice the same: %v", err)
			}
		})
	}
}

// TestNoWayToTheLocalNetwork: macOS says "no route to host" of the local network until the person has allowed it.
func TestNoWayToTheLocalNetwork(t *testing.T) {
	for address, want := range map[string]words.Code{
		"http://192.168.1.20:8123/mcp": "downstream.local_network", "http://[fe80::1%25en0]/": "downstream.local_network",
		"http://NAS.local./mcp": "downstream.local_network",
		"http://nas:8080/mcp":   "downstream.local_network", "https://mcp.example.com/": "network.no_way_there",
		"http://localhost:1/": "network.no_way_there",
		"http://127.0.0.1:1/": "network.no_way_there", "": "network.no_way_there",
	} {
		if got := noWay("darwin", address); got.Code != want {
			t.Errorf("%s: %s", address, got.Code)
		}
		if got := noWay("linux", address); got.Code != "network.no_way_there" {
			t.Errorf("on Linux, %s: %s", address, got.Code)
		}
	}
}
