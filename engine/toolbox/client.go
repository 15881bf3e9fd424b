package toolbox

import (
	"context"
	"encoding/json"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Client is the client of this engine as its servers see it. Its methods are called from several goroutines.
type Client interface {
	// Capabilities returns the client capabilities, as a JSON object, for a server that is being started. Nil means
	// none.
	Capabilities() json.RawMessage
	// Modern reports whether the client speaks 2026-07-28. A server that is being started is then used in that version,
	// if it has it, so that nothing has to be translated.
	Modern() bool
	// Ask answers a request of a server, such as sampling/createMessage. A [*downstream.RPCError] is passed to the
	// server unchanged. ctx ends when the server no longer waits. It is derived from the context of the call that the
	// request belongs to, if that is known.
	Ask(ctx context.Context, from ServerID, method string, params json.RawMessage) (json.RawMessage, error)
	// Hear handles a notification of a server. It is called on the goroutine that reads from the server and must not
	// block. params are valid until it returns. The URI of an updated resource is the one that was subscribed to.
	Hear(from ServerID, method string, params json.RawMessage)
}

// asksTold is how many requests of a server its journal lists. After that it lists one in asksTold.
const asksTold = 50

// clientSide connects servers with the client: it passes the servers' requests and notifications to the client, and
// the client's settings to all servers.
type clientSide struct {
	client        Client // nil if there is no client to ask
	boxes         *boxes
	life          *life
	tasks         *owners // by task id
	elicitations  *owners // by elicitation id
	subscriptions *subscriptions
	level         string // of log messages, "" until the client sets it; guarded by boxes.mu
}

// connect returns the options with the handlers that pass the server's requests and notifications to the client.
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
		tell := n <= asksTold || n%asksTold == 0 // so that the journal is not filled
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
				return // not an elicitation of this server
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

// sendSettings sends to a server that was just connected what the client has asked for meanwhile: a log level, if it
// is not the one of [clientSide.firstLevel], and subscriptions.
func (c *clientSide) sendSettings(l *link) {
	c.sendLevel(l, l.session)
	for _, uri := range c.subscriptions.uris(l.id()) {
		if err := l.session.Subscribe(c.life.ctx, uri); err != nil {
			l.journal.say(words.New("toolbox.subscription_refused", "URI", downstream.Clean(uri, maxName), "Why", err))
		}
	}
}

// levelPatience is how long a client, or the first call, waits for a server to take a log level.
const levelPatience = 2 * time.Second

// setLevel is [Manager.SetLevel].
func (c *clientSide) setLevel(ctx context.Context, level string) {
	c.boxes.mu.Lock()
	c.level = level
	c.boxes.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, levelPatience)
	defer cancel()
	each(c.boxes.connected("logging"), func(_ int, l *link) { c.tellLevel(ctx, l, l.session) })
}

// firstLevel sends the client's log level to a server before its first call. Over HTTP a call can overtake the level,
// and some servers send no log messages before they have one.
func (c *clientSide) firstLevel(ctx context.Context, l *link, session connection) {
	ctx, cancel := context.WithTimeout(ctx, levelPatience)
	defer cancel()
	c.tellLevel(ctx, l, session)
}

// tellLevel sends the current level to a server, and waits until the server has it or ctx ends. For a server that was
// too slow once, nobody waits again.
func (c *clientSide) tellLevel(ctx context.Context, l *link, session connection) {
	heard := make(chan struct{})
	c.life.running.Go(func() {
		defer close(heard)
		c.sendLevel(l, session)
	})
	if l.level.slow.Load() {
		return
	}
	select {
	case <-heard:
	case <-ctx.Done():
		l.level.slow.Store(true)
	}
}

// sendLevel sends the current level to a server that has another one.
func (c *clientSide) sendLevel(l *link, session connection) {
	l.level.telling.Lock() // so that the server gets the levels in order
	defer l.level.telling.Unlock()
	c.boxes.mu.Lock()
	level := c.level
	c.boxes.mu.Unlock()
	if level == l.level.sent {
		return
	}
	if err := session.SetLevel(c.life.ctx, level); err != nil {
		l.journal.say(words.New("toolbox.level_refused", "Why", err))
		return
	}
	l.level.sent = level
}
