package downstream

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"sync"

	"golang.org/x/net/publicsuffix"
)

const (
	// maxCookies is how many cookies of a server are stored.
	maxCookies = 50
	// maxCookie is the size of the largest cookie, in bytes.
	maxCookie = 4 << 10
)

// cookies stores the cookies of one connection. Load balancers use a cookie to send all requests of a session to the
// same instance of a server.
type cookies struct {
	*cookiejar.Jar

	mu   sync.Mutex
	seen map[string]bool // name, domain and path of each cookie
}

func newCookies() *cookies {
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // never fails
	return &cookies{Jar: jar, seen: map[string]bool{}}
}

// SetCookies implements [http.CookieJar].
func (c *cookies) SetCookies(from *url.URL, set []*http.Cookie) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var taken []*http.Cookie
	for _, cookie := range set {
		key := cookie.Name + ";" + cookie.Domain + ";" + cookie.Path
		if len(key)+len(cookie.Value) > maxCookie || !c.seen[key] && len(c.seen) >= maxCookies {
			continue
		}
		c.seen[key] = true
		taken = append(taken, cookie)
	}
	c.Jar.SetCookies(from, taken)
}
