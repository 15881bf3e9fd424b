package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// conn writes messages to the client, each on one line.
type conn struct {
	log        *slog.Logger
	peer       *peer
	out        *jsonrpc.Writer
	inputEnded chan struct{} // closed when the client has closed stdin
}

// write writes a message. An error ends the session, see [failingWriter]. A message that is too large for the client
// is dropped, since it would end the connection.
func (c *conn) write(parts ...[]byte) {
	if size := lengthOf(parts); !c.fits(size) {
		c.log.Error("A message is larger than the client takes and was dropped; this is a bug in Workbench", "bytes", size,
			"limit", c.peer.most())
		return
	}
	_ = c.out.WriteLine(parts...)
}

// refuse answers an invalid message with an error. A nil id is written as null.
func (c *conn) refuse(reply func(...[]byte), id json.RawMessage, code int, message string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	(&request{id: id, reply: reply}).fail(code, message, nil)
}

func (c *conn) notifyProgress(params []byte) {
	c.write([]byte(`{"jsonrpc":"2.0","method":"`+mcp.MethodNotificationProgress+`","params":`), params, []byte{'}'})
}

// reportOpening sends a progress notification while a toolbox is opened. The protocol requires progress to increase.
func (c *conn) reportOpening(token json.RawMessage, p toolbox.Progress) {
	progress := float64(p.Done)
	if p.Done < p.Total {
		progress += 0.9 * p.Fraction
	}
	params := append([]byte(`{"progressToken":`), token...)
	params = append(params, `,"progress":`...)
	params = strconv.AppendFloat(params, progress, 'f', -1, 64)
	params = append(params, `,"total":`...)
	params = strconv.AppendInt(params, int64(p.Total), 10)
	params = append(params, `,"message":`...)
	params = append(jsonrpc.AppendString(params, p.Message), '}')
	c.notifyProgress(params)
}

// fits reports whether the client accepts a message of a size in bytes.
func (c *conn) fits(size int) bool { return size <= c.peer.most() }

// tooLarge returns the error message for an answer that is too large for the client.
func (c *conn) tooLarge(size int) string {
	return fmt.Sprintf("The answer has %d bytes, and the AI app takes at most %d in one message. "+
		"Ask for less of it: a part, a page, a smaller picture, or a file that it is written to", size, c.peer.most())
}

// failingWriter calls fail when a write fails, because the client has closed its end.
type failingWriter struct {
	io.Writer
	fail context.CancelCauseFunc
}

func (w failingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.fail(err)
	}
	return n, err
}
