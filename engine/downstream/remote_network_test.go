package downstream

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestProxyThatRefuses: a proxy of an organisation that wants a password is named, not the server behind it.
func TestProxyThatRefuses(t *testing.T) {
	proxy, err := url.Parse(answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			w.Header().Set("Proxy-Authenticate", "Basic realm=corp")
			w.WriteHeader(http.StatusProxyAuthRequired)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	silent, err := url.Parse("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	for want, through := range map[string]*url.URL{"does not let it through: 407 Proxy": proxy, "the proxy does not answer": silent} {
		client := newHTTPClient(1<<20, nil)
		client.Transport.(*boundedTransport).base.(*http.Transport).Proxy = http.ProxyURL(through)
		response, err := client.Get("https://mcp.example.com/mcp")
		if err == nil {
			response.Body.Close()
		}
		if err == nil || !strings.Contains(words.Of(err).String(), want) {
			t.Errorf("%v is said as %q, want %q", err, words.Of(err), want)
		}
	}
}

// TestUntrustedCertificate: what to do about a certificate that nobody vouches for is said without the words of the
// library.
func TestUntrustedCertificate(t *testing.T) {
	server := httptest.NewTLSServer(scripted(nil))
	t.Cleanup(server.Close)
	_, err := Connect(t.Context(), remoteOptions(config.TransportHTTP, server.URL))
	if err == nil || !strings.Contains(err.Error(), "from nobody whom this computer trusts") || strings.Contains(err.Error(), "x509") {
		t.Errorf("the error is %v", err)
	}

	// An organisation's own, which the person has named for other programs.
	file := filepath.Join(t.TempDir(), "company.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	o := remoteOptions(config.TransportHTTP, server.URL)
	o.Environ = []string{"NODE_EXTRA_CA_CERTS=" + file}
	session, err := Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
