package httpserver

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// checkOrigin returns why a request may have been made by a web page of somebody else. A page can make the name of its
// own host mean this computer, so requests must name a host that is ours. It cannot do so with an address, so any
// address will do.
func (s *Server) checkOrigin(r *http.Request) error {
	if !s.ours(r.Host, true) {
		return errors.New("The header Host names a host that is not this server; start it with --host NAME if it is")
	}
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || !s.ours(u.Host, false) {
			return errors.New("The header Origin names a page that may not use this server")
		}
	}
	return nil
}

// ours reports whether a host, with or without a port, is this server. addresses says whether any address is.
func (s *Server) ours(host string, addresses bool) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip != nil {
		return addresses || ip.IsLoopback()
	}
	return slices.ContainsFunc(append([]string{"localhost"}, s.options.Hosts...), func(name string) bool {
		return strings.EqualFold(name, host)
	})
}

// bearer precedes the token in the header Authorization.
const bearer = "Bearer "

// appOf returns the app of a request's token. If there is none, it refuses the request.
func (s *Server) appOf(w http.ResponseWriter, r *http.Request) (*app, bool) {
	name := s.options.TokenHeader
	if name == "" {
		name = "Authorization"
	}
	if r.URL.RawQuery != "" || r.URL.ForceQuery {
		s.refuse(w, r, http.StatusBadRequest,
			"The address has no query. A token goes into the header "+name+", since addresses end up in logs")
		return nil, false
	}
	values := r.Header.Values(name)
	if len(values) > 1 {
		s.refuse(w, r, http.StatusBadRequest, "The header "+name+" is there more than once")
		return nil, false
	}
	if len(values) == 1 {
		value := values[0]
		if len(value) > len(bearer) && strings.EqualFold(value[:len(bearer)], bearer) {
			value = value[len(bearer):]
		} else if s.options.TokenHeader == "" {
			value = ""
		}
		if owner := s.apps.app(strings.TrimSpace(value)); owner != nil {
			return owner, true
		}
	}
	if s.options.TokenHeader == "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="Workbench"`)
	}
	what := "The request has no token that is known here. Each app needs one: workbench-desktop serve token add NAME " +
		"prints it. It goes into the header " + name
	if s.options.TokenHeader == "" {
		what += ": " + bearer + "TOKEN"
	}
	s.refuse(w, r, http.StatusUnauthorized, what)
	return nil, false
}

// refuse answers a request with an error that belongs to no message.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	s.refusals.note(r, status, why)
	s.fail(w, status, nil, jsonrpc.CodeInvalidRequest, why)
}

// fail answers a message with an error. id may be nil.
func (s *Server) fail(w http.ResponseWriter, status int, id []byte, code int, why string) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.options.Limits.Patience))
	if id == nil {
		id = []byte("null")
	}
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	line = fmt.Appendf(line, `,"error":{"code":%d,"message":`, code)
	w.Header().Set("Content-Type", asJSON)
	w.Header().Set("Connection", "close") // otherwise the rest of the body would be read first
	w.WriteHeader(status)
	_, _ = w.Write(append(jsonrpc.AppendString(line, why), "}}"...)) // an error means that the client has gone
}

// maxRefusals is how many refused requests are logged in a minute.
const maxRefusals = 30

// refusals logs requests that were refused, so that nobody can fill the log with them.
type refusals struct {
	log *slog.Logger

	mu     sync.Mutex
	minute time.Time
	count  int
}

// note logs a refused request. Nothing of the request itself but its method is in the log, since it may have a secret
// anywhere.
func (f *refusals) note(r *http.Request, status int, why string) {
	f.mu.Lock()
	if now := time.Now().Truncate(time.Minute); now != f.minute {
		if left := f.count - maxRefusals; left > 0 {
			f.log.Warn("More requests were refused", "count", left)
		}
		f.minute, f.count = now, 0
	}
	f.count++
	wanted := f.count <= maxRefusals
	f.mu.Unlock()
	if wanted {
		f.log.Warn("A request was refused", "from", r.RemoteAddr, "method", method(r), "status", status, "problem", why)
	}
}

// method returns the method of a request if it is one of the usual ones.
func method(r *http.Request) string {
	if slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodOptions, http.MethodHead,
		http.MethodPut}, r.Method) {
		return r.Method
	}
	return "another"
}
