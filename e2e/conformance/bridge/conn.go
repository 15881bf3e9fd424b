package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/session"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

const (
	progressToken = "progressToken"
	// subscriptionKey is the member of _meta with the subscription to which a notification belongs.
	subscriptionKey = "io.modelcontextprotocol/subscriptionId"
	// ownMeta is the _meta of the bridge's own requests in the era without sessions.
	ownMeta = `{"` + versionKey + `":"` + modern +
		`","io.modelcontextprotocol/clientInfo":{"name":"conformance-bridge","version":"1.0.0"},` +
		`"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"elicitation":{},"roots":{"listChanged":true}}}`
	// maxWaiting is the maximum number of messages that wait for a client to read.
	maxWaiting = 1000
)

// conn is an engine and the clients that share it.
type conn struct {
	engine  *session.Session
	toolbox string
	modern  bool
	names   *names

	mu      sync.Mutex
	posts   []*post       // requests without an answer, the newest last
	backlog [][]byte      // for the stream of GET, or the next request
	waiting chan struct{} // receives a value when there is a backlog
	opening bool
	relist  sync.WaitGroup
}

// post is a request of a client that has no answer yet.
type post struct {
	id       int64           // in the messages to the engine
	clientID json.RawMessage // in the messages of the client
	token    json.RawMessage // the client's progress token, or nil
	listens  bool            // a subscription; only notifications with its id belong to it
	messages chan []byte
}

func newConn(o Options, modern bool) (*conn, error) {
	c := &conn{toolbox: o.Toolbox, modern: modern, names: newNames(o.Toolbox == "", o.Toolbox+"__"+o.Server+"__"),
		waiting: make(chan struct{}, 1)}
	ready := make(chan struct{})
	o.Engine.Receive = func(m jsonrpc.Message) {
		<-ready
		c.receive(m)
	}
	var err error
	c.engine, err = session.Start(o.Engine)
	close(ready)
	return c, err
}

// greet passes initialize on, and sends notifications/initialized itself.
func (c *conn) greet(ctx context.Context, params json.RawMessage) (jsonrpc.Message, error) {
	answer, err := c.engine.Ask(ctx, "initialize", params)
	if err != nil || answer.Error != nil {
		return answer, err
	}
	// The client sends its own notifications/initialized only after the toolbox was opened, which is too late
	// for servers that need it.
	return answer, c.engine.Send(nil, "notifications/initialized", nil)
}

// open opens the toolbox and reads the names of its tools and prompts.
func (c *conn) open(ctx context.Context) error {
	if c.toolbox != "" {
		if err := c.openToolbox(ctx); err != nil {
			return err
		}
	}
	for kind := range lists() {
		if err := c.learn(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) openToolbox(ctx context.Context) error {
	c.mu.Lock()
	c.opening = true
	c.mu.Unlock()
	arguments := jsonrpc.AppendString([]byte(`{"toolbox_name":`), c.toolbox)
	answer, err := c.ask(ctx, "tools/call",
		[]jsonrpc.Member{{Name: "name", Value: json.RawMessage(`"open_toolbox"`)},
			{Name: "arguments", Value: append(arguments, '}')}})
	if err == nil && string(jsonrpc.Lookup(answer, "isError")) == "true" {
		err = fmt.Errorf("open_toolbox: %s", answer)
	}
	c.relist.Wait()
	c.mu.Lock()
	c.opening, c.backlog = false, nil
	c.mu.Unlock()
	return err
}

// learn reads a list of the engine, so that the names in it are known.
func (c *conn) learn(ctx context.Context, kind string) error {
	list := lists()[kind]
	var cursor json.RawMessage
	for {
		var params []jsonrpc.Member
		if cursor != nil {
			params = []jsonrpc.Member{{Name: "cursor", Value: cursor}}
		}
		result, err := c.ask(ctx, kind, params)
		var refused *session.Error
		if errors.As(err, &refused) {
			return nil // there is no such list; the suite judges whether that is right
		}
		if err != nil {
			return err
		}
		c.names.show(list, result)
		if cursor = jsonrpc.Lookup(result, "nextCursor"); cursor == nil {
			return nil
		}
	}
}

// ask sends a request of the bridge itself.
func (c *conn) ask(ctx context.Context, method string, params []jsonrpc.Member) (json.RawMessage, error) {
	if c.modern {
		params = append(params, jsonrpc.Member{Name: "_meta", Value: json.RawMessage(ownMeta)})
	}
	answer, err := c.engine.Ask(ctx, method, jsonrpc.AppendObject(nil, params))
	if err != nil {
		return nil, err
	}
	return session.Result(answer)
}

// take handles a message of the client.
func (c *conn) take(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) {
	switch m.Kind() {
	case jsonrpc.Request:
		c.request(w, r, m)
		return
	case jsonrpc.Notification:
		c.notification(m)
	case jsonrpc.Response:
		_ = c.engine.Answer(m.ID, m.Result, m.Error) // if the engine has ended, nobody needs the answer
	}
	w.WriteHeader(http.StatusAccepted)
}

// notification passes a notification on.
func (c *conn) notification(m jsonrpc.Message) {
	params := m.Params
	switch m.Method {
	case "notifications/initialized":
		return // see greet
	case "notifications/cancelled":
		id := jsonrpc.Lookup(params, "requestId")
		c.mu.Lock()
		for _, p := range c.posts {
			if bytes.Equal(p.clientID, id) {
				params = with(params, "requestId", strconv.AppendInt(nil, p.id, 10))
			}
		}
		c.mu.Unlock()
	}
	_ = c.engine.Send(nil, m.Method, params)
}

// request passes a request on to the engine, and passes to the client all messages that belong to it.
func (c *conn) request(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) {
	p := &post{clientID: m.ID, listens: m.Method == "subscriptions/listen", messages: make(chan []byte, maxWaiting)}
	params := c.names.hide(m.Method, m.Params)
	meta := jsonrpc.Lookup(params, "_meta")
	p.token = jsonrpc.Lookup(meta, progressToken)
	pending, err := c.engine.Begin(m.Method, func(id int64) json.RawMessage {
		p.id = id
		c.mu.Lock()
		c.posts = append(c.posts, p)
		c.mu.Unlock()
		if p.token == nil {
			return params
		}
		return with(params, "_meta", with(meta, progressToken, strconv.AppendInt(nil, id, 10)))
	})
	defer func() {
		c.mu.Lock()
		c.posts = slices.DeleteFunc(c.posts, func(other *post) bool { return other == p })
		c.mu.Unlock()
	}()
	if err != nil {
		refuse(w, http.StatusInternalServerError, m.ID, -32603, err.Error())
		return
	}
	out := newAnswer(w, c.modern)
	for {
		select {
		case message := <-p.messages:
			out.stream(message)
		case answer, ok := <-pending.Answer:
			for len(p.messages) > 0 { // they came before the answer
				out.stream(<-p.messages)
			}
			if !ok {
				answer.Error = json.RawMessage(`{"code":-32603,"message":"` + session.ErrEnded.Error() + `"}`)
			}
			if list, ok := lists()[m.Method]; ok && answer.Error == nil {
				answer.Result = c.names.show(list, answer.Result)
			}
			out.finish(response(m.ID, answer), answer.Error)
			return
		case <-r.Context().Done():
			if c.modern { // in this era a client cancels a request by closing it
				_ = c.engine.Send(nil, "notifications/cancelled", fmt.Appendf(nil, `{"requestId":%d}`, p.id))
			}
			return
		}
	}
}

// receive passes on the messages that the engine sends without being asked. It runs on the goroutine that
// reads from the engine.
func (c *conn) receive(m jsonrpc.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opening {
		if m.Method == "notifications/tools/list_changed" { // the engine waits until the client knows of the tools
			c.relist.Go(func() { _ = c.learn(context.Background(), "tools/list") })
		}
		if m.Kind() == jsonrpc.Notification {
			return
		}
	}
	params := m.Params
	var to *post
	meta := jsonrpc.Lookup(params, "_meta")
	if m.Method == "notifications/progress" {
		if to = c.find(jsonrpc.Lookup(params, progressToken)); to == nil || to.token == nil {
			return // its request has been answered
		}
		params = with(params, progressToken, to.token)
	} else if id := jsonrpc.Lookup(meta, subscriptionKey); id != nil {
		if to = c.find(id); to == nil {
			return
		}
		params = with(params, "_meta", with(meta, subscriptionKey, to.clientID))
	} else if m.Kind() == jsonrpc.Request || m.Method == "notifications/message" || c.modern {
		for _, p := range c.posts { // choose the newest
			if !p.listens {
				to = p
			}
		}
	}
	line := []byte(`{"jsonrpc":"2.0"`)
	if m.ID != nil {
		line = append(append(line, `,"id":`...), m.ID...)
	}
	line = jsonrpc.AppendString(append(line, `,"method":`...), m.Method)
	if params != nil {
		line = append(append(line, `,"params":`...), params...)
	}
	line = append(line, '}')
	if to == nil {
		if c.modern {
			return // no client waits for it
		}
		c.backlog = append(c.backlog, line)
		select {
		case c.waiting <- struct{}{}:
		default:
		}
		return
	}
	select {
	case to.messages <- line:
	default: // the client does not read
	}
}

// find returns the post with an id or progress token of the engine. The caller must hold c.mu.
func (c *conn) find(id json.RawMessage) *post {
	text := strings.Trim(string(id), `"`)
	for _, p := range c.posts {
		if strconv.FormatInt(p.id, 10) == text {
			return p
		}
	}
	return nil
}

// stream is the answer to GET: what belongs to no request.
func (c *conn) stream(w http.ResponseWriter, r *http.Request) {
	out := newAnswer(w, false)
	out.begin()
	for {
		c.mu.Lock()
		messages := c.backlog
		c.backlog = nil
		c.mu.Unlock()
		for _, message := range messages {
			out.stream(message)
		}
		select {
		case <-c.waiting:
		case <-r.Context().Done():
			return
		case <-c.engine.Done():
			return
		}
	}
}
