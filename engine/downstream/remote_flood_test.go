package downstream

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// TestRemoteThatFloodsWithPings: a remote server that sends pings and is slow to accept the answers gets only
// a limited number of them at a time.
func TestRemoteThatFloodsWithPings(t *testing.T) {
	const pings = 100
	arrived, finish, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range pings {
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n\n", i)
			}
			w.(http.Flusher).Flush()
			<-ended
			return
		}
		body, _ := io.ReadAll(r.Body)
		m, _ := jsonrpc.Parse(body)
		switch {
		case m.Kind() == jsonrpc.Response:
			select {
			case arrived <- struct{}{}:
			case <-ended:
			}
			<-finish
			w.WriteHeader(http.StatusAccepted)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case m.Method == "initialize":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}`, m.ID)
		}
	})
	t.Cleanup(func() { close(ended) }) // before the web server is closed, since that waits for it
	s := make(chan *Session, 1)
	go func() { s <- connect(t, remoteOptions(config.TransportHTTP, address)) }() // its requests wait behind the answers
	for range maxRequests {
		<-arrived
	}
	select {
	case <-arrived:
		t.Errorf("more than %d answers are being posted at the same time", maxRequests)
	case <-time.After(100 * time.Millisecond): // long enough for many more answers
	}
	close(finish)
	go func() {
		for {
			select {
			case <-arrived:
			case <-ended:
				return
			}
		}
	}()
	<-s
}
