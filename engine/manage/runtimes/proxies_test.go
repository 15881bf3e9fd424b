package runtimes

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/http/httpproxy"
)

// TestProxiesAreThoseOfHTTPProxy compares proxies with the library that other Go programs use.
func TestProxiesAreThoseOfHTTPProxy(t *testing.T) {
	addresses := []string{
		"https://nodejs.org/dist/index.json", "http://nodejs.org", "https://nodejs.org:8443", "https://NODEJS.org", "https://org", "https://dist.nodejs.org", "https://notnodejs.org",
		"http://localhost:8080", "https://localhost", "http://127.0.0.1", "http://127.8.8.8", "https://[::1]:4873", "https://10.1.2.3", "https://10.1.2.3:8443", "https://11.1.2.3", "https://[fe80::1]", "https://[fe80::1]:8443", "https://[2001:db8::7]",
		"http://[::ffff:127.0.0.1]", "https://[::ffff:10.1.2.3]",
	}
	lists := []string{
		"", "*", "nodejs.org", ".nodejs.org", "*.nodejs.org", "NodeJS.org", " nodejs.org , example.org", "nodejs.org:8443", "nodejs.org:443", ".nodejs.org:443", "*.nodejs.org:443",
		"org", ".org", "*org", "example.org,*", "10.1.2.3", "10.1.2.3:8443", "10.0.0.0/8", "10.0.0.0/33", "fe80::1", "[fe80::1]:8443", "[fe80::1]", "2001:db8::/32", ":443", ",", "10.0.0.0/8,nodejs.org",
		"::ffff:10.1.2.3", "::ffff:10.0.0.0/104", ".", "nodejs.org.", "10.1.2.0/24:443",
	}
	for _, proxy := range []string{"", "http://proxy.example.org:3128", "proxy.example.org:3128", "proxy", "https://user:word@proxy", "socks5://127.0.0.1:1080", "http://[broken", "://", "10.0.0.1"} {
		for _, list := range lists {
			theirs := httpproxy.Config{HTTPProxy: proxy, HTTPSProxy: "other" + strings.TrimPrefix(proxy, "http"), NoProxy: list}
			environment := map[string]string{"http_proxy": theirs.HTTPProxy, "HTTPS_PROXY": theirs.HTTPSProxy, "no_proxy": list}
			ours := proxiesOf(func(name string) string { return environment[name] })
			for _, address := range addresses {
				asked, err := url.Parse(address)
				if err != nil {
					t.Fatal(err)
				}
				want, err := theirs.ProxyFunc()(asked)
				if got := ours.of(asked); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s with the proxy %q and the exceptions %q goes through %v, want %v, %v", address, proxy, list, got, want, err)
				}
			}
		}
	}
}

func TestAllProxy(t *testing.T) {
	environment := map[string]string{"all_proxy": "http://proxy.example.org"}
	ours := proxiesOf(func(name string) string { return environment[name] })
	for _, address := range []string{"http://nodejs.org", "https://nodejs.org"} {
		asked, err := url.Parse(address)
		if got := ours.of(asked); err != nil || fmt.Sprint(got) != "http://proxy.example.org" {
			t.Errorf("%s goes through %v, %v", address, got, err)
		}
	}
}
