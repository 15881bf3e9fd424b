package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// remoteOptions describes a connection to a web address.
func remoteOptions(transport config.Transport, address string, headers ...config.Variable) Options {
	return Options{
		Toolbox:          "box",
		Server:           &config.Server{Name: "far", Transport: transport, URL: address, Headers: headers},
		HandshakeTimeout: patience,
	}
}

// realServer returns an MCP server of another library, for both transports.
func realServer() *server.MCPServer {
	s := server.NewMCPServer("far away", "1.2.3", server.WithToolCapabilities(true))
	s.AddTool(mcp.NewTool("greet", mcp.WithString("name")),
		func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if token := request.Params.Meta; token != nil && token.ProgressToken != nil {
				_ = server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress",
					map[string]any{"progressToken": token.ProgressToken, "progress": 1, "total": 2})
			}
			return mcp.NewToolResultText("hello " + request.GetString("name", "")), nil
		})
	s.AddTool(mcp.NewTool("wait"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	return s
}

func TestRemoteOverBothWays(t *testing.T) {
	for _, transport := range []config.Transport{config.TransportHTTP, config.TransportSSE} {
		t.Run(string(transport), func(t *testing.T) {
			far := realServer()
			var handler http.Handler = server.NewStreamableHTTPServer(far)
			path := "/mcp"
			if transport == config.TransportSSE {
				handler, path = server.NewSSEServer(far), "/sse"
			}
			web := httptest.NewServer(handler)
			t.Cleanup(web.CloseClientConnections)
			t.Cleanup(web.Close)
			t.Cleanup(web.CloseClientConnections)

			changed := make(chan struct{}, 16)
			o := remoteOptions(transport, web.URL+path)
			o.OnListChanged = func(Kind) { changed <- struct{}{} }
			s := connect(t, o)
			if info := s.Info(); info.Name != "far away" || info.Version != "1.2.3" || info.Pid != 0 {
				t.Errorf("the server is %q %q, pid %d", info.Name, info.Version, info.Pid)
			}
			if n := len(s.Tools()); n != 2 {
				t.Fatalf("%d tools, want 2", n)
			}

			progress := make(chan json.RawMessage, 8)
			result, err := s.Call(t.Context(),
				Call{Tool: "greet", Arguments: json.RawMessage(`{"name":"<you> & 12345678901234567890"}`),
					Progress: func(params json.RawMessage) { progress <- params }})
			if err != nil || !strings.Contains(whole(result), "12345678901234567890") {
				t.Fatalf("the call gave %s, %v", result, err)
			}
			// This server sends notifications from another goroutine than answers, so one may come too late
			// for its call.
			for deadline := time.Now().Add(patience); len(progress) == 0; {
				if time.Now().After(deadline) {
					t.Fatal("no progress came")
				}
				if _, err := s.Call(t.Context(), Call{Tool: "greet", Progress: func(params json.RawMessage) {
					select {
					case progress <- params:
					default:
					}
				}}); err != nil {
					t.Fatal(err)
				}
			}

			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { _, err := s.Call(ctx, Call{Tool: "wait"}); ended <- err }()
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the cancelled call gave %v", err)
			}

			// The stream for list changes may not be open yet, so the list is changed until a notification
			// arrives.
			deadline := time.After(patience)
			for i := 0; ; i++ {
				far.AddTool(mcp.NewTool(fmt.Sprintf("new%d", i)), nil)
				select {
				case <-changed:
				case <-time.After(300 * time.Millisecond):
					continue
				case <-deadline:
					t.Fatal("the changed list was not noticed")
				}
				break
			}
		})
	}
}

// TestRemoteFallsBack checks that a server of the older transport is reached although the entry says http.
func TestRemoteFallsBack(t *testing.T) {
	old := server.NewSSEServer(realServer())
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sse" && r.Method == http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		old.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	s := connect(t, remoteOptions(config.TransportHTTP, web.URL+"/sse"))
	if n := len(s.Tools()); n != 2 {
		t.Errorf("%d tools, want 2", n)
	}
}

// answering starts a web server with one handler, and returns its address.
func answering(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	return web.URL + "/mcp"
}

// stillborn answers every request with a status.
func stillborn(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "go away", status) }
}

func TestRemoteThatCannotBeConnected(t *testing.T) {
	cancelled := httptest.NewServer(http.NotFoundHandler())
	cancelled.Close()
	elsewhere := answering(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://other.invalid/mcp", http.StatusTemporaryRedirect)
	})
	secretHeader := config.Variable{Name: "Authorization", Value: "Bearer sk-verysecretvalue1234567890"}
	tests := []struct {
		name, address string
		headers       []config.Variable
		is            error
		want          string
	}{
		{name: "no address", address: "example.com", want: "is no web address"},
		{name: "another scheme", address: "ftp://example.com/x", want: "is no web address"},
		{name: "nobody there", address: cancelled.URL, is: ErrUnreachable, want: "cannot be reached: nothing answers there"},
		{name: "no such host", address: "http://name.invalid/mcp", is: ErrUnreachable,
			want: "name.invalid/mcp cannot be reached"},
		{name: "sign in", address: answering(t, stillborn(401)), is: ErrSignIn, want: "add a header with your token"},
		{name: "a wrong token", address: answering(t, stillborn(401)), headers: []config.Variable{secretHeader},
			is: ErrSignIn, want: "does not accept the sign-in"},
		{name: "no rights", address: answering(t, stillborn(403)), is: ErrSignIn, want: "refuses access"},
		{name: "not MCP", address: answering(t, stillborn(404)), want: "there is no MCP server at"},
		{name: "broken", address: answering(t, stillborn(502)), want: "502 (Bad Gateway)"},
		{name: "a web page", address: answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>")
		}), want: "unexpected content type"},
		{name: "no JSON", address: answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, "{")
		}), want: "/mcp: "},
		{name: "elsewhere", address: elsewhere, headers: []config.Variable{secretHeader}, is: ErrUnreachable,
			want: "another address, http://other.invalid/mcp;"},
		{name: "a stream that ends", address: answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
		}), want: "/mcp: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Connect(t.Context(), remoteOptions(config.TransportHTTP, test.address, test.headers...))
			if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("the error is %v, want %s (%v)", err, test.want, test.is)
			}
			if err != nil && strings.Contains(err.Error(), "verysecret") {
				t.Errorf("the error contains the secret: %v", err)
			}
		})
	}
}

// scripted answers requests by method, and everything else with 202.
func scripted(answers map[string]func(w http.ResponseWriter, id json.RawMessage)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var message struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &message)
		switch answer := answers[message.Method]; {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case answer != nil:
			answer(w, message.ID)
		case message.Method == "initialize":
			say(w, message.ID, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
		case message.Method == "tools/list":
			say(w, message.ID, `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}
}

func say(w http.ResponseWriter, id json.RawMessage, result string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// TestRemoteCallsFailAlone checks that the failure of one call does not affect other calls.
func TestRemoteCallsFailAlone(t *testing.T) {
	var round atomic.Int32
	address := answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
		"tools/call": func(w http.ResponseWriter, id json.RawMessage) {
			switch round.Add(1) {
			case 1:
				http.Error(w, "oops", http.StatusInternalServerError)
			case 2: // too large, in one piece
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"x":"%s"}}`, id, strings.Repeat("x", 2<<20))
			case 3: // too large, in a stream with an endless line
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, "data: ")
				for range 100 {
					if _, err := io.WriteString(w, strings.Repeat("x", 64<<10)); err != nil {
						return
					}
				}
			case 4:
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no","data":{"why":1}}}`, id)
			default:
				say(w, id, `{ "content": [],
					"big": 123456789012345678901234567890 }`)
			}
		},
	}))
	o := remoteOptions(config.TransportHTTP, address)
	o.MaxMessage = 1 << 20
	s := connect(t, o)
	call := func() ([]jsonrpc.Member, error) { return s.Call(t.Context(), Call{Tool: "t"}) }
	if _, err := call(); err == nil || !strings.Contains(err.Error(), "500") {
		t.Errorf("an internal error becomes %v", err)
	}
	for range 2 {
		if _, err := call(); !errors.Is(err, ErrTooLarge) {
			t.Errorf("an answer that is too large becomes %v", err)
		}
	}
	var refused *RPCError
	if _, err := call(); !errors.As(err, &refused) || refused.Code != -32602 || string(refused.Data) != `{"why":1}` {
		t.Errorf("the server's error becomes %v", err)
	}
	if result, err := call(); err != nil || whole(result) != `{"content":[],"big":123456789012345678901234567890}` {
		t.Errorf("the result is %s, %v", result, err)
	}
}

// TestRemoteSessionEnds checks that a session ends with the right error when the server has forgotten it.
func TestRemoteSessionEnds(t *testing.T) {
	for name, status := range map[string]int{"forgotten": http.StatusNotFound, "signed out": http.StatusUnauthorized} {
		t.Run(name, func(t *testing.T) {
			address := answering(t, scripted(map[string]func(http.ResponseWriter, json.RawMessage){
				"initialize": func(w http.ResponseWriter, id json.RawMessage) {
					w.Header().Set("Mcp-Session-Id", "abc")
					say(w, id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
				},
				"tools/call": func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(status) },
			}))
			s := connect(t, remoteOptions(config.TransportHTTP, address))
			if _, err := s.Call(t.Context(), Call{Tool: "t"}); !errors.Is(err, ErrStopped) {
				t.Errorf("the call gave %v", err)
			}
			awaitDone(t, s)
			if status == http.StatusUnauthorized && !errors.Is(s.Err(), ErrSignIn) {
				t.Errorf("the session ended with %v", s.Err())
			}
		})
	}
}

// TestRemoteThatHangs checks that nobody waits forever for a server that accepts the connection and sends
// nothing.
func TestRemoteThatHangs(t *testing.T) {
	release := make(chan struct{})
	address := answering(t, func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) })
	o := remoteOptions(config.TransportHTTP, address)
	o.HandshakeTimeout = 50 * time.Millisecond
	if _, err := Connect(t.Context(), o); !errors.Is(err, ErrTimeout) {
		t.Errorf("the error is %v", err)
	}
}
