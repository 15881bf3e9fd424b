package signin

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Host returns the host of a web address, with its port if it has one, or "" if the address has no host.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// SameSite reports whether two web addresses are on the same site: in the same registrable domain, such as
// example.com, or on the same host if there is no such domain.
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
	return host // the host of this computer, or a public suffix itself
}

// checkSites refuses a service that lets the user sign in at one site and receives the code at another,
// unless the two certainly belong together. Otherwise a hostile server could send the user to an honest page
// and take the code itself. They belong together if the site where the user signs in names the other in its
// own metadata, or if that site must confirm by "iss" that it answers for this service (RFC 9207, see
// callback.take).
func (s *service) checkSites() error {
	if SameSite(s.AuthorizationEndpoint, s.TokenEndpoint) || s.known &&
		(s.SendsIssuer || SameSite(s.Issuer, s.AuthorizationEndpoint)) {
		return nil
	}
	return words.NewError("signin.two_sites", "Page", Host(s.AuthorizationEndpoint), "Other", Host(s.TokenEndpoint))
}

// named reports whether an address shows its host plainly: without a user name before it, which could look
// like the host, and in ASCII, since letters of other scripts can look alike.
func named(u *url.URL) bool {
	return u.Host != "" && u.User == nil && strings.IndexFunc(u.Host, func(r rune) bool {
		return r <= ' ' || r > '~'
	}) < 0
}
