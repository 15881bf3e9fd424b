package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// service is a server's sign-in service.
type service struct {
	authorizationServer
	known    bool     // the service has metadata; otherwise its addresses are guessed (MCP specification of 2025-03-26)
	resource string   // the resource that tokens are for (RFC 8707)
	offered  []string // scopes that the server lists
}

// authorizationServer is the metadata of an authorization server (RFC 8414, OpenID Connect Discovery).
type authorizationServer struct {
	Issuer                string `json:"issuer"`
	AuthorizationEndpoint string `json:"authorization_endpoint"`
	TokenEndpoint         string `json:"token_endpoint"`
	RegistrationEndpoint  string `json:"registration_endpoint"`
	Scopes                texts  `json:"scopes_supported"`
	AuthMethods           texts  `json:"token_endpoint_auth_methods_supported"`
	ChallengeMethods      texts  `json:"code_challenge_methods_supported"`
	SendsIssuer           bool   `json:"authorization_response_iss_parameter_supported"` // RFC 9207
	TakesDocuments        bool   `json:"client_id_metadata_document_supported"`
}

// protectedResource is the metadata of an MCP server (RFC 9728).
type protectedResource struct {
	Resource string `json:"resource"`
	Servers  texts  `json:"authorization_servers"`
	Scopes   texts  `json:"scopes_supported"`
}

const (
	errOtherResource = words.Code("signin.about_other")
	errOtherIssuer   = words.Code("signin.service_other")
)

const (
	wellKnownResource = "/.well-known/oauth-protected-resource"
	wellKnownServer   = "/.well-known/oauth-authorization-server"
	wellKnownOpenID   = "/.well-known/openid-configuration"
)

// maxServers is how many sign-in services of a server are tried.
const maxServers = 3

// discover returns the sign-in service of a resource. document is the address of the resource's metadata, if
// the server has named it.
func discover(ctx context.Context, client *http.Client, resource, document string) (*service, error) {
	described, err := describe(ctx, client, resource, document)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(resource)
	if err != nil {
		return nil, err
	}
	origin := u.Scheme + "://" + u.Host
	issuers := []string{origin, resource} // servers of versions before 2025-06-18 have the service at their own address
	found := &service{resource: resource}
	if described != nil {
		found.offered = cleanScopes(described.Scopes)
		if described.Resource != "" {
			found.resource = described.Resource
		}
		if len(described.Servers) > 0 {
			issuers = described.Servers[:min(len(described.Servers), maxServers)]
		}
	}
	var first error
	for _, issuer := range slices.Compact(issuers) {
		found.authorizationServer, err = metadataOf(ctx, client, issuer)
		if err == nil {
			found.known = true
			return found, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if first == nil || errors.Is(first, errAbsent) {
			first = err
		}
	}
	place, err := url.Parse(issuers[0])
	if !errors.Is(first, errAbsent) || err != nil || place.Host == "" {
		return nil, plainly("signin.not_found", first)
	}
	at := place.Scheme + "://" + place.Host
	found.authorizationServer = authorizationServer{
		AuthorizationEndpoint: at + "/authorize", TokenEndpoint: at + "/token", RegistrationEndpoint: at + "/register",
	}
	return found, nil
}

// describe reads the metadata of a resource. It tries, in this order, the address that the server names, the
// well-known address for its path, and the one for its origin. It returns nil if there is no metadata.
func describe(ctx context.Context, client *http.Client, resource, named string) (*protectedResource, error) {
	u, err := url.Parse(resource)
	if err != nil {
		return nil, err
	}
	origin := u.Scheme + "://" + u.Host
	ways := []string{named, origin + wellKnownResource + u.EscapedPath(), origin + wellKnownResource}
	if !sameOrigin(named, resource) {
		ways = ways[1:] // only an address at the server itself is used
	}
	var other error
	for i, way := range ways {
		if slices.Contains(ways[:i], way) {
			continue
		}
		var says protectedResource
		switch err := get(ctx, client, way, &says); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, errAbsent):
		case err != nil:
			return nil, plainly("signin.about_unreadable", err)
		case says.Resource == "" && way == named || says.Resource != "" && !covers(says.Resource, resource):
			other = errOtherResource
		case says.Resource != "" || len(says.Servers) > 0:
			return &says, nil
		}
	}
	return nil, other
}

// covers reports whether a declared resource includes a server: its path is the server's path or a parent of
// it. A final "/" makes no difference.
func covers(declared, resource string) bool {
	d, err := url.Parse(declared)
	if err != nil || !sameOrigin(declared, resource) || d.RawQuery != "" || d.Fragment != "" || d.User != nil {
		return false
	}
	r, err := url.Parse(resource)
	if err != nil {
		return false
	}
	return strings.HasPrefix(strings.TrimSuffix(r.EscapedPath(), "/")+"/", strings.TrimSuffix(d.EscapedPath(), "/")+"/")
}

// metadataOf reads the metadata of the authorization server with an issuer identifier. It refuses metadata of
// another issuer (RFC 8414, section 3.3).
func metadataOf(ctx context.Context, client *http.Client, issuer string) (authorizationServer, error) {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return authorizationServer{}, words.Code("signin.service_no_address")
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	ways := []string{origin + wellKnownServer + path, origin + wellKnownOpenID + path}
	if path != "" {
		ways = append(ways, origin+path+wellKnownOpenID)
	}
	result := error(errAbsent)
	for _, way := range ways {
		var says authorizationServer
		err := get(ctx, client, way, &says)
		switch {
		case errors.Is(err, errAbsent):
		case err != nil:
			return says, err
		// An identifier has the same well-known addresses with and without a "/" at its end.
		case strings.TrimSuffix(says.Issuer, "/") != strings.TrimSuffix(issuer, "/"):
			result = errOtherIssuer
		default:
			return says, nil
		}
	}
	return authorizationServer{}, result
}

// described returns an address at the site that describes the service.
func (s *service) described() string {
	if s.known {
		return s.Issuer
	}
	return s.AuthorizationEndpoint // guessed, and so are the others
}

// sameOrigin reports whether two addresses have the same scheme and host.
func sameOrigin(a, b string) bool {
	ua, err := url.Parse(a)
	if err != nil || ua.Host == "" {
		return false
	}
	ub, err := url.Parse(b)
	return err == nil && strings.EqualFold(ua.Scheme, ub.Scheme) && strings.EqualFold(ua.Host, ub.Host)
}

// check refuses a service that is not safe to sign in with. It also checks that the addresses for the browser
// are encrypted; newClient checks this for our own requests.
func (s *service) check(client *http.Client) error {
	careful := client.Transport.(*careful)
	for _, address := range []string{s.AuthorizationEndpoint, s.TokenEndpoint} {
		u, err := url.Parse(address)
		if err != nil || !named(u) {
			return words.NewError("signin.no_address")
		}
		if err := careful.check(u); err != nil {
			return plainly("signin.not_safe", err)
		}
	}
	if err := s.checkSites(); err != nil {
		return err
	}
	// Clients must refuse a service that does not declare PKCE (MCP specification, "Authorization Code
	// Protection").
	if s.known && !slices.Contains(s.ChallengeMethods, "S256") {
		return words.NewError("signin.no_pkce")
	}
	return nil
}
