// Package bridge offers the engine as a server over streamable HTTP, which is what the conformance suite
// tests. Behind it the engine has one server, whose toolbox the bridge opens. The bridge hides the
// meta-tools, and gives tools and prompts the names that the server gave them. It passes on everything else
// unchanged.
//
// Each session of the protocol's era of sessions has its own engine. Requests of the era without sessions
// share one.
package bridge

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/session"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
	// modern is the version that has no sessions.
	modern = "2026-07-28"
	// versionKey is the member of a request's _meta with the protocol version of the request.
	versionKey = "io.modelcontextprotocol/protocolVersion"
	// maxBody is the largest message of a client, in bytes.
	maxBody = 16 << 20
)

// Options say what is behind the bridge.
type Options struct {
	// Engine says how to run the engine, which must be in dynamic mode. The bridge sets Receive.
	Engine session.Options
	// Toolbox is the toolbox to open. If it is empty, a server of the suite takes the place of the engine,
	// and all its messages are passed on unchanged.
	Toolbox string
	// Server is the only server of the toolbox.
	Server string
}

// Bridge is an [http.Handler]. Call Close to end its engines.
type Bridge struct {
	options Options

	mu       sync.Mutex
	sessions map[string]*conn
	shared   *conn // for requests without a session
	started  sync.Once
	problem  error // the error of starting shared
}

// New returns a bridge. It starts an engine only when the first request arrives.
func New(o Options) *Bridge {
	return &Bridge{options: o, sessions: map[string]*conn{}}
}

// Close ends all engines.
func (b *Bridge) Close() {
	b.mu.Lock()
	all := []*conn{}
	for id, c := range b.sessions {
		all = append(all, c)
		delete(b.sessions, id)
	}
	if b.shared != nil {
		all = append(all, b.shared)
	}
	b.mu.Unlock()
	var ending sync.WaitGroup
	for _, c := range all {
		ending.Go(c.engine.Close)
	}
	ending.Wait()
}

// ServeHTTP is for http.Server.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !local(r.Host) || !localOrigin(r.Header.Get("Origin")) {
		http.Error(w, "this server is for this computer", http.StatusForbidden)
		return
	}
	switch {
	case r.Method == http.MethodPost:
		b.post(w, r)
	case r.Header.Get(versionHeader) >= modern:
		http.Error(w, "this version has POST alone", http.StatusMethodNotAllowed)
	case r.Method == http.MethodGet:
		if c := b.session(w, r); c != nil {
			c.stream(w, r)
		}
	case r.Method == http.MethodDelete:
		if c := b.session(w, r); c != nil {
			b.mu.Lock()
			delete(b.sessions, r.Header.Get(sessionHeader))
			b.mu.Unlock()
			c.engine.Close()
			w.WriteHeader(http.StatusNoContent)
		}
	default:
		http.Error(w, "not a method of MCP", http.StatusMethodNotAllowed)
	}
}

// post handles a message of the client.
func (b *Bridge) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m, err := jsonrpc.Parse(body)
	if err != nil {
		refuse(w, http.StatusBadRequest, m.ID, -32700, err.Error())
		return
	}
	if version, _ := jsonrpc.String(jsonrpc.Lookup(jsonrpc.Lookup(m.Params, "_meta"), versionKey)); version != "" ||
		r.Header.Get(versionHeader) >= modern {
		b.postModern(w, r, m, version)
		return
	}
	if m.Method == "initialize" && m.Kind() == jsonrpc.Request {
		b.initialize(w, r, m)
		return
	}
	if c := b.session(w, r); c != nil {
		c.take(w, r, m)
	}
}

// postModern handles a message of the era without sessions.
func (b *Bridge) postModern(w http.ResponseWriter, r *http.Request, m jsonrpc.Message, version string) {
	if problem := checkHeaders(r.Header, m, version); problem != "" {
		refuse(w, http.StatusBadRequest, m.ID, headerMismatch, problem)
		return
	}
	b.started.Do(func() {
		c, err := newConn(b.options, true)
		if err == nil {
			err = c.open(r.Context())
		}
		b.mu.Lock()
		b.shared, b.problem = c, err
		b.mu.Unlock()
	})
	if b.problem != nil {
		refuse(w, http.StatusInternalServerError, m.ID, -32603, b.problem.Error())
		return
	}
	if m.Method == "tools/call" {
		if problem := checkMirrored(r.Header, jsonrpc.Lookup(m.Params, "arguments"),
			b.shared.names.mirrored(m.Params)); problem != "" {
			refuse(w, http.StatusBadRequest, m.ID, headerMismatch, problem)
			return
		}
	}
	b.shared.take(w, r, m)
}

// initialize starts a session.
func (b *Bridge) initialize(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) {
	c, err := newConn(b.options, false)
	if err != nil {
		refuse(w, http.StatusInternalServerError, m.ID, -32603, err.Error())
		return
	}
	answer, err := c.greet(r.Context(), m.Params)
	if err == nil && answer.Error == nil {
		err = c.open(r.Context())
	}
	if err != nil || answer.Error != nil {
		c.engine.Close()
		if err != nil {
			refuse(w, http.StatusInternalServerError, m.ID, -32603, err.Error())
		} else {
			reply(w, http.StatusOK, response(m.ID, answer))
		}
		return
	}
	id := rand.Text()
	b.mu.Lock()
	b.sessions[id] = c
	b.mu.Unlock()
	w.Header().Set(sessionHeader, id)
	reply(w, http.StatusOK, response(m.ID, answer))
}

// session returns the session that a request names. If there is none, it answers the request with an error
// and returns nil.
func (b *Bridge) session(w http.ResponseWriter, r *http.Request) *conn {
	id := r.Header.Get(sessionHeader)
	if id == "" {
		http.Error(w, "the header "+sessionHeader+" is missing", http.StatusBadRequest)
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.sessions[id]
	if c == nil {
		http.Error(w, "there is no such session", http.StatusNotFound)
	}
	return c
}

// local reports whether a host is this computer, by a name that always means this computer.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func localOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && local(u.Host)
}

// response returns a response of the engine with the id of the client's request.
func response(id json.RawMessage, m jsonrpc.Message) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if m.Error != nil {
		line = append(append(line, `,"error":`...), m.Error...)
	} else {
		line = append(append(line, `,"result":`...), m.Result...)
	}
	return append(line, '}')
}

// reply answers a request with one message.
func reply(w http.ResponseWriter, status int, message []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(message) // an error means that the client has gone
}

// refuse answers a request with an error of the bridge.
func refuse(w http.ResponseWriter, status int, id json.RawMessage, code int, text string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	failure := jsonrpc.AppendString(fmt.Appendf(nil, `{"code":%d,"message":`, code), text)
	reply(w, status, response(id, jsonrpc.Message{Error: append(failure, '}')}))
}
