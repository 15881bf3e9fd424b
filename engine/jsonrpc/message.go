// Package jsonrpc reads and writes JSON-RPC 2.0 messages, one per line, without decoding what they carry.
//
// MCP's stdio transport puts one message on a line. A proxy that decodes messages into types loses the
// members that the types do not have. So everything here works on the bytes as they were sent: [Parse] finds
// the members of a message, [Members] and [Elements] split a value, the Append functions build one, and
// [Reader] and [Writer] read and write lines.
//
// # What is accepted
//
// JSON as RFC 8259 defines it, read in a single pass, at most 10,000 levels deep. Two things are accepted
// that stricter readers refuse, since only the receiver of a message can judge them: member names that occur
// twice (the last one counts, as in encoding/json), and bytes inside strings that are not valid UTF-8.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Errors that [Parse] wraps. Except for ErrSyntax, ErrNotObject and ErrBatch, the message is filled in as far
// as it could be read, so that an answer can have its id.
const (
	// ErrSyntax means that the line isn't JSON.
	ErrSyntax = words.Code("jsonrpc.invalid")
	// ErrNotObject means that the input is JSON but not an object. (For an array, Parse returns ErrBatch.)
	ErrNotObject = words.Code("jsonrpc.no_object")
	// ErrBatch means that the line is a JSON array. MCP has no batches since 2025-06-18.
	ErrBatch = words.Code("jsonrpc.batch")
	// ErrVersion means that "jsonrpc" is missing or isn't "2.0".
	ErrVersion = words.Code("jsonrpc.version")
	// ErrID means that "id" is neither string, number nor null. The message's ID is nil then.
	ErrID = words.Code("jsonrpc.id")
	// ErrMethod means that "method" isn't a string.
	ErrMethod = words.Code("jsonrpc.method")
)

// Kind is the kind of a message.
type Kind int

// The kinds of messages.
const (
	// Invalid is none of the others, for instance an object with neither method nor id.
	Invalid Kind = iota
	// Request has a method and an id, and wants an answer.
	Request
	// Notification has a method and no id.
	Notification
	// Response has no method, and an id, a result or an error.
	Response
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	switch k {
	case Request:
		return "request"
	case Notification:
		return "notification"
	case Response:
		return "response"
	default:
		return "invalid"
	}
}

// Message is one JSON-RPC message. Its slices alias the line it was parsed from
// and hold the values exactly as sent, without surrounding whitespace.
type Message struct {
	// ID is nil when absent, and the four bytes "null" when sent as null.
	ID json.RawMessage
	// Method is the decoded method name; HasMethod tells "" from absent.
	Method    string
	HasMethod bool
	// Params is nil when absent. It may be of any JSON type.
	Params json.RawMessage
	// Result is nil when absent, "null" when sent as null.
	Result json.RawMessage
	// IsError is set if the result is an object whose isError is true, as it is if a tool failed. It is found
	// during parsing, since finding it later would take another pass over the result.
	IsError bool
	// Error is nil when absent or sent as null. Servers for older versions of JSON-RPC send null together
	// with a result.
	Error json.RawMessage
	// NotUTF8 is set if any string of the message is not valid UTF-8.
	NotUTF8 bool
}

// Kind returns the kind of the message.
func (m Message) Kind() Kind {
	switch {
	case m.HasMethod && (m.Result != nil || m.Error != nil):
		return Invalid
	case m.HasMethod && m.ID != nil:
		return Request
	case m.HasMethod:
		return Notification
	case m.ID != nil || m.Result != nil || m.Error != nil:
		return Response
	default:
		return Invalid
	}
}

// Parse parses one message in a single pass. The message aliases line, which must not be changed while the
// message is in use. Errors wrap one of the package's Err values.
func Parse(line []byte) (Message, error) {
	var m Message
	var version, id, method jsontext.Value
	var failed bool
	w := newWalk(line)
	for w.next() {
		if named(w.name, "result") {
			failed = false // the last of several counts
			if inner, ok := w.inner(); ok {
				for inner.next() {
					if value := inner.value(); named(inner.name, "isError") {
						failed = string(value) == "true"
					}
				}
				m.Result = w.skip(inner)
				continue
			}
		}
		switch value := w.value(); {
		case named(w.name, "jsonrpc"):
			version = value
		case named(w.name, "id"):
			id = value
		case named(w.name, "method"):
			method = value
		case named(w.name, "params"):
			m.Params = value
		case named(w.name, "result"):
			m.Result = value
		case named(w.name, "error"):
			m.Error = value
		}
	}
	if !w.whole() {
		return Message{}, newScanner(line).whyNoObject()
	}
	m.NotUTF8 = w.notUTF8
	m.IsError = failed && m.Result[0] == '{'
	if string(m.Error) == "null" {
		m.Error = nil
	}
	switch id.Kind() {
	case jsontext.KindString, jsontext.KindNumber, jsontext.KindNull:
		m.ID = json.RawMessage(id)
		id = nil
	}
	if method != nil {
		m.HasMethod = true
		if method.Kind() == jsontext.KindString {
			m.Method = unquote(method)
			method = nil
		}
	}
	switch {
	case !named(version, "2.0"):
		return m, ErrVersion
	case id != nil:
		return m, ErrID
	case method != nil:
		return m, ErrMethod
	}
	return m, nil
}

// scanner finds out why bytes are no JSON object. It is jsontext's decoder, whose errors are better than ours
// could be.
type scanner struct{ dec *jsontext.Decoder }

func newScanner(data []byte) scanner {
	return scanner{jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

// whyNoObject returns the error for input that a [walk] has refused.
func (s scanner) whyNoObject() error {
	kind := s.dec.PeekKind()
	if _, err := s.dec.ReadValue(); err != nil {
		return s.syntax(err)
	}
	if err := s.end(); err != nil {
		return err
	}
	if kind == jsontext.KindBeginArray {
		return ErrBatch
	}
	return ErrNotObject
}

// end checks that only white space follows.
func (s scanner) end() error {
	if _, err := s.dec.ReadToken(); err == nil {
		return words.NewError("jsonrpc.invalid_at", "Byte", s.dec.InputOffset(), "Why", words.New("jsonrpc.more_values")).Because(ErrSyntax)
	} else if err != io.EOF {
		return s.syntax(err)
	}
	return nil
}

// syntax converts the decoder's error. The decoder's own text repeats the path to the place, which hostile
// input can make very long.
func (s scanner) syntax(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntactic):
		return words.NewError("jsonrpc.invalid_at", "Byte", syntactic.ByteOffset, "Why", syntactic.Err).Because(ErrSyntax)
	case err == io.EOF:
		return words.NewError("jsonrpc.invalid_because", "Why", io.ErrUnexpectedEOF).Because(ErrSyntax)
	default:
		return words.NewError("jsonrpc.invalid_because", "Why", err).Because(ErrSyntax)
	}
}

// named reports whether a quoted JSON string is the given text, which must be plain ASCII.
func named(quoted []byte, text string) bool {
	if len(quoted) == len(text)+2 {
		return string(quoted[1:len(quoted)-1]) == text && quoted[0] == '"'
	}
	return len(quoted) > len(text)+2 && len(quoted) <= 6*len(text)+2 &&
		quoted[0] == '"' && bytes.IndexByte(quoted, '\\') >= 0 && unquote(quoted) == text
}

// unquote decodes a JSON string that is known to be valid. Invalid UTF-8
// becomes U+FFFD.
func unquote(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	switch text := string(inner); text { // names that occur in every call need no memory
	case "tools/call":
		return "tools/call"
	case "name":
		return "name"
	case "arguments":
		return "arguments"
	case "_meta":
		return "_meta"
	case "toolbox":
		return "toolbox"
	case "server":
		return "server"
	case "tool":
		return "tool"
	case "use_tool":
		return "use_tool"
	}
	for _, c := range inner {
		if c == '\\' || c >= 0x80 {
			text, _ := jsontext.AppendUnquote(nil, quoted)
			return string(text)
		}
	}
	return string(inner)
}
