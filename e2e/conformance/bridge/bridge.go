// Package bridge offers an MCP server that speaks over standard input as one over HTTP, which is what the conformance
// suite tests. It does what the suite asks of servers without questions and notifications, in the era of sessions.
// Each session has a process of its own. What the engine offers over HTTP is tested by "serve" itself.
package bridge

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/session"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// maxBody is the largest message of a client, in bytes.
const maxBody = 1 << 20

// Bridge is an [http.Handler]. Call Close to end its servers.
type Bridge struct {
	options session.Options

	mu       sync.Mutex
	sessions map[string]*session.Session
}

// New returns a bridge to a server that runs as o says.
func New(o session.Options) *Bridge {
	o.Receive = func(jsonrpc.Message) {}
	return &Bridge{options: o, sessions: map[string]*session.Session{}}
}

// Close ends all servers.
func (b *Bridge) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	var ending sync.WaitGroup
	for _, s := range b.sessions {
		ending.Go(s.Close)
	}
	ending.Wait()
}

// ServeHTTP is for http.Server.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "POST alone", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m, err := jsonrpc.Parse(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s, err := b.session(w, r, m)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case s == nil:
		http.Error(w, "there is no such session", http.StatusNotFound)
	case m.Kind() == jsonrpc.Notification:
		_ = s.Send(nil, m.Method, m.Params) // if the server has ended, the next request says so
		w.WriteHeader(http.StatusAccepted)
	default:
		answer, err := s.Ask(r.Context(), m.Method, m.Params)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(response(m.ID, answer)) // an error means that the client has gone
	}
}

// session returns the session of a message: a new one for initialize, and nil if there is none.
func (b *Bridge) session(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) (*session.Session, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m.Method != string(mcp.MethodInitialize) {
		return b.sessions[r.Header.Get(mcp.HeaderSessionID)], nil
	}
	s, err := session.Start(b.options)
	if err != nil {
		return nil, err
	}
	id := rand.Text()
	b.sessions[id] = s
	w.Header().Set(mcp.HeaderSessionID, id)
	return s, nil
}

// response returns a response of the server with the id of the client's request.
func response(id json.RawMessage, m jsonrpc.Message) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if m.Error != nil {
		line = append(append(line, `,"error":`...), m.Error...)
	} else {
		line = append(append(line, `,"result":`...), m.Result...)
	}
	return append(line, '}')
}
