package downstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

const (
	// maxForeignID is the length of the longest id of a server's request, in bytes.
	maxForeignID = 1024
	// maxOwnID is the length of the longest spelling of one of our ids, in bytes.
	maxOwnID = 64
)

// Notifications that are passed on to the client.
const (
	// ResourceUpdated says that a resource has changed.
	ResourceUpdated = "notifications/resources/updated"
	// TaskStatus reports the progress of a task.
	TaskStatus = "notifications/tasks/status"
	// ElicitationComplete says that the user has finished with a web page.
	ElicitationComplete = "notifications/elicitation/complete"
	// LogMessage is a message for the log.
	LogMessage = "notifications/message"
)

// parseID parses an id that may be ours. Servers may return our number as 1.0 or "1".
func parseID(raw json.RawMessage) (int64, bool) {
	if len(raw) == 0 || len(raw) > maxOwnID {
		return 0, false
	}
	if raw[0] == '"' {
		text, _ := jsonrpc.String(raw)
		id, err := strconv.ParseInt(text, 10, 64)
		return id, err == nil
	}
	id, err := strconv.ParseInt(string(raw), 10, 64)
	if err == nil {
		return id, true
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || number != float64(int64(number)) || number > 1<<53 || number < -1<<53 {
		return 0, false
	}
	return int64(number), true
}

// carriesAnswer reports whether a message has a result or an error.
func carriesAnswer(m jsonrpc.Message) bool { return m.Result != nil || m.Error != nil }

// Failed reports whether the result of a tool, split, is an error.
func Failed(result []jsonrpc.Member) bool {
	return string(jsonrpc.ValueOf(result, "isError")) == "true"
}

// appendMember appends a member to an object that is not closed yet. If value is nil, the caller must append it.
func appendMember(dst []byte, name string, value json.RawMessage) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = jsonrpc.AppendString(dst, name)
	dst = append(dst, ':')
	return appendLine(dst, value)
}

// appendLine appends a value without line breaks.
func appendLine(dst []byte, value json.RawMessage) []byte {
	if bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(value, '\r') >= 0 {
		return jsonrpc.AppendCompact(dst, value)
	}
	return append(dst, value...)
}

// appendReply returns the line of an answer to a request of the server.
func appendReply(id, result json.RawMessage, err error) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if err == nil {
		line = appendLine(append(line, `,"result":`...), result)
		return append(line, "}\n"...)
	}
	var failure *RPCError
	if !errors.As(err, &failure) {
		failure = &RPCError{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	line = strconv.AppendInt(append(line, `,"error":{"code":`...), failure.Code, 10)
	line = jsonrpc.AppendString(append(line, `,"message":`...), failure.Message)
	if failure.Data != nil {
		line = appendLine(append(line, `,"data":`...), failure.Data)
	}
	return append(line, "}}\n"...)
}

// texts returns the strings in an array, at most limit of them.
func texts(array json.RawMessage, limit int) []string {
	elements, _ := jsonrpc.Elements(array)
	var texts []string
	for _, element := range elements[:min(len(elements), limit)] {
		if text, ok := jsonrpc.String(element); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// inputRequired is the type of a result that asks for input.
const inputRequired = "input_required"

// maxNested is the deepest nesting of a server's requests, notifications and definitions. Some clients accept at most
// 128 levels, and would otherwise close the connection or refuse a whole list.
const maxNested = 100
