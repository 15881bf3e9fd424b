package downstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Subscribe subscribes to a resource. Updates are passed to [Options.OnNotification]. The error is an [*RPCError] if
// the server has not declared resources.subscribe.
func (s *Session) Subscribe(ctx context.Context, uri string) error {
	return s.subscription(ctx, "resources/subscribe", uri)
}

// Unsubscribe undoes [Session.Subscribe].
func (s *Session) Unsubscribe(ctx context.Context, uri string) error {
	return s.subscription(ctx, "resources/unsubscribe", uri)
}

func (s *Session) subscription(ctx context.Context, method, uri string) error {
	if !s.Info().Has("resources", "subscribe") {
		return &RPCError{Code: jsonrpc.CodeMethodNotFound,
			Message: fmt.Sprintf("the server '%s' does not say when its resources change", s.conn.o.Server.Name)}
	}
	if s.conn.modern() {
		return s.subs.change(ctx, uri, method == "resources/subscribe")
	}
	return s.set(ctx, method, "uri", uri)
}

// SetLevel sets the lowest level of log messages that the server sends. It does nothing if the server has not declared
// the capability logging.
func (s *Session) SetLevel(ctx context.Context, level string) error {
	if !s.Info().Has("logging") {
		return nil
	}
	if s.conn.modern() {
		s.conn.era.Store(newEra(s.conn.o, level))
		return nil
	}
	return s.set(ctx, "logging/setLevel", "level", level)
}

// set sends a request with one member and ignores the result. It has the time limit of lists.
func (s *Session) set(ctx context.Context, method, member, value string) error {
	limit := max(s.conn.o.listTimeout(), minListTimeout)
	limited, cancel := withLimit(ctx, limit)
	defer cancel()
	_, err := s.conn.request(limited, method, []jsonrpc.Member{{Name: member, Value: jsonrpc.AppendString(nil, value)}})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return words.NewError("downstream.no_reply", "Method", method, "Limit", limit).Because(ErrTimeout)
	}
	return err
}
