package signin

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Host returns the host of a web address, with its port where it has one, "" when the address has none.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// SameSite reports whether two web addresses are of one site: of one registrable domain, such as example.com, or of one host where there is no such
// domain.
func SameSite(a, b string) bool { return site(a) != "" && site(a) == site(b) }

func site(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if net.ParseIP(host) != nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host // that of this computer, or one that is a public suffix itself
}

// checkSites refuses a service that has the user sign in at one site and sends what comes of it to another one, unless it is certain that both belong
// together. Otherwise a hostile server could send the user to an honest page and take the code itself. It is certain when the site where the user signs
// in names the other one in its own metadata, or when that site has to say by "iss" that it answers for this service (RFC 9207, see callback.take).
func (s *service) checkSites() error {
	if SameSite(s.AuthorizationEndpoint, s.TokenEndpoint) || s.known && (s.SendsIssuer || SameSite(s.Issuer, s.AuthorizationEndpoint)) {
		return nil
	}
	return words.NewError("signin.two_sites", "Page", Host(s.AuthorizationEndpoint), "Other", Host(s.TokenEndpoint))
}

// named reports whether an address names a host plainly: without a user before it, which could look like the host, and in ASCII, in which no letter looks like
// that of another script.
func named(u *url.URL) bool {
	return u.Host != "" && u.User == nil && strings.IndexFunc(u.Host, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}
