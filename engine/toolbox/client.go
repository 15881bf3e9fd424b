package toolbox

import (
	"context"
	"encoding/json"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Client is the other side of the servers: the client of this engine, or the person at the window. Its methods are
// called from several goroutines.
type Client interface {
	// Capabilities returns what servers are told that the client can do, a JSON object, or nil for nothing. It is asked
	// whenever a server is started.
	Capabilities() json.RawMessage
	// Modern reports whether the client speaks 2026-07-28, so that servers which do as well need not be translated.
	// It is asked whenever a server is started.
	Modern() bool
	// Ask answers a request of a server, such as sampling/createMessage. A [*downstream.RPCError] passes as it is.
	// ctx ends when the server no longer waits. If the call that the request belongs to is known, ctx is derived from
	// that call's context.
	Ask(ctx context.Context, from ServerID, method string, params json.RawMessage) (json.RawMessage, error)
	// Hear gets a notification of a server. It is called on the goroutine that reads from the server and must not
	// block; params are valid until it returns. Updates come under the URIs that were subscribed to.
	Hear(from ServerID, method string, params json.RawMessage)
}

// asksTold is how many of a server's requests the journal notes one by one. After that it notes one of every asksTold.
const asksTold = 50

// clientSide connects servers with the client: what they ask of it and tell it, and what it has said to all of them.
type clientSide struct {
	client        Client // nil: servers cannot ask anybody
	boxes         *boxes
	life          *life
	tasks         *owners // that the client knows of
	elicitations  *owners // those that have an id
	subscriptions *subscriptions
	level         string // of messages, as the client wants it; "" until it has said. boxes.mu guards it
}

// connect adds the options that connect a session with the client.
func (c *clientSide) connect(l *link, o downstream.Options) downstream.Options {
	client := c.client
	if client == nil {
		return o
	}
	from := l.id()
	o.Capabilities = client.Capabilities()
	o.PreferModern = client.Modern()
	o.OnRequest = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		n := l.said.asks.Add(1)
		tell := n <= asksTold || n%asksTold == 0 // it may go on for ever
		if tell {
			l.journal.say(words.New("toolbox.asks_client", "Method", method, "Number", n))
		}
		c.elicitations.noteElicitation(from, params)
		result, err := client.Ask(ctx, from, method, params)
		if err != nil && tell {
			l.journal.say(words.New("toolbox.client_silent", "Method", method, "Why", err))
		}
		return result, err
	}
	o.OnNotification = func(method string, params json.RawMessage) {
		switch method {
		case downstream.TaskStatus:
			if id, _ := jsonrpc.String(jsonrpc.Lookup(params, "taskId")); !c.tasks.belongs(id, from) {
				l.noteForeignTasks()
				return
			}
		case downstream.ElicitationComplete:
			if id, _ := jsonrpc.String(jsonrpc.Lookup(params, "elicitationId")); !c.elicitations.belongs(id, from) {
				return // it belongs to another server
			}
		}
		if method != downstream.ResourceUpdated {
			client.Hear(from, method, params)
			return
		}
		uri, _ := jsonrpc.String(jsonrpc.Lookup(params, "uri"))
		names := c.subscriptions.of(from, uri)
		if len(names) == 0 {
			l.said.updates.Do(func() { l.journal.say(words.New("toolbox.stray_updates")) })
		}
		for _, name := range names {
			client.Hear(from, method, withURI(params, name))
		}
	}
	return o
}

// sendSettings tells a server that was just connected what the client has said before. Settings that the server does not
// support are skipped.
func (c *clientSide) sendSettings(l *link) {
	c.tellLevel(l)
	for _, uri := range c.subscriptions.uris(l.id()) {
		if err := l.session.Subscribe(c.life.ctx, uri); err != nil {
			l.journal.say(words.New("toolbox.subscription_refused", "URI", downstream.Clean(uri, maxName), "Why", err))
		}
	}
}

// levelPatience is how long a server may take to hear of a level before the client is told that it is done.
const levelPatience = 2 * time.Second

// setLevel makes all servers, also those connected later, send messages of this level and above. It waits for a
// server that does not answer only the first time, and for levelPatience at most.
func (c *clientSide) setLevel(ctx context.Context, level string) {
	c.boxes.mu.Lock()
	c.level = level
	c.boxes.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, levelPatience)
	defer cancel()
	each(c.boxes.connected("logging"), func(_ int, l *link) {
		heard := make(chan struct{})
		c.life.running.Go(func() {
			defer close(heard)
			c.tellLevel(l)
		})
		if l.level.slow.Load() {
			return
		}
		select {
		case <-heard:
		case <-ctx.Done():
			l.level.slow.Store(true)
		}
	})
}

// tellLevel tells one server of the level that is wanted now.
func (c *clientSide) tellLevel(l *link) {
	l.level.telling.Lock() // so that the last one told is the last one wanted
	defer l.level.telling.Unlock()
	c.boxes.mu.Lock()
	level := c.level
	c.boxes.mu.Unlock()
	if level == "" {
		return
	}
	if err := l.session.SetLevel(c.life.ctx, level); err != nil {
		l.journal.say(words.New("toolbox.level_refused", "Why", err))
	}
}
