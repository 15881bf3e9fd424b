package network

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// environment looks up variables in a map.
func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

// TestCertificatesOfAnOrganisation checks that each of the variables makes a certificate count that the system does
// not know, besides those that it knows, and that what is wrong in them changes nothing.
func TestCertificatesOfAnOrganisation(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	folder := t.TempDir()
	file := filepath.Join(folder, "company.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	wrong := filepath.Join(t.TempDir(), "wrong.pem")
	for name, content := range map[string][]byte{file: text, wrong: []byte("no certificate")} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		variables map[string]string
		trusted   bool
	}{
		{nil, false},
		{map[string]string{"NODE_EXTRA_CA_CERTS": file}, true},
		{map[string]string{"SSL_CERT_FILE": file}, true},
		{map[string]string{"SSL_CERT_DIR": t.TempDir() + string(filepath.ListSeparator) + folder}, true},
		{map[string]string{"SSL_CERT_FILE": wrong, "NODE_EXTRA_CA_CERTS": file, "SSL_CERT_DIR": "/no/such/folder"}, true},
		{map[string]string{"NODE_EXTRA_CA_CERTS": wrong}, false},
		{map[string]string{"NODE_EXTRA_CA_CERTS": folder}, false},
		{map[string]string{"SSL_CERT_FILE": filepath.Join(folder, "gone.pem")}, false},
	} {
		for kind, base := range map[string]http.RoundTripper{"now": Transport(environment(test.variables)),
			"later": Later(environment(test.variables))} {
			client := http.Client{Transport: base}
			response, err := client.Get(server.URL)
			if err == nil {
				response.Body.Close()
			}
			if (err == nil) != test.trusted {
				t.Errorf("%v, %s: %v", test.variables, kind, err)
			}
		}
	}
}

func TestProxies(t *testing.T) {
	for _, c := range []struct {
		variables map[string]string
		want      string // the proxy for https://nodejs.org
	}{
		{map[string]string{"all_proxy": "http://proxy.example.org"}, "http://proxy.example.org"},
		{map[string]string{"ALL_PROXY": "http://other.example.org", "https_proxy": "http://proxy.example.org"},
			"http://proxy.example.org"},
		{map[string]string{"HTTPS_PROXY": "http://proxy.example.org", "no_proxy": "nodejs.org"}, "<nil>"},
		{map[string]string{"HTTP_PROXY": "http://proxy.example.org"}, "<nil>"},
		{nil, "<nil>"},
	} {
		request := &http.Request{URL: &url.URL{Scheme: "https", Host: "nodejs.org"}}
		got, err := Transport(environment(c.variables)).Proxy(request)
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("with %v, nodejs.org is reached through %v, %v, want %s", c.variables, got, err, c.want)
		}
	}
}
