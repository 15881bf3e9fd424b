package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/network"
)

// refusal is the error for an address that must not be read.
type refusal struct{ why string }

func (r *refusal) Error() string { return r.why }

// inside returns the refusal of an address that is not public.
func inside(host string) *refusal {
	return &refusal{host + " is on this computer or its network. Such addresses are read only if the person adds " +
		"--private to the arguments of this server"}
}

// newClient returns a client that connects only to public addresses, unless private is set.
func newClient(private bool) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	transport := network.Transport(os.Getenv)
	transport.DialContext, transport.ResponseHeaderTimeout, transport.MaxResponseHeaderBytes = dialer.DialContext, timeLimit, 1<<20
	client := &http.Client{Transport: transport, CheckRedirect: func(request *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("there are more than %d redirects", maxRedirects)
		}
		_, err := addressOf(request.URL.String())
		return err
	}}
	if private {
		return client
	}
	// The IP address is checked when it is dialled, so that the name cannot have another address by then.
	dialer.Control = func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !public(at.Addr()) {
			return inside(address)
		}
		return nil
	}
	// A proxy resolves names itself, and is often in the local network. So only the names can be checked.
	proxies := transport.Proxy
	through := func(request *http.Request) (*url.URL, error) {
		proxy, err := proxies(request)
		if proxy != nil && !publicName(request.URL.Hostname()) {
			return nil, inside(request.URL.Host)
		}
		return proxy, err
	}
	direct := transport.Clone()
	direct.Proxy = nil
	proxied := transport.Clone()
	proxied.Proxy, proxied.DialContext = through, (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	client.Transport = chosen{proxies, direct, proxied}
	return client
}

// chosen sends a request directly or through the proxy of the environment.
type chosen struct {
	proxies         func(*http.Request) (*url.URL, error)
	direct, proxied http.RoundTripper
}

func (c chosen) RoundTrip(request *http.Request) (*http.Response, error) {
	if proxy, err := c.proxies(request); proxy != nil || err != nil {
		return c.proxied.RoundTrip(request)
	}
	return c.direct.RoundTrip(request)
}

// public reports whether an address is on the public internet (IANA's special-purpose registries).
func public(address netip.Addr) bool {
	address = address.Unmap()
	for _, special := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"240.0.0.0/4",
		"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "5f00::/16", "fec0::/10",
	} {
		if netip.MustParsePrefix(special).Contains(address) {
			return false
		}
	}
	return address.IsGlobalUnicast() && !address.IsPrivate()
}

// publicName reports whether a name or address may be on the public internet. Names are not resolved.
func publicName(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if address, err := netip.ParseAddr(name); err == nil {
		return public(address)
	}
	for _, end := range []string{"localhost", "local", "internal", "intranet", "lan", "home.arpa"} {
		if name == end || strings.HasSuffix(name, "."+end) {
			return false
		}
	}
	return strings.Contains(name, ".")
}
