package downstream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// handshake begins the session in one of the eras, and has what the server says about itself.
type handshake struct {
	conn    *conn
	remarks *remarks
	running atomic.Bool // run is in progress
	probing atomic.Bool // server/discover was sent, and the server has not answered anything since

	mu   sync.Mutex
	info Info
}

// about returns what the server has said about itself.
func (h *handshake) about() Info {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.info
}

// run begins the session in one of the eras, within the time limit of the handshake. It tries initialize first, unless
// the client prefers the modern era: most servers are of the older era, and servers of both eras answer initialize,
// too. It returns the server's answer.
func (h *handshake) run(ctx context.Context) ([]jsonrpc.Member, error) {
	h.running.Store(true)
	defer h.running.Store(false)
	limit := h.conn.o.handshakeTimeout()
	limited, cancel := withLimit(ctx, limit)
	defer cancel()
	var late <-chan outcome
	if h.conn.o.PreferModern {
		h.probing.Store(true)
		var discovered []jsonrpc.Member
		var err error
		discovered, late, err = h.probe(limited)
		if err == nil || errors.Is(err, ErrSignIn) || errors.Is(err, ErrUnreachable) {
			h.probing.Store(false)
			return discovered, err
		}
	}
	version := h.conn.o.version
	if version == "" {
		version = protocolVersion
	}
	result, err := h.initialize(limited, version)
	select {
	case a := <-late:
		if discovered, failure := h.discovered(limited, a.result, a.err); failure == nil {
			h.probing.Store(false)
			return discovered, nil
		}
	default:
	}
	h.probing.Store(h.probing.Load() && errors.Is(err, ErrStopped))
	if older := olderVersion(err, version); older != "" {
		result, err = h.initialize(limited, older)
	}
	var refused *RPCError
	var notAccepted initializeRefused
	if err == nil && mcp.IsModernProtocol(h.about().ProtocolVersion) || errors.As(err, &refused) &&
		isModernError(refused) || errors.As(err, &notAccepted) || errors.Is(err, errNotMCP) {
		// The server has started, so it does not need the longer limit of package runners.
		soon, stop := context.WithTimeout(limited, DefaultHandshakeTimeout)
		discovered, failure := h.discover(soon)
		stop()
		if failure == nil {
			return discovered, nil
		}
		h.remarks.log.Debug("The server does not answer server/discover", "error", failure)
		// This failure is reported if the server is of the modern era, or requires a sign-in.
		switch {
		case refused != nil && errors.As(failure, &versionError{}):
			return nil, failure
		case errors.Is(failure, ErrSignIn) || refused != nil && refused.Code <= jsonrpc.CodeHeaderMismatch &&
			refused.Code >= jsonrpc.CodeUnsupportedVersion:
			return nil, h.remarks.explain(ctx, failure, "server/discover", limit)
		}
	}
	if err != nil {
		return nil, h.remarks.explain(ctx, err, "initialize", limit)
	}
	h.running.Store(false)
	if err := h.conn.out.send(limited, 0, []byte("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"),
		nil); err != nil {
		return nil, h.remarks.explain(ctx, err, "initialize", limit)
	}
	return result, nil
}

// probe sends server/discover and waits for the answer for [probeTime]. A process may need longer than that to start,
// such as one that a package runner installs, or on a busy machine. It answers in order, so its answer comes on late
// before that to initialize.
func (h *handshake) probe(ctx context.Context) (_ []jsonrpc.Member, late <-chan outcome, err error) {
	soon, stop := context.WithTimeout(ctx, probeTime)
	defer stop()
	if h.conn.o.remote() {
		discovered, err := h.discover(soon)
		return discovered, nil, err
	}
	h.conn.era.Store(newEra(h.conn.o, ""))
	id := h.conn.lastID.Add(1)
	answers, err := h.conn.sendRequest(ctx, id, callLine(id, &Call{Method: "server/discover", own: h.conn.own(nil)}), &Call{})
	if err == nil {
		select {
		case a := <-answers:
			discovered, err := h.discovered(ctx, a.result, a.err)
			return discovered, nil, err
		case <-soon.Done():
			err = soon.Err()
		}
	}
	h.conn.era.Store(nil)
	return nil, answers, err
}

// discover sends server/discover and returns the answer. After an error, the session is in the older era.
func (h *handshake) discover(ctx context.Context) ([]jsonrpc.Member, error) {
	h.conn.era.Store(newEra(h.conn.o, ""))
	result, err := h.conn.request(ctx, "server/discover", nil)
	return h.discovered(ctx, result, err)
}

// discovered begins the session in the modern era with the answer to server/discover, or in the older era.
func (h *handshake) discovered(ctx context.Context, result []jsonrpc.Member,
	err error) (_ []jsonrpc.Member, failure error) {
	h.conn.era.Store(newEra(h.conn.o, ""))
	defer func() {
		if failure != nil {
			h.conn.era.Store(nil)
		}
	}()
	var refused *RPCError
	if errors.As(err, &refused) && refused.Code == jsonrpc.CodeUnsupportedVersion {
		spoken := texts(jsonrpc.Lookup(refused.Data, "supported"), maxVersions)
		if !slices.Contains(spoken, modernProtocol) {
			return nil, versionError{spoken}
		}
		// The server has refused a version that it lists as supported.
		result, err = h.conn.request(ctx, "server/discover", nil)
	}
	if err == nil {
		err = h.conn.complete("server/discover", result)
	}
	if err != nil {
		return nil, err
	}
	if spoken := texts(jsonrpc.ValueOf(result, "supportedVersions"), maxVersions); !slices.Contains(spoken,
		modernProtocol) {
		return nil, versionError{spoken}
	}
	server := jsonrpc.Lookup(jsonrpc.ValueOf(result, "_meta"), mcp.MetaKeyServerInfo)
	if server == nil {
		server = jsonrpc.ValueOf(result, "serverInfo")
	}
	h.noteInfo(modernProtocol, server, result)
	h.mu.Lock()
	h.info.Modern = true
	h.mu.Unlock()
	return result, nil
}

// initialize sends initialize and returns the answer.
func (h *handshake) initialize(ctx context.Context, version string) ([]jsonrpc.Member, error) {
	result, err := h.conn.request(ctx, "initialize", []jsonrpc.Member{
		{Name: "protocolVersion", Value: json.RawMessage(`"` + version + `"`)},
		{Name: "capabilities", Value: h.conn.o.Capabilities},
		{Name: "clientInfo", Value: h.conn.o.about()},
	})
	if err != nil {
		return nil, err
	}
	spoken, ok := jsonrpc.String(jsonrpc.ValueOf(result, "protocolVersion"))
	if !ok {
		return nil, errNotMCP
	}
	if !mcp.IsValidProtocolVersion(spoken) {
		h.remarks.remark(words.New("downstream.unknown_version", "Version", clean(spoken, 40)))
	}
	h.noteInfo(spoken, jsonrpc.ValueOf(result, "serverInfo"), result)
	return result, nil
}

// noteInfo stores what a server says about itself.
func (h *handshake) noteInfo(version string, server json.RawMessage, about []jsonrpc.Member) {
	text := func(object json.RawMessage, name string, limit int) string {
		value, _ := jsonrpc.String(jsonrpc.Lookup(object, name))
		return clean(value, limit)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.info.Name = text(server, "name", 200)
	h.info.Title = text(server, "title", 200)
	h.info.Version = text(server, "version", 100)
	h.info.ProtocolVersion = clean(version, 40)
	h.info.Capabilities = slices.Clone(jsonrpc.ValueOf(about, "capabilities"))
	// The instructions may have several lines, so they are not cleaned.
	h.info.Instructions, _ = jsonrpc.String(jsonrpc.ValueOf(about, "instructions"))
}
