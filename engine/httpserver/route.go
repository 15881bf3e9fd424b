package httpserver

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// route passes on a message of the engine. It never waits for a client.
func (s *session) route(line []byte) {
	m, err := jsonrpc.Parse(line)
	if err != nil {
		s.log.Error("An engine has written what is no message; this is a bug in Workbench", "error", err)
		return
	}
	if m.Kind() == jsonrpc.Response {
		s.answer(m)
		return
	}
	// A carriage return between two values would end a line of the stream.
	if bytes.IndexByte(line, '\r') >= 0 {
		line = jsonrpc.AppendCompact(nil, line)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	to, params := s.receiver(m)
	if to == nil {
		return
	}
	if params != nil {
		line = notification(m, params)
	}
	to.send(line)
}

// answer passes on the answer to a request of the client.
func (s *session) answer(m jsonrpc.Message) {
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	if err != nil {
		return // an answer without an id is one to a line that is no request, and we write none
	}
	s.mu.Lock()
	p := s.requests[id]
	delete(s.requests, id)
	if p != nil {
		s.keepTask(p, m.Result)
	}
	s.mu.Unlock()
	if p == nil {
		return
	}
	if s.modern && m.Error == nil {
		switch p.method {
		case string(mcp.MethodToolsList):
			s.learn(m.Result)
		case string(mcp.MethodSubscriptionsListen):
			m.Result = with(m.Result, "_meta",
				with(jsonrpc.Lookup(m.Result, "_meta"), mcp.MetaKeySubscriptionID, p.clientID))
		}
	}
	line := append(append([]byte(`{"jsonrpc":"2.0","id":`), p.clientID...), `,`...)
	if m.Error != nil {
		line = jsonrpc.AppendCompact(append(line, `"error":`...), m.Error)
	} else {
		line = jsonrpc.AppendCompact(append(line, `"result":`...), m.Result)
	}
	p.out.answer(append(line, '}'), codeOf(m.Error))
}

// codeOf returns the code of an error; 0 for none.
func codeOf(failure json.RawMessage) int {
	code, _ := strconv.Atoi(string(jsonrpc.Lookup(failure, "code")))
	return code
}

// receiver returns where a request or notification of the engine goes; nil if nobody waits for it. params are not nil
// if they have to be replaced. The caller must hold the lock.
func (s *session) receiver(m jsonrpc.Message) (to sender, params json.RawMessage) {
	meta := jsonrpc.Lookup(m.Params, "_meta")
	logs := m.Method == string(mcp.MethodNotificationMessage)
	subscription := jsonrpc.Lookup(meta, mcp.MetaKeySubscriptionID)
	switch {
	case m.Method == string(mcp.MethodNotificationProgress):
		id := idIn(jsonrpc.Lookup(m.Params, jsonrpc.ProgressToken))
		if token := s.tasks[id]; token != nil {
			return s.apart(), with(m.Params, jsonrpc.ProgressToken, token)
		}
		p := s.requests[id]
		if p == nil || p.token == nil {
			return nil, nil // its request was answered
		}
		return p.out, with(m.Params, jsonrpc.ProgressToken, p.token)
	case subscription != nil:
		p := s.requests[idIn(subscription)]
		if p == nil {
			return nil, nil
		}
		return p.out, with(m.Params, "_meta", with(meta, mcp.MetaKeySubscriptionID, p.clientID))
	case s.modern:
		if p := s.newest(func(p *request) bool { return p.level }); p != nil && logs {
			return p.out, nil
		}
		return nil, nil
	}
	// What a server asks or says probably belongs to the request that is under way; that lists have changed does not.
	// A client without a stream of GET gets everything with the answers to its requests.
	p := s.newest(func(p *request) bool { return p.method != string(mcp.MethodInitialize) })
	if p != nil && (len(s.streams) == 0 || m.Kind() == jsonrpc.Request || logs) {
		return p.out, nil
	}
	return s.apart(), nil
}

// apart returns where a message goes that belongs to no request. The caller must hold the lock.
func (s *session) apart() sender {
	if len(s.streams) > 0 {
		return s.streams[len(s.streams)-1]
	}
	return &s.backlog
}

// maxTasks is how many progress tokens of tasks are known.
const maxTasks = 100

// keepTask remembers the progress token of a request that goes on as a task. The caller must hold the lock.
func (s *session) keepTask(p *request, result json.RawMessage) {
	if p.token == nil || jsonrpc.Lookup(result, "task") == nil {
		return
	}
	s.tasks[p.id] = p.token
	if len(s.tasks) > maxTasks {
		delete(s.tasks, slices.Min(slices.Collect(maps.Keys(s.tasks))))
	}
}

// sender takes a message for a client.
type sender interface{ send(line []byte) }

// idIn returns an id of ours, which servers may write as a string. For anything else it returns 0, which is no id.
func idIn(raw json.RawMessage) int64 {
	id, _ := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	return id
}

// newest returns the newest request that is wanted, or nil.
func (s *session) newest(wanted func(*request) bool) (newest *request) {
	for _, p := range s.requests {
		if (newest == nil || p.id > newest.id) && wanted(p) {
			newest = p
		}
	}
	return newest
}

// notification returns a notification with other params.
func notification(m jsonrpc.Message, params json.RawMessage) []byte {
	line := jsonrpc.AppendString([]byte(`{"jsonrpc":"2.0","method":`), m.Method)
	return append(jsonrpc.AppendCompact(append(line, `,"params":`...), params), '}')
}

// Limits of a [backlog].
const (
	maxBacklog      = 100
	maxBacklogBytes = 1 << 20
)

// backlog has messages for which there is no stream yet. Beyond its limits, the oldest are dropped.
type backlog struct {
	lines [][]byte
	bytes int
}

func (b *backlog) send(line []byte) {
	b.lines, b.bytes = append(b.lines, line), b.bytes+len(line)
	for len(b.lines) > maxBacklog || b.bytes > maxBacklogBytes {
		b.bytes -= len(b.lines[0])
		b.lines = b.lines[1:]
	}
}

// takeAll removes and returns the messages.
func (b *backlog) takeAll() [][]byte {
	lines := b.lines
	*b = backlog{}
	return lines
}
