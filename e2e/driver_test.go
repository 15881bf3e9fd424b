package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// object is decoded JSON. Its numbers are json.Number, so that two of them can be compared exactly.
type object = map[string]any

// library is one of the client libraries that test the program, with one of its ways to connect.
type library struct {
	name   string
	script string
	mode   any // an option of the driver client2.mjs; nil for its default
}

// libraries returns all client libraries that the program must work with.
func libraries() []library {
	return []library{
		{name: "sdk1", script: "sdk1.mjs"},
		{name: "client2", script: "client2.mjs", mode: "legacy"},
		{name: "client2-discover", script: "client2.mjs", mode: object{"pin": "2026-07-28"}},
	}
}

// forEachLibrary runs a test with every client library.
func forEachLibrary(t *testing.T, test func(t *testing.T, lib library)) {
	t.Helper()
	needNPM(t)
	for _, lib := range libraries() {
		t.Run(lib.name, func(t *testing.T) { test(t, lib) })
	}
}

// client is a client library that runs in its own process and is connected to one server.
type client struct {
	t      *testing.T
	stdin  io.WriteCloser
	lines  chan []byte
	cmd    *exec.Cmd
	stderr bytes.Buffer // of the driver; read it only after the process has ended
	pid    int          // id of the server process that the library started
	server []process    // the same process with its start time, if it was found
}

// launch says which server a client library starts, or at which address it is.
type launch struct {
	url        string
	token      string // for url
	command    string
	args       []string
	env        map[string]string // in addition to the few variables that the library passes to every server
	clientName string
	capable    bool // the client can do everything that a server may ask of one, see drivers/capable.mjs
}

// connect starts the client library, which starts the server and connects to it. Everything ends with the
// test.
func (lib library) connect(t *testing.T, server launch) *client {
	t.Helper()
	c := &client{t: t, lines: make(chan []byte), cmd: exec.Command("node", npmPath("drivers", lib.script))}
	c.cmd.Stderr = &c.stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdin = stdin
	if err := c.cmd.Start(); err != nil {
		t.Fatalf("starting the client: %v", err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(c.lines)
		reader := bufio.NewReaderSize(stdout, 1<<20)
		for {
			line, err := reader.ReadBytes('\n')
			if err != nil {
				return
			}
			c.lines <- line
		}
	}()
	t.Cleanup(func() {
		stdin.Close() // the driver ends when its stdin ends
		timer := time.AfterFunc(patience, func() { c.cmd.Process.Kill() })
		defer timer.Stop()
		for range c.lines { // discard what nobody waits for
		}
		<-read
		c.cmd.Wait()
		// At its end the server saves its counts in a folder that the test then removes.
		eventually(t, "the server that the client started has ended", func() bool { return len(alive(t, c.server)) == 0 })
		if t.Failed() && c.stderr.Len() > 0 {
			t.Logf("the client's stderr:\n%s", c.stderr.String())
		}
	})
	var started struct {
		PID int `json:"pid"`
	}
	step := object{"command": server.command, "args": server.args, "env": server.env, "mode": lib.mode,
		"capable": server.capable}
	if server.url != "" {
		step["url"], step["token"] = server.url, server.token
	}
	if server.clientName != "" {
		step["clientName"] = server.clientName
	}
	c.do("connect", step, &started)
	c.pid = started.PID
	for _, p := range processes(t) {
		if p.pid == c.pid {
			c.server = append(c.server, p)
		}
	}
	return c
}

// do performs a step of the driver and decodes its result. The test ends if the step fails.
func (c *client) do(op string, step object, result any) {
	c.t.Helper()
	if failure := c.try(op, step, result); failure != "" {
		c.t.Fatalf("%s %v: %s", op, step, failure)
	}
}

// try performs a step of the driver and returns its error, or "" if there was none.
func (c *client) try(op string, step object, result any) string {
	c.t.Helper()
	request := object{"op": op}
	for key, value := range step {
		request[key] = value
	}
	line, err := json.Marshal(request)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.stdin.Write(append(line, '\n')); err != nil {
		return fmt.Sprintf("the client is gone: %v", err)
	}
	select {
	case line, ok := <-c.lines:
		if !ok {
			return "the client ended without an answer"
		}
		var answer struct {
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
				Stderr  string `json:"stderr"`
			} `json:"error"`
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			c.t.Fatalf("the driver wrote %q: %v", line, err)
		}
		if answer.Error != nil {
			return answer.Error.Message + "\nthe server's stderr:\n" + answer.Error.Stderr
		}
		if result != nil {
			decode(c.t, answer.Result, result)
		}
		return ""
	case <-time.After(2 * patience):
		c.t.Fatalf("%s %v: no answer", op, step)
		return ""
	}
}

// call calls a tool and returns its result.
func (c *client) call(name string, arguments any) object {
	c.t.Helper()
	var result object
	c.do("callTool", object{"name": name, "arguments": arguments}, &result)
	return result
}

// use calls a downstream tool through use_tool.
func (c *client) use(toolbox, server, tool string, arguments any) object {
	c.t.Helper()
	return c.call("use_tool", useTool(toolbox, server, tool, arguments))
}

func useTool(toolbox, server, tool string, arguments any) object {
	all := object{"tool": object{"toolbox": toolbox, "server": server, "tool": tool}}
	if arguments != nil {
		all["arguments"] = arguments
	}
	return all
}

// opened is the answer of open_toolbox.
type opened struct {
	Toolbox          string   `json:"toolbox"`
	Description      *string  `json:"description"`
	ServersConnected int      `json:"servers_connected"`
	Tools            []object `json:"tools"`
	Errors           []string `json:"_errors"`
	Pending          []string `json:"_pending"`
}

// open calls open_toolbox. The test ends if the call fails.
func (c *client) open(toolbox string) opened {
	c.t.Helper()
	result := c.call("open_toolbox", object{"toolbox_name": toolbox})
	if result["isError"] == true {
		c.t.Fatalf("opening %q: %s", toolbox, firstText(c.t, result))
	}
	content := result["content"].([]any)
	if len(content) != 1 {
		c.t.Fatalf("open_toolbox answers %d content items, want 1", len(content))
	}
	var answer opened
	decode(c.t, []byte(firstText(c.t, result)), &answer)
	return answer
}

func (c *client) listTools() []object {
	c.t.Helper()
	var tools []object
	c.do("listTools", nil, &tools)
	return tools
}

func (c *client) close() {
	c.t.Helper()
	c.do("close", nil, nil)
}

func decode(t *testing.T, raw []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("decoding %s: %v", raw, err)
	}
}

// firstText returns the text of the first content item.
func firstText(t *testing.T, result object) string {
	t.Helper()
	content, _ := result["content"].([]any)
	if len(content) == 0 {
		t.Fatalf("there is no content in %v", result)
	}
	text, ok := content[0].(object)["text"].(string)
	if !ok {
		t.Fatalf("the first content item is no text: %v", content[0])
	}
	return text
}

func names(tools []object) []string {
	all := make([]string, len(tools))
	for i, tool := range tools {
		all[i], _ = tool["name"].(string)
	}
	return all
}

func lines(text ...string) string { return strings.Join(text, "\n") }
