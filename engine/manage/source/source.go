// Package source asks public addresses that answer with JSON, such as the MCP registry and the list of releases.
//
// The answers are written by strangers, so their size and their time are limited, and a redirect to another host is
// not followed. An error is a sentence for the person who waits.
package source

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// answerTime is for one request with its answer.
	answerTime = 15 * time.Second
	// maxRedirects is how often a host may send a request somewhere else on the same host.
	maxRedirects = 5
)

// Options say what is asked.
type Options struct {
	Address   string
	Variable  string            // the environment variable with which a person chooses another address
	MaxAnswer int               // bytes
	Base      http.RoundTripper // nil: [network.Later], with the environment of this process
}

// Source is an address that answers with JSON. It is safe for concurrent use.
type Source struct {
	address   *url.URL
	maxAnswer int
	client    *http.Client
}

// New returns a source. It sends nothing. The address must use https, or be on this computer.
func New(options Options) (*Source, error) {
	address, err := url.Parse(strings.TrimSpace(options.Address))
	if err != nil || address.Host == "" || address.User != nil || address.Fragment != "" || !safe(address) {
		return nil, words.NewError("registry.address", "Address", visible.Line(options.Address), "Variable", options.Variable)
	}
	if options.Base == nil {
		options.Base = network.Later(os.Getenv)
	}
	return &Source{address: address, maxAnswer: options.MaxAnswer, client: &http.Client{
		Timeout:       answerTime,
		Transport:     options.Base,
		CheckRedirect: sameHost,
	}}, nil
}

// safe reports whether nobody on the way can change what an address answers.
func safe(address *url.URL) bool {
	ip := net.ParseIP(address.Hostname())
	return address.Scheme == "https" || address.Scheme == "http" && ip != nil && ip.IsLoopback()
}

// sameHost refuses redirects to other hosts.
func sameHost(next *http.Request, before []*http.Request) error {
	first := before[0].URL
	if next.URL.Host != first.Host || next.URL.Scheme != first.Scheme || len(before) >= maxRedirects {
		return words.NewError("registry.redirected", "Host", first.Host)
	}
	return nil
}

// Address returns the address, which must not be changed.
func (s *Source) Address() *url.URL { return s.address }

// Get returns what an address of the source answers. The request says nothing about this computer, not even which
// version of the program it has. If ctx is cancelled, the error is that of ctx.
func (s *Source) Get(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", network.UserAgent)
	response, err := s.client.Do(request)
	if err != nil {
		return nil, s.unreachable(ctx, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		err := words.NewError("registry.status", "Host", s.address.Host, "Status", response.StatusCode)
		if response.StatusCode == http.StatusNotFound {
			return nil, Missing{err}
		}
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(s.maxAnswer)+1))
	switch {
	case err != nil:
		return nil, s.unreachable(ctx, err)
	case len(body) > s.maxAnswer:
		return nil, words.NewError("registry.too_large", "Host", s.address.Host, "MiB", s.maxAnswer>>20)
	}
	return body, nil
}

// Missing is the error of an address where nothing is.
type Missing struct{ error }

// Unwrap returns the sentence.
func (m Missing) Unwrap() error { return m.error }

// unreachable returns why there is no answer.
func (s *Source) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return words.NewError("registry.slow", "Host", s.address.Host, "Seconds", int(answerTime/time.Second))
	}
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	var sentence interface{ Text() words.Text }
	if errors.As(err, &sentence) { // a redirect that is not followed
		return err
	}
	return words.NewError("registry.unreachable", "Host", s.address.Host, "Why", err)
}
