package ipc

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// ask sends a command to an engine and waits for the reply.
func (h *Hub) ask(ctx context.Context, engine EngineID, m *message) (*message, error) {
	answer := make(chan *message, 1)
	h.mu.Lock()
	p := h.find(engine)
	switch {
	case p == nil:
		h.mu.Unlock()
		return nil, ErrGone
	case p.other:
		h.mu.Unlock()
		return nil, ErrOtherVersion
	}
	m.ID = p.lastID.Add(1)
	p.pending[m.ID] = answer
	p.send(m)
	h.mu.Unlock()
	select {
	case reply := <-answer:
		if !reply.Error.IsZero() {
			return nil, reply.Error.Err()
		}
		return reply, nil
	case <-p.gone:
		return nil, ErrGone
	case <-ctx.Done():
		h.mu.Lock()
		delete(p.pending, m.ID)
		h.mu.Unlock()
		return nil, ctx.Err()
	}
}

// find returns the peer of an engine, or nil. The caller holds h.mu.
func (h *Hub) find(engine EngineID) *peer {
	for _, p := range h.peers {
		if p.id == engine {
			return p
		}
	}
	return nil
}

// Restart restarts a server in any state. It returns when the server is connected, or with the error. If ctx
// ends, the server continues to start.
func (h *Hub) Restart(ctx context.Context, engine EngineID, toolbox, server string) error {
	_, err := h.ask(ctx, engine, &message{Type: typeRestart, Toolbox: toolbox, Server: server})
	return err
}

// Stop stops a server and keeps calls and automatic restarts from starting it. Restart, and opening its
// toolbox, start it again. Stop returns when the server is gone.
func (h *Hub) Stop(ctx context.Context, engine EngineID, toolbox, server string) error {
	_, err := h.ask(ctx, engine, &message{Type: typeStop, Toolbox: toolbox, Server: server})
	return err
}

// OpenToolbox connects the servers of a toolbox. It returns an error only if none could be connected; the
// snapshot shows the others.
func (h *Hub) OpenToolbox(ctx context.Context, engine EngineID, toolbox string) error {
	_, err := h.ask(ctx, engine, &message{Type: typeOpen, Toolbox: toolbox})
	return err
}

// CloseToolbox ends the servers of a toolbox.
func (h *Hub) CloseToolbox(ctx context.Context, engine EngineID, toolbox string) error {
	_, err := h.ask(ctx, engine, &message{Type: typeClose, Toolbox: toolbox})
	return err
}

// Tools returns all tools of a server, including those that clients may not see; none before it was
// connected.
func (h *Hub) Tools(ctx context.Context, engine EngineID, toolbox, server string) ([]status.Tool, error) {
	reply, err := h.ask(ctx, engine, &message{Type: typeTools, Toolbox: toolbox, Server: server})
	if err != nil {
		return nil, err
	}
	return reply.Tools, nil
}

// Log returns the last lines of a server's log, oldest first.
func (h *Hub) Log(ctx context.Context, engine EngineID, toolbox, server string) ([]status.LogLine, error) {
	reply, err := h.ask(ctx, engine, &message{Type: typeGetLog, Toolbox: toolbox, Server: server})
	if err != nil {
		return nil, err
	}
	return reply.Lines, nil
}

// SetPaused pauses all engines, including those that connect later, or lets all continue. When the app ends,
// engines continue by themselves.
func (h *Hub) SetPaused(paused bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.paused == paused {
		return
	}
	h.paused = paused
	h.tellAll(&message{Type: typePause, Paused: paused})
	h.changed()
}

// Paused returns the value of the last SetPaused.
func (h *Hub) Paused() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.paused
}

// Reread makes all engines read the configuration again at once. They also do so by themselves when the file
// changes.
func (h *Hub) Reread() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tellAll(&message{Type: typeReread})
}

// tellAll sends a message to all engines of the same version. The caller must hold h.mu.
func (h *Hub) tellAll(m *message) {
	for _, p := range h.peers {
		if !p.other {
			p.send(m)
		}
	}
}
