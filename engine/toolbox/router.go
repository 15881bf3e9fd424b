package toolbox

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// router finds the connected link for a request.
type router struct {
	deadline   time.Duration // for a server to connect
	life       *life
	boxes      *boxes
	super      *supervisor
	references *references // of the resources that results have linked to
}

// request is [Manager.Request].
func (r *router) request(ctx context.Context, to ServerID, call downstream.Call) ([]jsonrpc.Member, error) {
	var result []jsonrpc.Member
	err := r.onLink(ctx, to, call.Method, func(l *link) (err error) {
		result, err = l.session.Call(ctx, call)
		return err
	})
	if err != nil {
		return nil, err
	}
	result = definition.MendResult(call.Method, call.Params, result)
	r.references.note(to, result)
	return withOwnPages(to, result), nil
}

// onLink calls f with the connected link of a server. If the server has forgotten its session, onLink calls f once
// more with the link of a new session. method is the method of the request that f makes.
func (r *router) onLink(ctx context.Context, to ServerID, method string, f func(*link) error) error {
	for renewed := false; ; renewed = true {
		l, release, err := r.acquire(ctx, ToolID{Toolbox: to.Toolbox, Server: to.Server})
		if err != nil {
			return err
		}
		err = f(l)
		release()
		switch {
		case err == nil:
			return nil
		case renewed || !mayRepeat(ctx, err):
			return r.requestFailed(l, method, err)
		}
	}
}

// requestFailed converts an error of a session to one for callers of [Manager.Request].
func (r *router) requestFailed(l *link, method string, err error) error {
	if rpc := asRPC(err); rpc != nil {
		return rpc
	}
	if isContext(err) {
		return err
	}
	return newError(codeOf(err), contract.Details{Toolbox: l.toolbox, Server: l.entry.Name}, err,
		words.New("toolbox.request_failed", "Method", method, "Server", l.entry.Name, "Toolbox", l.toolbox,
			"Why", r.boxes.reason(l, err)))
}

// acquire returns the connected link for a tool's server, and opens the toolbox if it is closed. A change of the
// configuration does not end the link before release is called.
func (r *router) acquire(ctx context.Context, id ToolID) (l *link, release func(), err error) {
	// A link may end or be replaced before it is used. It is then looked up again, but not without end.
	for range 3 {
		server, found, err := r.seek(id)
		if err != nil {
			return nil, nil, err
		}
		if err := r.awaitOne(ctx, found); err != nil {
			return nil, nil, err
		}
		r.boxes.mu.Lock()
		b := r.boxes.open[id.Toolbox]
		if b != nil && b.links[server.Name] == found && in[connectedState](found) && found.connected() {
			found.calls.Add(1)
			r.boxes.mu.Unlock()
			return found, found.calls.Done, nil
		}
		replaced := b != nil && b.links[server.Name] != found
		r.boxes.mu.Unlock()
		if found.err != nil && !replaced {
			return nil, nil, r.boxes.failure(found)
		}
		l = found
	}
	return nil, nil, r.boxes.failure(l)
}

// seek checks id against the configuration and returns the link of its server, which it starts if necessary.
func (r *router) seek(id ToolID) (*config.Server, *link, error) {
	r.boxes.mu.Lock()
	defer r.boxes.mu.Unlock()
	if r.boxes.closed {
		return nil, nil, callFailed(id, contract.Unavailable, errShutdown)
	}
	toolbox, ok := r.boxes.config.Toolbox(id.Toolbox)
	if !ok {
		return nil, nil, toolboxNotFound(id.Toolbox, toolboxNames(r.boxes.config))
	}
	server, ok := toolbox.Server(id.Server)
	if !ok || server.Disabled {
		return nil, nil, unusable(toolbox, id, ok)
	}
	if id.Tool != "" && !server.Allows(id.Tool) {
		err := toolNotFound(id, nil)
		err.Hints = nil
		if l := r.boxes.link(id.On()); l != nil {
			err.hintAvailable("toolbox.available_tools", toolNames(l.offered(server)))
		}
		return nil, nil, err
	}
	if r.boxes.paused {
		return nil, nil, callFailed(id, contract.Unavailable, errPaused)
	}
	if in[heldState](r.boxes.link(id.On())) {
		return nil, nil, callFailed(id, contract.Unavailable, errHeld)
	}
	if r.boxes.open[id.Toolbox] == nil {
		r.life.log.Info("Opening toolbox", "toolbox", id.Toolbox, "server", id.Server)
		for _, other := range toolbox.Enabled() {
			r.super.ensure(id.Toolbox, other)
		}
	}
	return server, r.super.ensure(id.Toolbox, server), nil
}

// awaitOne returns when the link has settled. It returns an error at the deadline and when ctx ends.
func (r *router) awaitOne(ctx context.Context, l *link) error {
	if l.settled() {
		return nil
	}
	deadline := time.NewTimer(r.deadline)
	defer deadline.Stop()
	select {
	case <-l.attempt.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-deadline.C:
		so := time.Since(l.attempt.started).Round(time.Second)
		return connectFailed(l.toolbox, l.entry.Name, words.NewError("toolbox.still_starting", "Time", so))
	}
}
