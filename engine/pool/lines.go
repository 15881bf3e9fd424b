package pool

import (
	"encoding/json"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A line between engine and host is a message of MCP, which begins with "{", or one of these.
const (
	lineHere  = "!here"   // the host has understood what the engine wants
	lineFirst = "!first"  // the server is started for this engine
	lineBeat  = "!beat"   // the host is alive
	linePid   = "!pid "   // the process id of the server follows
	lineWrote = "!wrote " // a line of the server's log follows
	lineEnd   = "!end "   // why the engine can use the server no longer follows, as JSON
	lineBye   = "!bye"    // the engine leaves
)

// hostEnds is the reason for the end if the host ends, and with it all shared servers.
const hostEnds = words.Code("pool.host_ends")

// request returns the line of a request with an id of ours.
func request(id int64, method string, params json.RawMessage) []byte {
	line := strconv.AppendInt([]byte(`{"jsonrpc":"2.0","id":`), id, 10)
	return withParams(append(line, ','), method, params)
}

// notification returns the line of a notification.
func notification(method string, params json.RawMessage) []byte {
	return withParams([]byte(`{"jsonrpc":"2.0",`), method, params)
}

func withParams(line []byte, method string, params json.RawMessage) []byte {
	line = jsonrpc.AppendString(append(line, `"method":`...), method)
	if params != nil {
		line = append(append(line, `,"params":`...), params...)
	}
	return append(line, "}\n"...)
}

// result returns the line of an answer.
func result(id, value json.RawMessage) []byte {
	line := make([]byte, 0, len(id)+len(value)+40)
	line = append(append(line, `{"jsonrpc":"2.0","id":`...), id...)
	return append(append(append(line, `,"result":`...), value...), "}\n"...)
}

// failure returns the line of an answer that is an error.
func failure(id json.RawMessage, e *downstream.RPCError) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	line = strconv.AppendInt(append(line, `,"error":{"code":`...), e.Code, 10)
	line = jsonrpc.AppendString(append(line, `,"message":`...), e.Message)
	if e.Data != nil {
		line = append(append(line, `,"data":`...), e.Data...)
	}
	return append(line, "}}\n"...)
}

// ending returns the line that says why the engine can use the server no longer.
func ending(why words.Text) []byte {
	said, err := json.Marshal(why)
	if err != nil {
		said = []byte("{}")
	}
	return append(append([]byte(lineEnd), said...), '\n')
}
