// Package network reaches other computers as the user's other programs do: through the proxies of an environment, and
// trusting the certificates that it names.
package network

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/net/http/httpproxy"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// Limits of what is read for certificates. The files of systems have 250 kB and 300 files.
const (
	maxFile  = 16 << 20 // bytes
	maxFiles = 2000     // in a folder
)

// UserAgent is what the program calls itself to web servers. The name that Go gives is refused where bots are.
const UserAgent = "workbench-desktop"

// Transport returns a transport that follows the proxies of an environment. It trusts the certificates of the system
// and those that the environment names.
func Transport(getenv func(name string) string) *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = proxy(getenv)
	if roots := roots(getenv); roots != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return transport
}

// Later returns what [Transport] does. It looks at the environment when the first request is sent, since it may be the
// one of the user's shell, which takes a while.
func Later(getenv func(name string) string) http.RoundTripper {
	return later{sync.OnceValue(func() *http.Transport { return Transport(getenv) })}
}

type later struct{ transport func() *http.Transport }

func (l later) RoundTrip(request *http.Request) (*http.Response, error) {
	return l.transport().RoundTrip(request)
}

// proxy returns the function that says which proxy of an environment a request takes. ALL_PROXY is used for a scheme
// without a variable of its own.
func proxy(getenv func(name string) string) func(*http.Request) (*url.URL, error) {
	first := func(names ...string) string {
		for _, name := range names {
			if value := getenv(name); value != "" {
				return value
			}
		}
		return ""
	}
	through := (&httpproxy.Config{
		HTTPProxy:  first("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"),
		HTTPSProxy: first("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"),
		NoProxy:    first("NO_PROXY", "no_proxy"),
	}).ProxyFunc()
	return func(request *http.Request) (*url.URL, error) { return through(request.URL) }
}

// roots returns the certificates that are trusted if an environment names any; nil means those of the system.
//
// Organisations that look into encrypted connections have a certificate of their own. Where the system does not know
// it, people name it for their other programs: NODE_EXTRA_CA_CERTS for Node.js, SSL_CERT_FILE and SSL_CERT_DIR for
// what uses OpenSSL. Go knows the latter two on Linux alone, and only if the process was started with them. What
// cannot be read is left out.
func roots(getenv func(name string) string) *x509.CertPool {
	var files []string
	for _, name := range []string{"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"} {
		if file := getenv(name); file != "" {
			files = append(files, file)
		}
	}
	for _, folder := range filepath.SplitList(getenv("SSL_CERT_DIR")) {
		entries, _ := os.ReadDir(folder)
		for _, entry := range entries[:min(len(entries), maxFiles)] {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	if len(files) == 0 {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	for _, file := range files {
		if text, err := atomicfile.Read(file, maxFile); err == nil {
			pool.AppendCertsFromPEM(text)
		}
	}
	return pool
}
