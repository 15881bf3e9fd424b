package signin

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// callbackPath is the path to which the browser returns.
const callbackPath = "/callback"

// callback waits until the browser returns from the sign-in service.
type callback struct {
	state    string
	service  *service
	exchange func(code string) error
	result   chan error

	once sync.Once
}

func newCallback(state string, at *service, exchange func(code string) error) *callback {
	return &callback{state: state, service: at, exchange: exchange, result: make(chan error, 1)}
}

// serve answers the browser until stop is called. stop gives the last page a moment to arrive, and waits for
// the end.
func (c *callback) serve(listeners []net.Listener) (stop func()) {
	server := &http.Server{
		Handler: c, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0),
	}
	var ended background.Group
	for _, listener := range listeners {
		ended.Go(func() { _ = server.Serve(listener) }) // returns when stop is called
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
		ended.Wait()
	}
}

// ServeHTTP implements [http.Handler]. The page contains no text from the request.
func (c *callback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != callbackPath || r.Method != http.MethodGet {
		http.NotFound(w, r)
		return
	}
	query := r.URL.Query()
	if query.Get("state") != c.state {
		// Any program on this computer can send a request here. This one is not the answer to our request,
		// which may still come.
		page(w, http.StatusBadRequest, "This is not the sign-in that Workbench is waiting for.")
		return
	}
	answered := false
	c.once.Do(func() {
		answered = true
		err := c.take(query)
		if err != nil {
			page(w, http.StatusOK, "You are not signed in. You can close this page; Workbench says what went wrong.")
		} else {
			page(w, http.StatusOK, "You are signed in. You can close this page.")
		}
		c.result <- err
	})
	if !answered {
		page(w, http.StatusBadRequest, "This sign-in has ended already. You can close this page.")
	}
}

// take checks the parameters from the browser: first the issuer, and the others only if that is right (RFC
// 9207, section 2.4).
func (c *callback) take(query url.Values) error {
	code, refused := query.Get("code"), query.Get("error")
	issuer, given := query["iss"]
	switch {
	case c.service.SendsIssuer && !given:
		return words.NewError("signin.issuer_missing")
	// Issuers are compared byte for byte: two spellings of an address are different.
	case given && c.service.known && (len(issuer) != 1 || issuer[0] != c.service.Issuer):
		return words.NewError("signin.issuer_other")
	case refused == "access_denied":
		return ErrDenied
	case refused != "":
		return &refusedError{what: "signin.failed", code: word(refused)}
	case code == "":
		return words.NewError("signin.no_code")
	}
	return c.exchange(code)
}

// page answers with a page that has one sentence.
func page(w http.ResponseWriter, code int, sentence string) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Connection", "close")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, fmt.Sprintf(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Workbench</title>
<body style="font: 18px system-ui, sans-serif; max-width: 32em; margin: 20vh auto 0; padding: 0 1em">
<h1 style="font-size: 22px">Workbench</h1><p>%s</p>
`, sentence))
}
