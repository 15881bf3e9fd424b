package downstream

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// protocolVersion is the newest version that begins with initialize.
const protocolVersion = mcp.ProtocolVersion20251125

// handshake begins the session and lists the tools.
func (s *Session) handshake(ctx context.Context) error {
	result, err := s.greeter.greet(ctx)
	if err != nil {
		return err
	}
	limit := s.wire.o.listTimeout()
	list, cancel := withLimit(ctx, limit)
	defer cancel()
	tools, err := s.lists.request(list, Tools, result)
	if err != nil {
		return s.remarks.explain(ctx, err, "tools/list", limit)
	}
	s.lists.of[Tools].Store(tools)
	return nil
}

// withLimit adds a time limit, unless it is 0.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}
