package ipc

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A message is one line of JSON. Both sides begin with hello. The messages hello with its "version", and show
// with its answer, are the same in all versions of the protocol. So a new app can ask an old one to show its
// window, and each side can recognise another version. Unknown types and members are ignored.
const (
	typeHello = "hello" // both: identity
	typePing  = "ping"  // both: a sign of life

	typeSnapshot = "snapshot" // engine: the whole status
	typeLog      = "log"      // engine: a log line
	typeCall     = "call"     // engine: a call
	typeReply    = "reply"    // engine: the answer to a command
	typeAsk      = "ask"      // engine: a question to the person, answered with the same id
	typeWithdraw = "withdraw" // engine: nobody waits for the answer any more

	typePause   = "pause"   // app: refuse all calls, or continue
	typeReread  = "reread"  // app: read the configuration again
	typeRestart = "restart" // app: the commands, answered with the same id
	typeStop    = "stop"
	typeOpen    = "open"
	typeClose   = "close"
	typeTools   = "tools"
	typeGetLog  = "getLog"

	typeAnswer = "answer" // app: the person's answer to a question

	typeShow  = "show"  // a second start of the app: show your window
	typeShown = "shown" // the answer to show
)

// message is a message of any type; members that a type does not have are empty.
type message struct {
	Type string `json:"type"`

	// hello
	Version int    `json:"version,omitempty"`
	Pid     int    `json:"pid,omitempty"`     // of the app
	Program string `json:"program,omitempty"` // of the app
	Config  string `json:"config,omitempty"`  // of the app
	About   *About `json:"about,omitempty"`   // of an engine
	Asks    bool   `json:"asks,omitempty"`    // of the app: it can ask the person

	// show
	Open string `json:"open,omitempty"` // what the window opens: the path of a file, or a link

	// snapshot
	Snapshot *status.Snapshot `json:"snapshot,omitempty"`

	// log, call, and commands
	Toolbox string          `json:"toolbox,omitempty"`
	Server  string          `json:"server,omitempty"`
	Line    *status.LogLine `json:"line,omitempty"`
	Missed  int             `json:"missed,omitempty"`
	Call    *status.Call    `json:"call,omitempty"`

	// commands and replies
	ID     uint64           `json:"id,omitempty"`
	Error  words.Text       `json:"error,omitzero"`
	Tools  []status.Tool    `json:"tools,omitempty"`
	Lines  []status.LogLine `json:"lines,omitempty"`
	Paused bool             `json:"paused,omitempty"`

	// questions
	Question *status.Question `json:"question,omitempty"`
	Answer   status.Answer    `json:"answer,omitempty"`

	size int // of the line, in bytes
}

// Limits of the length of a line, in bytes.
const (
	maxFromEngine = 8 << 20
	maxFromApp    = 64 << 10
	maxEvent      = 64 << 10 // of a hello, a log line or a call: many of them are kept
	maxOpen       = 64 << 10 // of a path or a link
)

// Time limits. A peer silent for three heartbeats is unresponsive.
const (
	heartbeat  = 5 * time.Second
	silence    = 3 * heartbeat
	greetTime  = 5 * time.Second // for the other side's hello
	writeLimit = 5 * time.Second // for one write; a peer that reads accepts it at once
)

// lineReader reads messages.
type lineReader struct {
	in    *bufio.Reader
	limit int
	line  []byte
}

func newLineReader(in io.Reader, limit int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 16<<10), limit: limit}
}

// next returns the next message. A line that is too long or is no message is skipped, since a newer version
// may have sent it.
func (r *lineReader) next() (*message, error) {
	for {
		line, err := r.read()
		if err != nil {
			return nil, err
		}
		m := &message{}
		if line != nil && json.Unmarshal(line, m) == nil && m.Type != "" {
			m.size = len(line)
			return m, nil
		}
	}
}

// read returns the next line; nil for one that is too long. It is valid until the next read.
func (r *lineReader) read() ([]byte, error) {
	r.line = r.line[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		if len(r.line)+len(part) <= r.limit {
			r.line = append(r.line, part...)
		} else {
			return nil, r.skip(err)
		}
		switch {
		case err == nil:
			return r.line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err // a line without an end was cut off
		}
	}
}

// skip reads up to the end of a line.
func (r *lineReader) skip(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.in.ReadSlice('\n')
	}
	return err
}

// lineWriter writes messages, each with a time limit.
type lineWriter struct {
	mu   sync.Mutex
	conn net.Conn
}

func (w *lineWriter) write(m *message) error {
	line, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", m.Type, err)
	}
	return w.writeLine(append(line, '\n'))
}

// writeLine writes whole lines. After an error the connection cannot be used any more.
func (w *lineWriter) writeLine(lines []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.conn.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return err
	}
	_, err := w.conn.Write(lines)
	return err
}
