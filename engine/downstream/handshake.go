package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// protocolVersion is the newest version that begins with initialize.
const protocolVersion = mcp.ProtocolVersion20251125

// handshake begins the session and lists the tools.
func (s *Session) handshake(ctx context.Context) error {
	result, err := s.greet(ctx)
	if err != nil {
		return err
	}
	limit := s.o.listTimeout()
	list, cancel := withLimit(ctx, limit)
	defer cancel()
	tools, err := s.listAll(list, Tools, result)
	if err != nil {
		return s.explain(ctx, err, "tools/list", limit)
	}
	s.lists[Tools].Store(tools)
	return nil
}

// initialize sends initialize and returns the server's whole answer.
func (s *Session) initialize(ctx context.Context, version string) (json.RawMessage, error) {
	result, err := s.request(ctx, "initialize", []jsonrpc.Member{
		{Name: "protocolVersion", Value: json.RawMessage(`"` + version + `"`)},
		{Name: "capabilities", Value: s.o.Capabilities},
		{Name: "clientInfo", Value: s.o.about()},
	})
	if err != nil {
		return nil, err
	}
	spoken, ok := jsonrpc.String(jsonrpc.Lookup(result, "protocolVersion"))
	if !ok {
		return nil, errNotMCP
	}
	if !mcp.IsValidProtocolVersion(spoken) {
		s.remark(words.New("downstream.unknown_version", "Version", clean(spoken, 40)))
	}
	s.introduce(spoken, jsonrpc.Lookup(result, "serverInfo"), result)
	return result, nil
}

// errNotMCP means that the answer to initialize is not one of MCP.
const errNotMCP = words.Code("downstream.not_mcp")

// introduce stores what a server says about itself.
func (s *Session) introduce(version string, server, about json.RawMessage) {
	text := func(object json.RawMessage, name string, limit int) string {
		value, _ := jsonrpc.String(jsonrpc.Lookup(object, name))
		return clean(value, limit)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.info.Name = text(server, "name", 200)
	s.info.Title = text(server, "title", 200)
	s.info.Version = text(server, "version", 100)
	s.info.ProtocolVersion = clean(version, 40)
	s.info.Capabilities = slices.Clone(jsonrpc.Lookup(about, "capabilities"))
	// This may be plain text of several lines, so it is not cleaned here.
	s.info.Instructions, _ = jsonrpc.String(jsonrpc.Lookup(about, "instructions"))
}

// withLimit adds a time limit, unless it is 0.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// explain returns the error for a failure to connect. ctx is the caller's, limit our own.
func (s *Session) explain(ctx context.Context, err error, method string, limit time.Duration) error {
	var refused *RPCError
	if errors.As(err, &refused) {
		// Unlike the error of a call, this one goes into logs and lists, and servers often repeat the key
		// that they refuse.
		masked := *refused
		masked.Message = s.lines.hide(masked.Message)
		refused, err = &masked, &masked
	}
	var stranger strangerError
	switch {
	case errors.Is(err, ErrStopped) || errors.Is(err, ErrClosed) || errors.Is(err, errNotMCP):
		return err
	case errors.As(err, &stranger):
		return stranger.error
	case errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound && method == "initialize":
		return words.NewError("downstream.no_initialize", "Why", err)
	case errors.As(err, &refused):
		return words.NewError("downstream.refused", "Method", method, "Why", err)
	case ctx.Err() != nil:
		return words.NewError("downstream.given_up", "Method", method, "Why", ctx.Err(), "Skipped", s.overlong(), "Wrote", s.lines.reason(5))
	case errors.Is(err, context.DeadlineExceeded):
		return words.NewError("downstream.no_answer", "Method", method, "Limit", limit, "Skipped", s.overlong(), "Wrote", s.lines.reason(5)).
			Because(ErrTimeout)
	}
	return words.NewError("downstream.answer_unusable", "Method", method, "Why", err)
}
