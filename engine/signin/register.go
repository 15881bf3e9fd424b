package signin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ClientMetadata is the address of the document that describes Workbench to sign-in services that read such
// documents (OAuth Client ID Metadata Documents). The address is also the client ID. The document is
// assets/client-metadata.json.
const ClientMetadata = "https://raw.githubusercontent.com/workbench-mcp/workbench-desktop/main/assets/client-metadata.json"

const (
	// clientName is the name that services show to the user.
	clientName = "Workbench Desktop"
	// callbackPort is the port in the document. Some services refuse any other. If it is in use, another port
	// is taken, which works with services that follow RFC 8252, section 7.3.
	callbackPort = 28741
)

// Ways to authenticate at a token endpoint (RFC 7591, section 2).
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
)

// registration is our identity at a sign-in service.
type registration struct {
	id, secret, method string
	document           bool // the id is the address of a document

	listeners []net.Listener
	redirect  string // the address that the browser returns to
}

// register makes us a client of a service, in the order of the MCP specification: as the user has registered
// us, else by our document unless avoid is set, else by a new registration. The caller must close the
// client.
func (s *Store) register(ctx context.Context, web *http.Client, at *service, registered *config.OAuth, scopes []string,
	avoid bool) (*registration, error) {
	if registered == nil {
		registered = &config.OAuth{}
	}
	c := &registration{id: registered.ClientID, secret: registered.ClientSecret}
	c.document = c.id == "" && !avoid && at.TakesDocuments &&
		(len(at.AuthMethods) == 0 || slices.Contains(at.AuthMethods, methodNone))
	if c.id == "" && !c.document && at.RegistrationEndpoint == "" {
		return nil, words.NewError("signin.unknown_to_service")
	}
	if err := c.listen(registered.CallbackPort); err != nil {
		return nil, err
	}
	switch {
	case c.id != "":
		c.method = at.method(c.secret)
	case c.document:
		if c.id = s.options.ClientMetadata; c.id == "" {
			c.id = ClientMetadata
		}
		c.method = methodNone
	default:
		if err := c.registerNow(ctx, web, at, scopes); err != nil {
			c.close()
			return nil, err
		}
	}
	return c, nil
}

// listen opens the address to which the browser returns. Port 0 means any free port (RFC 8252, section 7.3).
func (r *registration) listen(port int) (err error) {
	switch {
	case port != 0:
		// the form in which other programs tell people to register it
		r.redirect = fmt.Sprintf("http://localhost:%d%s", port, callbackPath)
		return r.listenLocalhost(port)
	case r.document:
		if err = r.listenAt("127.0.0.1", callbackPort); err == nil {
			break
		}
		fallthrough
	default:
		if err = r.listenAt("127.0.0.1", 0); err != nil {
			return words.NewError("signin.no_way_back", "Why", err)
		}
	}
	r.redirect = "http://" + r.listeners[0].Addr().String() + callbackPath
	return nil
}

// listenLocalhost listens at both addresses that a browser may take for localhost. If another program has one
// of them, it could get the code instead of us, so we listen at neither. A computer without IPv6 has only one.
func (r *registration) listenLocalhost(port int) error {
	for _, host := range []string{"127.0.0.1", "::1"} {
		err := r.listenAt(host, port)
		if err != nil && host == "::1" && !hasAddress(host) {
			err = nil
		}
		if err != nil {
			r.close()
			return words.NewError("signin.port_taken", "Port", port, "Why", err)
		}
	}
	return nil
}

func (r *registration) listenAt(host string, port int) error {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err == nil {
		r.listeners = append(r.listeners, listener)
	}
	return err
}

// hasAddress reports whether this computer can listen at an address at all.
func hasAddress(host string) bool {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return false
	}
	_ = listener.Close()
	return true
}

// close stops listening.
func (r *registration) close() {
	for _, listener := range r.listeners {
		_ = listener.Close()
	}
}

// registerNow registers us for this sign-in (RFC 7591).
func (r *registration) registerNow(ctx context.Context, web *http.Client, at *service, scopes []string) error {
	method := methodNone // a secret in the program would be known to everybody
	if len(at.AuthMethods) > 0 && !slices.Contains(at.AuthMethods, methodNone) {
		method = at.method("to come")
	}
	wants := map[string]any{
		"client_name": clientName, "redirect_uris": []string{r.redirect}, "application_type": "native",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
		"token_endpoint_auth_method": method,
	}
	// it would learn of us, and give us an identity that it knows
	if Host(at.RegistrationEndpoint) != "" && !SameSite(at.described(), at.RegistrationEndpoint) {
		return words.NewError("signin.registers_elsewhere", "Host", Host(at.RegistrationEndpoint))
	}
	if len(scopes) > 0 {
		wants["scope"] = joined(scopes)
	}
	var gave struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
		Method string `json:"token_endpoint_auth_method"`
	}
	err := postJSON(ctx, web, at.RegistrationEndpoint, wants, &gave)
	var refused *refusedError
	if errors.As(err, &refused) && refused.status < http.StatusInternalServerError && len(scopes) > 0 {
		delete(wants, "scope") // some services take no scopes here, or not those that the server lists
		err = postJSON(ctx, web, at.RegistrationEndpoint, wants, &gave)
	}
	if err != nil {
		return plainly("signin.not_taken", err)
	}
	if gave.ID == "" {
		return words.NewError("signin.no_client_id")
	}
	r.id, r.secret, r.method = gave.ID, gave.Secret, gave.Method
	switch r.method {
	case methodNone, methodBasic, methodPost:
	default:
		r.method = at.method(r.secret)
	}
	return nil
}

// method returns how to authenticate at the token endpoint. For a service that declares nothing, it is the
// default of RFC 8414, section 2.
func (s *service) method(secret string) string {
	switch {
	case secret == "":
		return methodNone
	case len(s.AuthMethods) == 0 || slices.Contains(s.AuthMethods, methodBasic):
		return methodBasic
	}
	return methodPost // also to a service that declares only "none", but has given a secret
}

// page returns the address at which the user signs in.
func (r *registration) page(at *service, scopes []string, state, verifier string) (string, error) {
	u, err := url.Parse(at.AuthorizationEndpoint)
	if err != nil {
		return "", words.NewError("signin.no_address")
	}
	query := u.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": r.id, "redirect_uri": r.redirect, "state": state, "resource": at.resource,
		"code_challenge": challengeOf(verifier), "code_challenge_method": "S256", "scope": joined(scopes),
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if slices.Contains(scopes, offlineAccess) {
		query.Set("prompt", "consent") // without it, OpenID providers ignore that scope (OpenID Connect Core, section 11)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}
