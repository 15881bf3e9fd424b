package downstream

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestGoodbye: the end of a session is reported to a server that has given the session an id, and to no
// other.
func TestGoodbye(t *testing.T) {
	for name, want := range map[string][]string{"": nil, "s-1": {"s-1"}} {
		var mu sync.Mutex
		var told []string
		address := answering(t, func(w http.ResponseWriter, r *http.Request) {
			switch r.Method {
			case http.MethodDelete:
				mu.Lock()
				told = append(told, r.Header.Get("Mcp-Session-Id"))
				mu.Unlock()
				return
			case http.MethodGet:
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "application/json")
			switch text := string(body); {
			case strings.Contains(text, `"initialize"`):
				if name != "" {
					w.Header().Set("Mcp-Session-Id", name)
				}
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+idOf(text)+
					`,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`)
			case strings.Contains(text, `"tools/list"`):
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+idOf(text)+`,"result":{"tools":[]}}`)
			case strings.Contains(text, `"id"`):
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+idOf(text)+`,"error":{"code":-32601,"message":"no"}}`)
			default:
				w.WriteHeader(http.StatusAccepted)
			}
		})
		s := connect(t, remoteOptions(config.TransportHTTP, address))
		_ = s.Close(t.Context())
		mu.Lock()
		if !slices.Equal(told, want) {
			t.Errorf("the session %q: the server received %q, want %q", name, told, want)
		}
		mu.Unlock()
	}
}

// idOf returns the id of a request as it is written.
func idOf(text string) string {
	_, rest, _ := strings.Cut(text, `"id":`)
	return rest[:strings.IndexAny(rest, ",}")]
}
