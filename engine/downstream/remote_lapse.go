package downstream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A server may forget a session: when it is restarted, after a time without requests, or when a load balancer sends a
// request to another instance. This is called a lapse. The protocol requires status 404 for it, but servers report it
// in many ways. The request has not run, so it can be sent again in a new session; see [ErrNotRun].

// lapseError means that a server refused a request because it does not know the session.
type lapseError struct {
	// versions are the versions that the server supports, if it refused the request because of its version.
	versions []string
	// unsure is set if the request may have run.
	unsure bool
}

func (e *lapseError) Error() string { return "the server does not know the session" }

// because returns reason, with the versions that the server supports if it has sent them.
func (e *lapseError) because(reason error) error {
	if len(e.versions) == 0 {
		return reason
	}
	return &versionRefused{reason, e.versions}
}

// aboutSession matches messages of servers about an unknown session. The word "session" alone is not enough, since
// tools may have sessions, too.
var aboutSession = lazyregexp.New(`(?i)(?:` +
	`(?:unknown|invalid|expired|stale|missing|no|bad|unrecogni[sz]ed|not find|not found)` +
	`\W+(?:\w+\W+){0,3}?(?:mcp.?)?session` +
	`|session(?:.?id)?\b.{0,60}?(?:not found|unknown|invalid|expired|terminated|not exist|doesn't exist|no longer` +
	`|closed|ended|not valid|not active|inactive|timed out|required|missing)` +
	`|not (?:been |yet )?initiali[sz]ed|initiali[sz]e first|re-?initiali[sz]e|mcp-session-id` +
	`|expect(?:s|ed)? initiali[sz]ed?|before initiali[sz]ation)`)

// lapse returns a [lapseError] if the body of an answer says that the server does not know the session or the version
// of the protocol, and nil otherwise. The version may be refused before the session has begun.
func (r *remote) lapse(note *note, id int64, body []byte) error {
	said := string(body[:min(len(body), maxHeard)])
	answer, err := jsonrpc.Parse(body)
	carries := err == nil && carriesAnswer(answer)
	own := false // the answer has the id of the request, so the server has read the body
	if carries {
		if answer.Error == nil {
			return nil
		}
		failure := ParseError(answer.Error)
		answered, ok := parseID(answer.ID)
		own = ok && answered == id
		said = failure.Message
		switch failure.Code {
		case jsonrpc.CodeInvalidParams, jsonrpc.CodeMethodNotFound, jsonrpc.CodeInternalError:
			if own { // the server has handled the request
				if aboutSession.MatchString(said) {
					r.checkSession()
				}
				return nil
			}
		}
	}
	status := int(note.status.Load())
	if status == http.StatusBadRequest && note.missing.Load() == nil && (r.state.begun.Load() || !carries) &&
		aboutVersion.MatchString(said) {
		if named := dated.FindAllString(said, maxVersions); len(named) > 0 {
			return &lapseError{versions: named}
		}
	}
	if !r.state.begun.Load() || note.missing.Load() != nil {
		return nil
	}
	known := r.state.session.Load() != nil || r.state.endpoint.Load() != nil
	speaks := aboutSession.MatchString(said)
	switch {
	case carries && note.failed() && ParseError(answer.Error).Code == jsonrpc.CodeUnsupportedVersion:
		return &lapseError{}
	case !known:
		if speaks && (status == http.StatusBadRequest || status == http.StatusNotFound && !own) {
			return &lapseError{} // the server was replaced by one with sessions
		}
	case status == http.StatusNotFound || status == http.StatusGone:
		if !own || speaks {
			return &lapseError{}
		}
	case status == http.StatusUnauthorized: // if the token was refused, it will be again in the new session
		return &lapseError{}
	case !speaks:
	case own && (!note.failed() || status >= http.StatusInternalServerError): // the message may come from a tool
		r.checkSession()
	case note.failed():
		return &lapseError{unsure: status == http.StatusInternalServerError}
	case !own: // an error without the id, with the status of success
		return &lapseError{}
	}
	return nil
}

// lapsed returns a [lapseError] if a message of a stream says that the server does not know the session, and nil
// otherwise.
func (r *remote) lapsed(note *note, id int64, data []byte) error {
	if len(data) > maxHeard || !bytes.Contains(data, []byte("error")) {
		return nil
	}
	if message, err := jsonrpc.Parse(data); err == nil && message.Error == nil {
		return nil
	}
	return r.lapse(note, id, data)
}

// lapsedOn handles a request that was refused with a lapse.
func (r *remote) lapsedOn(id int64, lapse *lapseError, reason error) {
	reason = lapse.because(reason)
	if r.state.begun.Load() {
		r.retire(reason)
	}
	if !lapse.unsure {
		reason = &notRunError{reason}
	}
	r.failed(id, reason)
}

func (e *versionRefused) Text() words.Text { return words.Of(e.error) }
func (e *versionRefused) Unwrap() error    { return e.error }

// forgotten ends the session because the server has forgotten it. lapse may be nil.
func (r *remote) forgotten(note *note, lapse error) {
	how, said := errors.AsType[*lapseError](lapse)
	if !said {
		how = &lapseError{}
	}
	r.retire(how.because(r.reason(note, how)))
}

// retire ends the session for new requests. The connection ends when the requests in flight are answered.
func (r *remote) retire(reason error) {
	lost := &lostError{reason, true}
	if r.state.leaving.CompareAndSwap(nil, lost) {
		r.retired(lost)
	}
	r.leave()
}

// leave ends the connection if its session has ended and no request is in flight.
func (r *remote) leave() {
	reason := r.state.leaving.Load()
	if reason == nil {
		return
	}
	r.mu.Lock()
	busy := false
	for _, request := range r.inflight {
		busy = busy || !request.listens
	}
	r.left = r.left || !busy
	r.mu.Unlock()
	if !busy {
		r.pipe.cancel(reason)
	}
}

// checkSession asks the server in the background whether it knows the session, after an error that may be about the
// session. If "ping" is not answered either, the server has forgotten the session.
func (r *remote) checkSession() {
	if r.state.session.Load() == nil || !r.state.begun.Load() || !r.state.checking.CompareAndSwap(false, true) {
		return
	}
	r.asking.Go(func() {
		defer r.state.checking.Store(false)
		ctx, cancel := context.WithTimeout(r.pipe.ctx, tellTime)
		defer cancel()
		ctx, note := noted(ctx)
		line := []byte(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
		message, err := jsonrpc.Parse(line)
		if err != nil {
			return
		}
		response, err := r.post(ctx, outgoing{message, line})
		if err != nil {
			return // the next request will fail, too
		}
		body := readRefusal(response)
		if isStream(response) {
			stream := events{in: bufio.NewReader(bytes.NewReader(body))}
			_, body, _ = stream.next()
		}
		lapse := r.lapse(note, 0, body)
		if answer, err := jsonrpc.Parse(body); lapse == nil && err == nil && carriesAnswer(answer) {
			if answer.Error == nil || !aboutSession.MatchString(ParseError(answer.Error).Message) {
				return // the server may not implement "ping"
			}
		} else if !note.failed() {
			return
		}
		r.log.Debug("The server does not answer in this session any more", "status", response.StatusCode)
		r.forgotten(note, lapse)
	})
}

// Ran returns err for a request that belongs to an operation that has run already, and so must not be repeated: the
// result does not wrap [ErrNotRun].
func Ran(err error) error {
	if unrun, ok := errors.AsType[*notRunError](err); ok {
		return unrun.reason
	}
	return err
}

// notRunError is an error of a request that did not run.
type notRunError struct{ reason error }

func (e *notRunError) Error() string    { return e.reason.Error() }
func (e *notRunError) Text() words.Text { return words.Of(e.reason) }
func (e *notRunError) Unwrap() []error  { return []error{e.reason, ErrNotRun, ErrStopped} }
