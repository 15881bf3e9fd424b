package downstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// receive handles a line, which it may keep. It runs on the read loop and must not block. A panic ends only the
// handling of this line.
func (s *Session) receive(data []byte) {
	defer func() {
		if r := recover(); r != nil {
			s.remarks.log.Error("Handling a message failed", "panic", fmt.Sprint(r))
		}
	}()
	m, err := jsonrpc.Parse(data)
	if m.BrokenText || err != nil {
		data = jsonrpc.WholeCharacters(data)
		m, err = jsonrpc.Parse(data)
	}
	if m.BrokenText || err != nil && !utf8.Valid(data) {
		s.remarks.remark(words.New("downstream.no_utf8"))
		if text, ok := fromCodePage(data); ok && !bytes.HasPrefix(bytes.TrimLeft(data, " \t"), []byte("{")) {
			data = []byte(text) // output of a launcher, not a message
		}
		data = bytes.ToValidUTF8(data, []byte("\ufffd"))
		m, err = jsonrpc.Parse(data)
	}
	if errors.Is(err, jsonrpc.ErrVersion) {
		s.remarks.remark(words.New("downstream.no_jsonrpc"))
	}
	switch {
	case err == nil || errors.Is(err, jsonrpc.ErrVersion):
		s.receiveMessage(m, data)
	case errors.Is(err, jsonrpc.ErrBatch):
		s.receiveBatch(data)
	case errors.Is(err, jsonrpc.ErrSyntax):
		s.receiveBroken(data, err)
	case errors.Is(err, jsonrpc.ErrMethod) && carriesAnswer(m):
		s.receiveResponse(m, data)
	default:
		s.remarks.strayLine(data, err)
	}
}

// receiveMessage handles a parsed message.
func (s *Session) receiveMessage(m jsonrpc.Message, data []byte) {
	switch m.Kind() {
	case jsonrpc.Response:
		s.receiveResponse(m, data)
	case jsonrpc.Request:
		s.questions.receive(m)
	case jsonrpc.Notification:
		s.receiveNotification(m)
	default:
		if carriesAnswer(m) {
			// Some servers repeat the method of the request in their answer.
			s.receiveResponse(m, data)
			return
		}
		s.remarks.strayLine(data, errors.New("it is neither request nor answer"))
	}
}

// receiveResponse passes an answer to the request that waits for it.
func (s *Session) receiveResponse(m jsonrpc.Message, data []byte) {
	id, ok := parseID(m.ID)
	var p *pending
	if ok {
		p = s.conn.take(id)
	}
	switch {
	case p == nil && ok && s.conn.wasCancelled(id): // both were on their way at the same time
	case p == nil && ok && id > 0 && id <= s.conn.lastID.Load():
		s.remarks.remark(words.New("downstream.answered_late"))
	case p == nil:
		if !s.failUnnamed(m) {
			s.remarks.strayLine(data, errors.New("it answers nothing that was asked"))
		}
	case m.Error != nil:
		if m.Result != nil {
			s.remarks.remark(words.New("downstream.result_and_error"))
		}
		s.lists.deliver(p, outcome{err: s.refusal(m.Error)})
	case m.Result == nil:
		s.remarks.remark(words.New("downstream.said_no_result"))
		p.answer(outcome{err: words.NewError("downstream.no_result")})
	case m.Result[0] == '[' && string(
		jsonrpc.AppendCompact(nil, m.Result[:min(len(m.Result), 10)])) == "[]": // an empty object, as PHP writes it
		s.lists.deliver(p, outcome{})
	case m.Result[0] != '{':
		s.remarks.remark(words.New("downstream.said_no_object"))
		p.answer(outcome{err: words.NewError("downstream.result_no_object", "Result",
			clean(string(m.Result[:min(len(m.Result), 100)]), 100))})
	default:
		result := jsonrpc.Split(m.Result) // once, since results are large
		if Failed(result) {               // an error may quote a secret
			result = jsonrpc.Split(s.conn.o.secrets.maskValue(m.Result))
		}
		s.lists.deliver(p, outcome{result: result})
	}
}

// refusal parses the error of an answer and masks secrets in it, since servers often repeat a key that they refuse.
func (s *Session) refusal(raw json.RawMessage) *RPCError {
	e := ParseError(raw)
	e.Message, e.Data = s.conn.o.secrets.mask(e.Message), s.conn.o.secrets.maskValue(e.Data)
	return e
}

// errNoSubscription means that a notification of the modern era belongs to no stream.
var errNoSubscription = errors.New("it belongs to no subscription of ours")

// receiveNotification handles a notification of the server.
func (s *Session) receiveNotification(m jsonrpc.Message) {
	switch m.Method {
	case "notifications/progress":
		id, ok := parseID(jsonrpc.Lookup(m.Params, jsonrpc.ProgressToken))
		if !ok || id <= 0 || id > s.conn.lastID.Load() {
			s.remarks.remark(words.New("downstream.stray_progress"))
			return
		}
		if p := s.conn.waiting(id); p != nil && p.progress != nil && s.remarks.mayTell(m) {
			p.progress(s.conn.o.secrets.maskMember(m.Params, "message"))
		}
	case "notifications/cancelled":
		if s.conn.modern() {
			s.subs.withdrawn(m.Params)
		} else {
			s.questions.withdrawn(m.Params)
		}
	case "notifications/subscriptions/acknowledged":
		s.subs.accepted(m)
	case ResourceUpdated:
		if s.conn.modern() {
			if s.subs.streamOf(m) == nil {
				s.remarks.strayLine([]byte(m.Method), errNoSubscription)
				return
			}
			m.Params = withoutSubscription(m.Params)
		}
		s.pass(m)
	case TaskStatus:
		m.Params = s.conn.o.secrets.maskMember(m.Params, "statusMessage")
		s.pass(m)
	case ElicitationComplete:
		s.pass(m)
	case LogMessage:
		if s.Info().Has("logging") {
			masked := m
			masked.Params = s.conn.o.secrets.maskMember(m.Params, "data")
			s.pass(masked)
		}
		if s.conn.o.Attach != nil { // the line comes from the host, to one of those who use the server
			return
		}
		level, _ := jsonrpc.String(jsonrpc.Lookup(m.Params, "level"))
		content := jsonrpc.Lookup(m.Params, "data")
		text, ok := jsonrpc.String(content)
		if !ok {
			text = string(content[:min(len(content), 2*maxLogLine)])
		}
		s.remarks.lines.add(SourceMessage, clean(level, 20), text)
	default:
		known := false
		for kind := range Kinds {
			if m.Method != kind.List().Notice {
				continue
			}
			known = true
			if s.conn.modern() && s.subs.streamOf(m) == nil {
				s.remarks.strayLine([]byte(m.Method), errNoSubscription)
				break
			}
			s.lists.changed(kind)
		}
		if !known {
			s.remarks.remark(words.New("downstream.unknown_notification", "Method", clean(m.Method, 100)))
		}
	}
}

// pass passes a notification to [Options.OnNotification].
func (s *Session) pass(m jsonrpc.Message) {
	if s.conn.o.OnNotification != nil && s.remarks.mayTell(m) {
		s.conn.o.OnNotification(m.Method, m.Params)
	}
}
