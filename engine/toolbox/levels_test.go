package toolbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// TestLevelBeforeFirstCall: a remote server has the client's log level before the first call reaches it. Some servers
// send no log messages before they have one, and over HTTP a call could overtake the level.
func TestLevelBeforeFirstCall(t *testing.T) {
	called := make(chan struct{})
	var once sync.Once
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var message struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.NewDecoder(r.Body).Decode(&message) // for streams there is no body
		say := func(result string) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, message.ID, result)
		}
		switch message.Method {
		case "initialize":
			say(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},` +
				`"serverInfo":{"name":"n","version":"1"}}`)
		case "tools/list":
			say(`{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`)
		case "logging/setLevel":
			select {
			case <-called:
				t.Error("a call came before the level was set")
			case <-time.After(300 * time.Millisecond):
			}
			say(`{}`)
		case "tools/call":
			once.Do(func() { close(called) })
			say(`{"content":[]}`)
		case "":
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	t.Cleanup(web.Close)
	m := newManager(t, oneToolbox("box", &config.Server{Name: "far", Transport: config.TransportHTTP, URL: web.URL}),
		Options{})
	m.SetLevel(t.Context(), "debug")
	open(t, m, "box")
	if _, err := m.Call(t.Context(), ToolID{"box", "far", "t"}, downstream.Call{Arguments: []byte("{}")}); err != nil {
		t.Error(err)
	}
	<-called
}
