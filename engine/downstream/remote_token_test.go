package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// granted is a function that provides the tokens of a test.
type granted func(url, refused string) (string, error)

func (g granted) Token(_ context.Context, url, refused string) (string, error) {
	return g(url, refused)
}

func (g granted) Refused(string, int, []string) (rights string, lacking, asked bool) {
	return "", false, false
}

// lacking provides tokens with too few rights.
type lacking struct {
	granted
	rights string
	asked  bool
	heard  chan string
}

func (l lacking) Refused(url string, status int, headers []string) (rights string, lacking, asked bool) {
	l.heard <- fmt.Sprintln(url, status, headers)
	return l.rights, true, l.asked
}

// guarded starts a server that accepts one token, which can be changed.
func guarded(t *testing.T, kind config.Transport) (address string, admit *atomic.Value) {
	t.Helper()
	admit = &atomic.Value{}
	admit.Store("one")
	var inner http.Handler = server.NewStreamableHTTPServer(realServer())
	path := "/mcp"
	if kind == config.TransportSSE {
		inner, path = server.NewSSEServer(realServer()), "/sse"
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+admit.Load().(string) {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	return web.URL + path, admit
}

func TestTokenIsShown(t *testing.T) {
	for _, kind := range []config.Transport{config.TransportHTTP, config.TransportSSE} {
		t.Run(string(kind), func(t *testing.T) {
			address, admit := guarded(t, kind)
			o := remoteOptions(kind, address, config.Variable{Name: "X-Team", Value: "blue"})
			o.Tokens = granted(func(url, refused string) (string, error) {
				if url != address {
					t.Errorf("asked for %s", url)
				}
				if refused == "one" || admit.Load() == "two" {
					return "two", nil
				}
				return "one", nil
			})
			s := connect(t, o)
			admit.Store("two")
			if _, err := s.Call(t.Context(), Call{Tool: "greet"}); err != nil {
				t.Errorf("with a token that was renewed: %v", err)
			}
		})
	}
}

// TestTokenIsRenewedWhenRefused checks that a refused request is repeated with another token, including its
// body.
func TestTokenIsRenewedWhenRefused(t *testing.T) {
	address, admit := guarded(t, config.TransportHTTP)
	admit.Store("two")
	o := remoteOptions(config.TransportHTTP, address)
	var renewals atomic.Int32
	o.Tokens = granted(func(_, refused string) (string, error) {
		if refused == "" {
			return "one", nil
		}
		renewals.Add(1)
		return "two", nil
	})
	s := connect(t, o)
	if _, err := s.Call(t.Context(), Call{Tool: "greet"}); err != nil || renewals.Load() == 0 {
		t.Errorf("%d renewals, %v", renewals.Load(), err)
	}
}

func TestNoTokenThatHelps(t *testing.T) {
	address, _ := guarded(t, config.TransportHTTP)
	tests := []struct {
		name    string
		tokens  granted
		headers []config.Variable
		is      error
		want    string
	}{
		{name: "nobody signed in", tokens: func(string, string) (string, error) {
			return "", nil
		}, is: ErrSignIn, want: "wants you to sign in"},
		{name: "refused", tokens: func(string, string) (string, error) {
			return "old-one", nil
		}, is: ErrSignIn, want: "wants you to sign in"},
		{name: "ended", tokens: func(_, refused string) (string, error) {
			return map[string]string{"": "old-one"}[refused], nil
		}, is: ErrSignIn},
		{name: "not known", tokens: func(string, string) (string, error) {
			return "", errors.New("the network is down")
		}, is: ErrUnreachable, want: "the network is down"},
		{name: "not known later", tokens: func(_, refused string) (string, error) {
			if refused != "" {
				return "", errors.New("the network is down")
			}
			return "old-one", nil
		}, is: ErrUnreachable, want: "the network is down"},
		{name: "a header comes first", headers: []config.Variable{{Name: "authorization", Value: "Bearer wrong"}},
			tokens: func(string, string) (string, error) {
				return "one", nil
			}, is: ErrSignIn, want: "the token in the headers"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := remoteOptions(config.TransportHTTP, address, test.headers...)
			o.Tokens = test.tokens
			_, err := Connect(t.Context(), o)
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v", err)
			}
			if strings.Contains(err.Error(), "old-one") {
				t.Errorf("the error contains the token: %v", err)
			}
		})
	}
}

// TestTokenIsForOneServer checks that the token is sent to no other host.
func TestTokenIsForOneServer(t *testing.T) {
	seen := ""
	other := answering(t, func(_ http.ResponseWriter, r *http.Request) { seen += r.Header.Get("Authorization") })
	o := remoteOptions(config.TransportHTTP, "http://127.0.0.1:1/mcp")
	o.Tokens = granted(func(string, string) (string, error) { return "one", nil })
	r, err := newRemote(o.withDefaults(), func(int64, error) {}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.pipe.Stop(t.Context())
	response, err := r.client.Get(other)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if seen != "" {
		t.Errorf("another place was shown %q", seen)
	}
}

// TestMoreRights checks that a call for which the sign-in has too few rights says so, and asks for a new
// sign-in only if that helps.
func TestMoreRights(t *testing.T) {
	const challenge = `Bearer error="insufficient_scope", scope="files:write"`
	for name, body := range map[string]string{
		"in plain words": "no", "as JSON": `{"error":"insufficient_scope"}`,
		"as JSON-RPC": `{"jsonrpc":"2.0","id":%s,"error":{"code":-32003,"message":"no"}}`,
	} {
		for _, asked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, asked before: %v", name, asked), func(t *testing.T) {
				address := answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
					"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
						w.Header().Set("WWW-Authenticate", challenge)
						w.Header().Set("Content-Type", "application/json")
						w.WriteHeader(http.StatusForbidden)
						_, _ = w.Write([]byte(strings.Replace(body, "%s", string(id), 1)))
					},
				}))
				o := remoteOptions(config.TransportHTTP, address)
				tokens := lacking{func(string, string) (string, error) {
					return "one", nil
				}, "files:write", asked, make(chan string, 10)}
				o.Tokens = tokens
				s := connect(t, o)
				_, err := s.Call(t.Context(), Call{Tool: "t"})
				if err == nil || errors.Is(err, ErrSignIn) == asked || !strings.Contains(err.Error(), "files:write") {
					t.Fatalf("the call gave %v", err)
				}
				if heard := <-tokens.heard; heard != fmt.Sprintln(address, http.StatusForbidden, []string{challenge}) {
					t.Errorf("the tokens were asked with: %s", heard)
				}
				if !asked {
					awaitDone(t, s)
					if !strings.Contains(err.Error(), "wants more rights than you have signed in for (files:write)") {
						t.Errorf("the error is %v", err)
					}
					return
				}
				select {
				case <-s.Done():
					t.Error("the connection has ended, though a new sign-in does not help")
				default:
				}
			})
		}
	}
}
