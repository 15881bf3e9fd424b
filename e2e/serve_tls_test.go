package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServeForOtherComputers: with a certificate, a name of its own and another header for the token, clients reach it
// by that name over TLS alone, and the usual header counts for nothing.
func TestServeForOtherComputers(t *testing.T) {
	const name = "workbench.example.org"
	w := newWorkshop(t)
	w.save(ordered{})
	cert, key, known := certificate(t, w.home, name)
	s := w.serve("--cert", cert, "--key", key, "--host", name, "--token-header", "X-Workbench-Token")
	if !strings.HasPrefix(s.address, "https://127.0.0.1:") {
		t.Errorf("the address is %s", s.address)
	}
	token := s.token("add", "app")
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: known, ServerName: name}}}
	defer client.CloseIdleConnections()
	ask := func(path, host, header, value string) int {
		t.Helper()
		method, body := http.MethodGet, ""
		if path == "/mcp" {
			method, body = http.MethodPost, greeting
		}
		r, err := http.NewRequestWithContext(t.Context(), method, strings.TrimSuffix(s.address, "/mcp")+path,
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(header, value)
		r.Header.Set("Origin", "https://"+host)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body) // only the status matters
		return answer.StatusCode
	}
	for _, one := range []struct {
		path, host, header, value string
		status                    int
	}{
		{"/mcp", name, "X-Workbench-Token", token, http.StatusOK},
		{"/mcp", name, "X-Workbench-Token", "Bearer " + token, http.StatusOK},
		{"/mcp", name, "Authorization", "Bearer " + token, http.StatusUnauthorized},
		{"/mcp", "another.example.org", "X-Workbench-Token", token, http.StatusForbidden},
		{"/healthz", name, "X", "", http.StatusOK},
		{"/readyz", name, "X", "", http.StatusOK},
		{"/readyz", "another.example.org", "X", "", http.StatusForbidden},
	} {
		if status := ask(one.path, one.host, one.header, one.value); status != one.status {
			t.Errorf("%s at %s with %s: %d, want %d", one.path, one.host, one.header, status, one.status)
		}
	}
	plain, err := http.Get("http" + strings.TrimPrefix(s.address, "https"))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Body.Close()
	if plain.StatusCode != http.StatusBadRequest {
		t.Errorf("without TLS: %s", plain.Status)
	}
}

// certificate writes a certificate for a name and its key into a folder, and returns their files and who trusts it.
func certificate(t *testing.T, folder, name string) (cert, key string, known *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(time.Hour)}
	raw, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: raw},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	known = x509.NewCertPool()
	known.AddCert(parsed)
	return cert, key, known
}
