package downstream

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file makes the best of answers that aren't what the protocol asks for,
// but whose call can be told: a call that fails with the reason is worth more
// than one that waits for ever.

// maxTail is how much of a line's end is searched for an id, in bytes.
const maxTail = 4 << 10

// endsWithID recognises a message whose id is its last member, as it is in
// those of some servers, perhaps before "jsonrpc".
var endsWithID = lazyregexp.New(`"id"\s*:\s*(-?\d+|"-?\d+")\s*(,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?}\s*$`)

// findID finds the id of a message that can't be read as a whole. Lookup sees
// what stands before the place where it breaks off or goes wrong.
func findID(head, tail []byte) (int64, bool) {
	if id, ok := parseID(jsonrpc.Lookup(head, "id")); ok {
		return id, true
	}
	if match := endsWithID.FindSubmatch(tail); match != nil {
		return parseID(match[1])
	}
	return 0, false
}

// receiveBroken handles a line that is no JSON. Python's json.dumps, for one,
// writes NaN into results, so it may be an answer all the same.
func (s *Session) receiveBroken(data []byte, err error) {
	s.strayLine(data, err)
	head := bytes.TrimLeft(data, " \t\r")
	if len(head) == 0 || head[0] != '{' || jsonrpc.Lookup(head, "method") != nil ||
		jsonrpc.Lookup(head, "result") == nil && jsonrpc.Lookup(head, "error") == nil {
		return
	}
	id, ok := findID(head, head[max(0, len(head)-maxTail):])
	if !ok {
		return
	}
	if p := s.take(id); p != nil {
		p.answer(Outcome{Err: invalidJSON(err)})
	}
}

// invalidJSON says what is wrong with an answer that is no JSON.
func invalidJSON(err error) error {
	short := func(part string) string { return clean(part, 200) }
	if at, ok := words.Find(err, "jsonrpc.invalid_at"); ok {
		at = at.Map(short)
		return words.NewError("downstream.invalid_json_at", "Byte", at.Args["Byte"], "Why", at.Args["Why"])
	}
	because, _ := words.Find(err, "jsonrpc.invalid_because")
	return words.NewError("downstream.invalid_json", "Why", because.Map(short).Args["Why"])
}

// receiveBatch handles an array of messages, which older versions of MCP had.
func (s *Session) receiveBatch(data []byte) {
	for element := range jsonrpc.Batch(data) {
		if s.Err() != nil {
			return // there may be millions of them, and Close waits
		}
		m, err := jsonrpc.Parse(element)
		switch {
		case err == nil || errors.Is(err, jsonrpc.ErrVersion):
			s.receiveMessage(m, element)
		default: // a batch within a batch as well
			s.strayLine(element, err)
		}
	}
}

// failUnnamed handles an error that names no request: the server couldn't make
// out which one it answered. It fails whatever call it may be about, and
// reports whether there was one.
func (s *Session) failUnnamed(m jsonrpc.Message) bool {
	if m.Error == nil || m.HasMethod || m.ID != nil && string(m.ID) != "null" {
		return false
	}
	failure := ParseError(m.Error)
	if failure.Code == jsonrpc.CodeMethodNotFound || !s.ready.Load() && !s.greeting.Load() {
		// A server that names the method has read the message, and would have read its id. So this answers a
		// notification, as simple servers do. It may be notifications/initialized, so the connection goes on.
		return false
	}
	calls := s.takeAll()
	for _, p := range calls {
		p.answer(Outcome{Err: failure})
	}
	return len(calls) > 0
}

// receiveTooLong fails the call that an overlong answer belongs to, or all of
// them if that can't be known: none may wait for an answer that was thrown away.
func (s *Session) receiveTooLong(long *jsonrpc.TooLongError) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("Handling an overlong message failed", "panic", fmt.Sprint(r))
		}
	}()
	s.skipped.Store(long.Size)
	head := bytes.TrimLeft(long.Head, " \t\r")
	if len(head) == 0 || head[0] != '{' || jsonrpc.Lookup(head, "method") != nil {
		s.strayLine(head[:min(len(head), maxLongShown)], long)
		return
	}
	why := tooLarge(long.Size, s.o.MaxMessage)
	s.log.Warn("Message from the server skipped", "problem", why)
	if id, ok := findID(head, long.Tail); ok {
		if p := s.take(id); p != nil {
			p.answer(Outcome{Err: why})
		}
		return
	}
	for _, p := range s.takeAll() {
		p.answer(Outcome{Err: words.NewError("downstream.answer_skipped", "Why", why).Because(ErrTooLarge)})
	}
}

// maxLongShown is how many bytes of an overlong line are logged: it says little.
const maxLongShown = 200

// overlong tells of the last line that was skipped, the zero Text if there was none: a
// server that can't be connected may have said what counts on it.
func (s *Session) overlong() words.Text {
	size := s.skipped.Load()
	if size == 0 {
		return words.Text{}
	}
	return words.New("downstream.line_skipped", "Size", size, "Limit", inWords(s.o.MaxMessage))
}
