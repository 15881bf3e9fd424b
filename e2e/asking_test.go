package e2e

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// TestServersAsk: the requests and notifications of a server reach the client in the same way over all
// transports.
func TestServersAsk(t *testing.T) {
	needNPM(t)
	entries := map[string]func(t *testing.T) *config.Server{
		"stdio": func(t *testing.T) *config.Server {
			return &config.Server{Transport: config.TransportStdio, Command: "node",
				Args: []string{npmPath("node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")}}
		},
		"http": func(t *testing.T) *config.Server {
			return &config.Server{Transport: config.TransportHTTP, URL: startRemote(t, "streamableHttp").address() + "/mcp"}
		},
		"sse": func(t *testing.T) *config.Server {
			return &config.Server{Transport: config.TransportSSE, URL: startRemote(t, "sse").address() + "/sse"}
		},
	}
	for kind, entry := range entries {
		t.Run(kind, func(t *testing.T) {
			server := entry(t)
			server.Name = "everything"
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			listed, updated := make(chan bool, 100), make(chan string, 100)
			s, err := downstream.Connect(ctx, downstream.Options{
				Toolbox: "box", Server: server, Environ: os.Environ(),
				Capabilities: json.RawMessage(`{"sampling":{},"elicitation":{"form":{}},"roots":{"listChanged":true}}`),
				OnRequest: func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
					switch method {
					case "sampling/createMessage":
						return json.RawMessage(`{"role":"assistant","model":"pretend","content":{"type":"text","text":"sampled words"}}`), nil
					case "elicitation/create":
						return json.RawMessage(`{"action":"accept","content":{"name":"Mona Lisa","check":true}}`), nil
					case "roots/list":
						return json.RawMessage(`{"roots":[{"uri":"file:///nowhere","name":"nowhere"}]}`), nil
					}
					return nil, &downstream.RPCError{Code: -32601, Message: "no"}
				},
				OnListChanged: func(downstream.Kind) { listed <- true },
				OnNotification: func(method string, params json.RawMessage) {
					if method == "notifications/resources/updated" {
						updated <- string(params)
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close(context.Background())

			// The server offers these tools only after it has seen what the client can do.
			for !offers(s, "trigger-elicitation-request") {
				select {
				case <-listed:
				case <-ctx.Done():
					t.Fatalf("%d tools, and trigger-elicitation-request is not one of them", len(s.Tools()))
				}
			}
			progress := 0
			for tool, c := range map[string]struct{ arguments, want string }{
				"trigger-elicitation-request":    {`{}`, "Mona Lisa"},
				"trigger-sampling-request":       {`{"prompt":"say something","maxTokens":10}`, "sampled words"},
				"get-roots-list":                 {`{}`, "file:///nowhere"},
				"trigger-long-running-operation": {`{"duration":1,"steps":4}`, "completed"},
			} {
				result, err := s.Call(ctx, downstream.Call{Tool: tool, Arguments: json.RawMessage(c.arguments),
					Progress: func(json.RawMessage) { progress++ }})
				if text := string(jsonrpc.AppendObject(nil, result)); err != nil || !strings.Contains(text, c.want) {
					t.Errorf("%s: %s, %v", tool, text, err)
				}
			}
			if progress < 4 {
				t.Errorf("progress was reported %d times", progress)
			}
			const uri = "demo://resource/dynamic/text/1"
			if err := s.Subscribe(ctx, uri); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Call(ctx, downstream.Call{Tool: "toggle-subscriber-updates"}); err != nil {
				t.Fatal(err)
			}
			select {
			case told := <-updated:
				if !strings.Contains(told, uri) {
					t.Errorf("the update is of another resource: %s", told)
				}
			case <-ctx.Done():
				t.Error("no update was reported")
			}
			if err := s.Unsubscribe(ctx, uri); err != nil {
				t.Error(err)
			}
		})
	}
}

func offers(s *downstream.Session, tool string) bool {
	for _, item := range s.Tools() {
		if item.Name == tool {
			return true
		}
	}
	return false
}
