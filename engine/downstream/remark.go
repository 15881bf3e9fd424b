package downstream

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Rate limits on a server's requests and notifications, see [bucket].
const (
	// Requests that need work by a model or a person.
	workBurst, workRate = 20, 1
	// Other requests.
	askBurst, askRate = 100, 10
	// Notifications other than updates of resources, which are merged.
	tellBurst, tellRate = 2_000, 500

	// maxNotice is the largest size of the params of a notification for the client, in bytes.
	maxNotice = 1 << 20
)

// remark logs a fault of the server. Each code is logged once in a session.
func (r *remarks) remark(text words.Text) {
	if _, said := r.remarked.LoadOrStore(text.Code, true); said {
		return
	}
	r.lines.say(text)
	r.log.Warn("The server breaks the protocol", "problem", clean(r.lines.hide(text.String()), 400))
}

// mayTell reports whether a notification may be passed to the client.
func (r *remarks) mayTell(m jsonrpc.Message) bool {
	switch {
	case len(m.Params) > maxNotice:
		r.remark(words.New("downstream.notification_too_large", "Method", clean(m.Method, 100), "Size", len(m.Params),
			"Limit", inWords(maxNotice)))
	case jsonrpc.Depth(m.Params) > maxNested:
		r.remark(words.New("downstream.notification_too_deep", "Method", clean(m.Method, 100), "Limit", maxNested))
	case m.Method != ResourceUpdated && !r.told.take(time.Now(), tellBurst, tellRate):
		r.remark(words.New("downstream.notifications_too_many", "Rate", tellRate))
	default:
		return true
	}
	return false
}

// maxStrayShown is how many stray messages of a session are logged.
const maxStrayShown = 20

// remarks logs what is wrong with a server, in the server's log and in ours.
type remarks struct {
	log      *slog.Logger
	lines    *serverLog
	limit    int          // [Options.MaxMessage]
	stray    atomic.Int64 // number of stray messages
	remarked sync.Map     // codes of logged faults, see remark
	told     bucket       // rate limit of notifications for the client
	skipped  atomic.Int64 // size of the last line that was too long, in bytes; 0 if there was none
}

// strayLine logs a line on stdout that is not part of the protocol.
func (r *remarks) strayLine(data []byte, why error) {
	text := decodeLine(data[:min(len(data), 2*maxLogLine)])
	r.lines.add(SourceStdout, "", text)
	switch count := r.stray.Add(1); {
	case count <= maxStrayShown:
		r.log.Warn("Stray message from the server", "text", clean(r.lines.hide(text), 200), "problem",
			clean(why.Error(), 200))
	case count == maxStrayShown+1:
		r.log.Warn("More stray messages from the server are not logged")
	}
}

// overlong returns a text about the last line that was too long, or the zero Text. If a server cannot be connected,
// its answer may have been on that line.
func (r *remarks) overlong() words.Text {
	size := r.skipped.Load()
	if size == 0 {
		return words.Text{}
	}
	return words.New("downstream.line_skipped", "Size", size, "Limit", inWords(r.limit))
}

// notice logs that the server does not report some changes.
func (r *remarks) notice(text words.Text) {
	r.log.Info("The server does not tell of all changes", "reason", clean(text.String(), maxLogLine))
	r.lines.say(text)
}

// explain returns the error for a failure to connect. ctx is the context of the caller; limit is our time limit.
func (r *remarks) explain(ctx context.Context, err error, method string, limit time.Duration) error {
	var refused *RPCError
	if errors.As(err, &refused) {
		// Unlike the error of a call, this one goes into logs and lists, and servers often repeat the key
		// that they refuse.
		masked := *refused
		masked.Message = r.lines.hide(masked.Message)
		refused, err = &masked, &masked
	}
	var notAccepted initializeRefused
	switch {
	case errors.Is(err, ErrStopped) || errors.Is(err, ErrClosed) || errors.Is(err, errNotMCP):
		return err
	case errors.As(err, &notAccepted):
		return notAccepted.error
	case errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound && method == "initialize":
		return words.NewError("downstream.no_initialize", "Why", err)
	case errors.As(err, &refused):
		reason := words.NewError("downstream.refused", "Method", method, "Why", err)
		if len(refused.Data) == 0 || string(refused.Data) == "null" {
			return reason
		}
		said := clean(string(jsonrpc.AppendCompact(nil, refused.Data)), maxRefusal)
		return words.NewError("downstream.server_says", "What", reason, "Said", said).Because(reason)
	case ctx.Err() != nil:
		return words.NewError("downstream.given_up", "Method", method, "Why", ctx.Err(), "Skipped", r.overlong(), "Wrote",
			r.lines.reason(5))
	case errors.Is(err, context.DeadlineExceeded):
		return words.NewError("downstream.no_answer", "Method", method, "Limit", limit, "Skipped", r.overlong(), "Wrote",
			r.lines.reason(5)).
			Because(ErrTimeout)
	}
	return words.NewError("downstream.answer_unusable", "Method", method, "Why", err)
}
