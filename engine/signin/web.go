package signin

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

const (
	// stepTime is what one request may take.
	stepTime = 30 * time.Second
	// maxAnswer is the size of an answer that is read, in bytes. mcp-go reads answers whole.
	maxAnswer = 1 << 20
)

// newClient makes a client for signing in to one resource. It goes to encrypted addresses only, unless the resource is on this
// computer, and takes what it sends nowhere else.
func (s *Store) newClient(resource string) *http.Client {
	base := s.base
	if base == nil {
		base = http.DefaultTransport
	}
	u, _ := url.Parse(resource) // resourceOf made it
	return &http.Client{
		Timeout:   stepTime,
		Transport: &careful{base: base, local: u.Scheme == "http"},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			if first := before[0]; next.URL.Host != first.URL.Host || first.Method != http.MethodGet || len(before) >= 5 {
				return errors.New("it leads to another place")
			}
			return nil
		},
	}
}

// careful refuses what is not encrypted and cuts off what is too long.
type careful struct {
	base  http.RoundTripper
	local bool // this computer may be talked to without encryption
}

func (c *careful) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := c.check(request.URL); err != nil {
		if request.Body != nil {
			_ = request.Body.Close()
		}
		return nil, err
	}
	response, err := c.base.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(response.Body, maxAnswer), response.Body}
	return response, nil
}

func (c *careful) check(u *url.URL) error {
	if u.Scheme == "https" || u.Scheme == "http" && c.local && loopback(u.Hostname()) {
		return nil
	}
	return insecureError{u.Hostname()}
}

type insecureError struct{ host string }

func (e insecureError) Error() string {
	return fmt.Sprintf("%q is to be reached without encryption", e.host)
}

// loopback tells whether a host is this computer.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// plainly says why a step failed, without the words of the server: they may repeat what was sent.
func plainly(what string, err error) error {
	var refused transport.OAuthError
	var insecure insecureError
	var lost *url.Error
	switch {
	case errors.As(err, &refused):
		return &refusedError{what, word(refused.ErrorCode)}
	case errors.As(err, &insecure):
		return fmt.Errorf("%s: %w", what, insecure)
	case errors.As(err, &lost):
		return fmt.Errorf("%s: %w", what, lost.Err)
	}
	return fmt.Errorf("%s: its answer could not be used", what)
}

// refusedError is an answer of the sign-in service that says no.
type refusedError struct{ what, code string }

func (e *refusedError) Error() string {
	if e.code == "" {
		return e.what + ": it was refused"
	}
	return e.what + ": it was refused (" + e.code + ")"
}

// word is an error code of RFC 6749, and nothing else.
func word(code string) string {
	if len(code) > 40 || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return ""
	}
	return code
}
