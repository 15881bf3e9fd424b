package downstream

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file handles invalid answers whose call can be identified. The call then fails with the reason, instead of
// waiting without end.

// maxTail is how many bytes at the end of a line are searched for an id.
const maxTail = 4 << 10

// endsWithID matches a message whose last member is the id, perhaps before "jsonrpc".
var endsWithID = lazyregexp.New(`"id"\s*:\s*(-?\d+|"-?\d+")\s*(,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?}\s*$`)

// findID finds the id of a message that cannot be parsed. head is its beginning, up to the error, and tail its end.
func findID(head, tail []byte) (int64, bool) {
	if id, ok := parseID(jsonrpc.Lookup(head, "id")); ok {
		return id, true
	}
	if match := endsWithID.FindSubmatch(tail); match != nil {
		return parseID(match[1])
	}
	return 0, false
}

// receiveBroken handles a line that is not JSON. It may still be an answer: Python's json.dumps, for example, writes
// NaN.
func (s *Session) receiveBroken(data []byte, err error) {
	s.remarks.strayLine(data, err)
	head := bytes.TrimLeft(data, " \t\r")
	if len(head) == 0 || head[0] != '{' || jsonrpc.Lookup(head, "method") != nil ||
		jsonrpc.Lookup(head, "result") == nil && jsonrpc.Lookup(head, "error") == nil {
		return
	}
	id, ok := findID(head, head[max(0, len(head)-maxTail):])
	if !ok {
		return
	}
	if p := s.conn.take(id); p != nil {
		p.answer(outcome{err: invalidJSON(err)})
	}
}

// invalidJSON returns an error for an answer that is not JSON.
func invalidJSON(err error) error {
	short := func(part string) string { return clean(part, 200) }
	if at, ok := words.Find(err, "jsonrpc.invalid_at"); ok {
		at = at.Map(short)
		return words.NewError("downstream.invalid_json_at", "Byte", at.Args["Byte"], "Why", at.Args["Why"])
	}
	because, _ := words.Find(err, "jsonrpc.invalid_because")
	return words.NewError("downstream.invalid_json", "Why", because.Map(short).Args["Why"])
}

// receiveBatch handles an array of messages, which older versions of MCP allow.
func (s *Session) receiveBatch(data []byte) {
	for element := range jsonrpc.Batch(data) {
		if s.Err() != nil {
			return // the batch may be long, and Close waits
		}
		m, err := jsonrpc.Parse(element)
		switch {
		case err == nil || errors.Is(err, jsonrpc.ErrVersion):
			s.receiveMessage(m, element)
		default: // such as a batch within a batch
			s.remarks.strayLine(element, err)
		}
	}
}

// failUnnamed handles an error without an id, from a server that could not parse a request. It fails all requests in
// flight, and reports whether there were any.
func (s *Session) failUnnamed(m jsonrpc.Message) bool {
	if m.Error == nil || m.HasMethod || m.ID != nil && string(m.ID) != "null" {
		return false
	}
	failure := s.refusal(m.Error)
	if failure.Code == jsonrpc.CodeMethodNotFound || !s.conn.ready.Load() && !s.handshake.running.Load() {
		// A server that reports an unknown method has parsed the message, and would know its id. So this answers a
		// notification.
		return false
	}
	calls := s.conn.takeAll()
	for _, p := range calls {
		p.answer(outcome{err: failure})
	}
	return len(calls) > 0
}

// receiveTooLong fails the request whose answer was on a line that is too long, or all requests if that is not known.
func (s *Session) receiveTooLong(long *jsonrpc.TooLongError) {
	defer func() {
		if r := recover(); r != nil {
			s.remarks.log.Error("Handling an overlong message failed", "panic", fmt.Sprint(r))
		}
	}()
	s.remarks.skipped.Store(long.Size)
	head := bytes.TrimLeft(long.Head, " \t\r")
	if len(head) == 0 || head[0] != '{' || jsonrpc.Lookup(head, "method") != nil {
		s.remarks.strayLine(head[:min(len(head), maxLongShown)], long)
		return
	}
	why := tooLarge(long.Size, s.conn.o.MaxMessage)
	s.remarks.log.Warn("Message from the server skipped", "problem", why)
	if id, ok := findID(head, long.Tail); ok {
		if p := s.conn.take(id); p != nil {
			p.answer(outcome{err: why})
		}
		return
	}
	for _, p := range s.conn.takeAll() {
		p.answer(outcome{err: words.NewError("downstream.answer_skipped", "Why", why).Because(ErrTooLarge)})
	}
}

// maxLongShown is how many bytes of such a line are logged.
const maxLongShown = 200
