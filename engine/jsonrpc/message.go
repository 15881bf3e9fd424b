// Package jsonrpc reads and writes JSON-RPC 2.0 messages, one per line, without decoding what they carry.
//
// MCP's stdio transport puts one message on a line. A proxy that decodes messages into types loses the
// members that the types do not have. So everything here works on the bytes as they were sent: [Parse] finds
// the members of a message, [Members] and [Elements] split a value, the Append functions build one, and
// [Reader] and [Writer] read and write lines.
//
// # What is accepted
//
// JSON as RFC 8259 defines it, at most 10,000 levels deep. Package jsontext checks it. Two things are accepted
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
	// Error is nil when absent or sent as null. Servers for older versions of JSON-RPC send null together
	// with a result.
	Error json.RawMessage
	// BrokenText is set if a string of the message has a part of a character: bytes that are not valid UTF-8, or an
	// escaped half of a surrogate pair, see [WholeCharacters].
	BrokenText bool
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

// Parse checks and parses one message. The message aliases line, which must not be changed while the
// message is in use. Errors wrap one of the package's Err values.
func Parse(line []byte) (Message, error) {
	broken, err := check(line)
	if err != nil {
		return Message{}, err
	}
	kind := jsontext.Value(line).Kind()
	if kind == jsontext.KindBeginArray {
		return Message{}, ErrBatch
	}
	if kind != jsontext.KindBeginObject {
		return Message{}, ErrNotObject
	}
	m := Message{BrokenText: broken}
	var version, id, method jsontext.Value
	each(line, func(name []byte, value json.RawMessage) {
		switch unquote(name) {
		case "jsonrpc":
			version = jsontext.Value(value)
		case "id":
			id = jsontext.Value(value)
		case "method":
			method = jsontext.Value(value)
		case "params":
			m.Params = value
		case "result":
			m.Result = value
		case "error":
			m.Error = value
		}
	})
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
	number, _ := String(json.RawMessage(version))
	switch {
	case number != "2.0":
		return m, ErrVersion
	case id != nil:
		return m, ErrID
	case method != nil:
		return m, ErrMethod
	}
	return m, nil
}

// check reports why data is not one JSON value, and whether a string in it has a part of a character. The error wraps
// [ErrSyntax].
func check(data []byte) (broken bool, err error) {
	loose := []jsontext.Options{jsontext.AllowDuplicateNames(true)}
	if jsontext.Value(data).IsValid(loose...) {
		return false, nil
	}
	loose = append(loose, jsontext.AllowInvalidUTF8(true))
	if jsontext.Value(data).IsValid(loose...) {
		return true, nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(data), loose...)
	if _, err := dec.ReadValue(); err != nil {
		return false, syntax(err)
	}
	if _, err := dec.ReadToken(); err != nil {
		return false, syntax(err)
	}
	return false, words.NewError("jsonrpc.invalid_at", "Byte", dec.InputOffset(), "Why",
		words.New("jsonrpc.more_values")).Because(ErrSyntax)
}

// syntax converts an error of the decoder, whose own text repeats the path to the place, which hostile input can
// make very long.
func syntax(err error) error {
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

// unquote decodes a JSON string that is known to be valid. Invalid UTF-8
// becomes U+FFFD.
func unquote(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	for _, c := range inner {
		if c == '\\' || c >= 0x80 {
			text, _ := jsontext.AppendUnquote(nil, quoted)
			return string(text)
		}
	}
	return string(inner)
}
