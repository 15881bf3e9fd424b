package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// patience is how long to wait before a measurement is given up.
const patience = 60 * time.Second

// client is a running process that speaks MCP over its stdin and stdout. It is the same for everything that
// is measured, and does as little as possible: it writes a line, reads a line, and checks the id and the
// length.
type client struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
	line   []byte // the request that is written
	id     int    // of the last request
	guard  *time.Timer
}

// start starts a program without sending anything yet.
func start(command, env []string) (*client, error) {
	c := &client{cmd: exec.Command(command[0], command[1:]...)}
	c.cmd.Env = append(os.Environ(), env...)
	c.cmd.Stderr = &c.stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	c.stdin, c.stdout = stdin, bufio.NewReaderSize(stdout, 1<<20)
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", command[0], err)
	}
	// A process that hangs is killed, so that the pending read ends with an error.
	c.guard = time.AfterFunc(patience, func() { c.cmd.Process.Kill() })
	return c, nil
}

// close ends the process.
func (c *client) close() {
	c.stdin.Close()
	c.guard.Reset(patience)
	c.cmd.Wait() // its exit status does not matter: it was measured before
	c.guard.Stop()
}

// send writes one request. body is everything after the id: ,"method":…}.
func (c *client) send(body string) error {
	c.id++
	c.line = append(c.line[:0], `{"jsonrpc":"2.0","id":`...)
	c.line = strconv.AppendInt(c.line, int64(c.id), 10)
	c.line = append(append(c.line, body...), '\n')
	if _, err := c.stdin.Write(c.line); err != nil {
		return c.failed("writing a request", err)
	}
	return nil
}

// look is how many bytes at each end of a line are searched for the id.
const look = 96

// answer reads one answer and returns its id and its length in bytes. Notifications are skipped.
func (c *client) answer() (id, size int, err error) {
	for {
		part, err := c.stdout.ReadSlice('\n')
		size = len(part)
		id, found := idOf(part[:min(len(part), look)])
		if bytes.Contains(part[:min(len(part), look)], []byte(`"error":{`)) {
			return 0, 0, fmt.Errorf("the answer is an error: %s", part)
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			part, err = c.stdout.ReadSlice('\n')
			size += len(part)
		}
		if err != nil {
			return 0, 0, c.failed("reading an answer", err)
		}
		if !found { // servers in TypeScript write the result first
			id, found = idOf(part[max(0, len(part)-look):])
		}
		if found {
			return id, size, nil
		}
	}
}

// idOf finds the numeric id in one end of a line.
func idOf(end []byte) (int, bool) {
	_, rest, found := bytes.Cut(end, []byte(`"id":`))
	if !found {
		return 0, false
	}
	id, digits := 0, 0
	for _, b := range rest {
		if b < '0' || b > '9' {
			break
		}
		id, digits = id*10+int(b-'0'), digits+1
	}
	return id, digits > 0
}

// call sends a request and waits for its answer, of at least size bytes.
func (c *client) call(body string, size int) error {
	if err := c.send(body); err != nil {
		return err
	}
	id, got, err := c.answer()
	if err != nil {
		return err
	}
	return c.judge(id, c.id, got, size)
}

func (c *client) judge(id, wantID, size, wantSize int) error {
	if id != wantID {
		return fmt.Errorf("answer %d came for request %d", id, wantID)
	}
	if size < wantSize {
		return fmt.Errorf("the answer has %d bytes, want %d", size, wantSize)
	}
	return nil
}

// flood makes total calls with at most inFlight of them unanswered.
func (c *client) flood(body string, size, total, inFlight int) error {
	first := c.id + 1
	seen := make([]bool, total)
	for c.id < first+min(total, inFlight)-1 {
		if err := c.send(body); err != nil {
			return err
		}
	}
	for range total {
		id, got, err := c.answer()
		if err != nil {
			return err
		}
		if id < first || id >= first+total || seen[id-first] {
			return fmt.Errorf("an answer has id %d, which no open request has", id)
		}
		seen[id-first] = true
		if err := c.judge(id, id, got, size); err != nil {
			return err
		}
		if c.id < first+total-1 {
			if err := c.send(body); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *client) notify(line string) error {
	if _, err := c.stdin.Write([]byte(line + "\n")); err != nil {
		return c.failed("writing a notification", err)
	}
	return nil
}

// failed adds the stderr of the process to an error. The process is killed first, since its stderr may still
// be growing.
func (c *client) failed(doing string, err error) error {
	c.cmd.Process.Kill()
	c.cmd.Wait()
	return fmt.Errorf("%s: %w\nthe program's stderr:\n%s", doing, err, c.stderr.Bytes())
}
