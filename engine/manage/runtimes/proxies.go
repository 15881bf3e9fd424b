package runtimes

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// proxies are the proxies in an environment. Package httpproxy can read them too, but adds tables of all
// international domain names, 150 kB, to the program. A test checks that both give the same results.
type proxies struct {
	http, https string
	without     []string // places that are reached without a proxy
}

func proxiesOf(getenv func(string) string) proxies {
	first := func(names ...string) string {
		for _, name := range names {
			if value := getenv(name); value != "" {
				return value
			}
		}
		return ""
	}
	return proxies{
		http:    first("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"),
		https:   first("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"),
		without: strings.Split(strings.ToLower(first("NO_PROXY", "no_proxy")), ","),
	}
}

// of returns the proxy for an address, or nil.
func (p proxies) of(address *url.URL) *url.URL {
	proxy := p.https
	if address.Scheme == "http" {
		proxy = p.http
	}
	if proxy == "" || p.reaches(address) {
		return nil
	}
	parsed, err := url.Parse(proxy)
	if err != nil || parsed.Scheme == "" || parsed.Host == "" {
		if parsed, err = url.Parse("http://" + proxy); err != nil {
			return nil
		}
	}
	return parsed
}

// reaches reports whether an address is reached without a proxy, because it is on this computer or in the
// list.
func (p proxies) reaches(address *url.URL) bool {
	host, port := strings.ToLower(address.Hostname()), address.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[address.Scheme]
	}
	ip, _ := netip.ParseAddr(host)
	if host == "localhost" || ip.Unmap().IsLoopback() {
		return true
	}
	for _, place := range p.without {
		place = strings.TrimSpace(place)
		if place == "*" {
			return true
		}
		if _, network, err := net.ParseCIDR(place); err == nil {
			if network.Contains(net.ParseIP(host)) {
				return true
			}
			continue
		}
		name, only, err := net.SplitHostPort(place)
		if err != nil {
			name, only = place, ""
		}
		if name != "" && (only == "" || only == port) && within(host, ip, name) {
			return true
		}
	}
	return false
}

// within reports whether a host matches a name: "example.org" matches the host and its subdomains,
// ".example.org" and "*.example.org" match only subdomains.
func within(host string, ip netip.Addr, name string) bool {
	if other, err := netip.ParseAddr(name); err == nil {
		return other.Unmap() == ip.Unmap()
	}
	if strings.HasPrefix(name, "*.") {
		name = name[1:]
	}
	return host == name || strings.HasSuffix(host, "."+strings.TrimPrefix(name, "."))
}
