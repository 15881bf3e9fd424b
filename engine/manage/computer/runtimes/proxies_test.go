package runtimes

import (
	"fmt"
	"net/url"
	"testing"
)

func TestProxies(t *testing.T) {
	for _, c := range []struct {
		environment map[string]string
		want        string // the proxy for https://nodejs.org
	}{
		{map[string]string{"all_proxy": "http://proxy.example.org"}, "http://proxy.example.org"},
		{map[string]string{"ALL_PROXY": "http://other.example.org", "https_proxy": "http://proxy.example.org"},
			"http://proxy.example.org"},
		{map[string]string{"HTTPS_PROXY": "http://proxy.example.org", "no_proxy": "nodejs.org"}, "<nil>"},
		{map[string]string{"HTTP_PROXY": "http://proxy.example.org"}, "<nil>"},
		{nil, "<nil>"},
	} {
		through := proxies(func(name string) string { return c.environment[name] }).ProxyFunc()
		got, err := through(&url.URL{Scheme: "https", Host: "nodejs.org"})
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("with %v, nodejs.org is reached through %v, %v, want %s", c.environment, got, err, c.want)
		}
	}
}
