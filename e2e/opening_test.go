package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// wire is a client that shows all messages in their order. The client libraries do not show the order.
type wire struct {
	t     *testing.T
	stdin io.WriteCloser
	lines *jsonrpc.Reader
	meta  object // _meta of every request; nil before version 2026-07-28
}

// dial starts the program for a client with the given id. It connects as a client of version 2026-07-28 that
// subscribes to notifications, or as a client of an earlier version.
func dial(t *testing.T, engine launch, id string, modern bool) *wire {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), engine.command, append(engine.args, "--client", id)...)
	for name, value := range engine.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	w := &wire{t: t, stdin: stdin, lines: jsonrpc.NewReader(stdout, 1<<30)}
	if modern {
		w.meta = object{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": object{}}
		w.send(1, "subscriptions/listen", object{"notifications": object{"toolsListChanged": true}})
	} else {
		w.send(1, "initialize", object{"protocolVersion": "2025-11-25", "capabilities": object{},
			"clientInfo": object{"name": "x", "version": "1"}})
	}
	w.next() // the result, or the acknowledgement of the subscription
	return w
}

func (w *wire) send(id int, method string, params object) {
	w.t.Helper()
	if w.meta != nil {
		params["_meta"] = w.meta
	}
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.stdin.Write(append(line, '\n')); err != nil {
		w.t.Fatal(err)
	}
}

func (w *wire) call(id int, tool string, arguments object) {
	w.t.Helper()
	w.send(id, "tools/call", object{"name": tool, "arguments": arguments})
}

// next returns the next message: the method, or the id and the result.
func (w *wire) next() (method, id, result string) {
	w.t.Helper()
	line, err := w.lines.Next()
	if err != nil {
		w.t.Fatalf("the program: %v", err)
	}
	m, err := jsonrpc.Parse(line)
	if err != nil {
		w.t.Fatal(err)
	}
	return m.Method, string(m.ID), string(m.Result)
}

// manyTools returns a configuration with 150 tools in 5 servers. The tools have about 130 KB.
func manyTools(t *testing.T) launch {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkshop(t)
	servers := ordered{}
	for _, server := range []string{"github", "notion", "chart", "git", "files"} {
		var tools []json.RawMessage
		for i := range 30 {
			name := toolOf(server, i)
			definition, err := json.Marshal(
				object{"name": name, "title": "The tool " + name,
					"description": "Does something with " + name + ". " + strings.Repeat("More of it. ", 30),
					"inputSchema": object{"type": "object",
						"properties": object{"path": object{"type": "string", "description": "Where " + name + " is"}}}})
			if err != nil {
				t.Fatal(err)
			}
			tools = append(tools, definition)
		}
		script := w.write(server+".json", fakeserver.Script{Tools: tools}.String())
		servers = append(servers, ordered{
			{server, object{"command": self, "env": object{fakeserver.Variable: "@" + script}}}}...)
	}
	return w.save(ordered{{"dev", object{"mcpServers": servers}}})
}

func toolOf(server string, i int) string { return fmt.Sprintf("%s_does_this_and_that_%02d", server, i) }

// TestToolsAreThereWithTheAnswer: when a client gets the answer of open_toolbox, it already has the tools of
// the toolbox. When it gets the answer of close_toolbox, it no longer has them.
func TestToolsAreThereWithTheAnswer(t *testing.T) {
	for _, tt := range []struct {
		client string
		modern bool
		pause  time.Duration
	}{{"opencode", false, 20 * time.Millisecond}, {"gemini", false, 200 * time.Millisecond},
		{"claude-code", true, 20 * time.Millisecond}} {
		t.Run(tt.client, func(t *testing.T) {
			t.Parallel()
			w := dial(t, manyTools(t), tt.client, tt.modern)
			for round, tool := range []string{"open_toolbox", "close_toolbox"} {
				w.call(10, tool, object{"toolbox_name": "dev"})
				if method, id, _ := w.next(); method != "notifications/tools/list_changed" {
					t.Fatalf("%s: the first message is %s%s", tool, method, id)
				}
				asked := time.Now()
				w.send(11, "tools/list", object{})
				if _, id, result := w.next(); id != "11" || strings.Contains(result, "dev__github__") != (round == 0) {
					t.Fatalf("%s: the second message is the answer of %s: %.200s", tool, id, result)
				}
				if _, id, result := w.next(); id != "10" || !strings.Contains(result, "dev") {
					t.Fatalf("%s: the third message is the answer of %s: %.200s", tool, id, result)
				}
				if took := time.Since(asked); took < tt.pause {
					t.Errorf("%s: the client had %v to take up the tools, want %v", tool, took, tt.pause)
				}
			}
		})
	}
}

// TestClientThatDoesNotAskIsAnswered: the engine does not wait forever for a client to ask for the tools.
func TestClientThatDoesNotAskIsAnswered(t *testing.T) {
	t.Parallel()
	w := dial(t, manyTools(t), "opencode", false)
	begun := time.Now()
	w.call(10, "open_toolbox", object{"toolbox_name": "dev"})
	if method, _, _ := w.next(); method != "notifications/tools/list_changed" {
		t.Fatalf("the first message is %s", method)
	}
	if _, id, _ := w.next(); id != "10" {
		t.Fatalf("the second message answers %s", id)
	}
	if took := time.Since(begun); took < time.Second {
		t.Errorf("the answer came after %v", took)
	}
}

// TestLargeToolbox: every AI coding agent gets the names of all 150 tools, and needs at most one more call for each
// schema.
func TestLargeToolbox(t *testing.T) {
	for client, most := range map[string]int{"codex": 12_000, "cline": 8_000, "claude-desktop": 40_000, "qwen": 28_000,
		"kimi": 50_000, "an app": 7_900} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			w := dial(t, manyTools(t), client, false)
			open := func(arguments object) string {
				t.Helper()
				w.call(10, "open_toolbox", arguments)
				_, _, result := w.next()
				var answer object
				decode(t, []byte(result), &answer)
				return firstText(t, answer)
			}
			text := open(object{"toolbox_name": "dev"})
			if len(text) > most {
				t.Errorf("the answer has %d bytes, and %s shows %d", len(text), client, most)
			}
			if !strings.Contains(text, `"_reduced":`) {
				t.Errorf("the answer does not say that something is left out: %.300s", text)
			}
			for _, server := range []string{"github", "notion", "chart", "git", "files"} {
				for i := range 30 {
					if !strings.Contains(text, toolOf(server, i)) {
						t.Fatalf("%s is not in the answer: %.500s", toolOf(server, i), text)
					}
				}
			}
			for arguments, tools := range map[*object]int{
				{"toolbox_name": "dev", "server": "chart", "tool": toolOf("chart", 7)}: 1,
				{"toolbox_name": "dev", "server": "git"}:                               30,
			} {
				var whole opened
				decode(t, []byte(open(*arguments)), &whole)
				if len(whole.Tools) != tools {
					t.Fatalf("%v returns %d tools, want %d", *arguments, len(whole.Tools), tools)
				}
				for _, tool := range whole.Tools {
					if tool["inputSchema"] == nil || tool["title"] == nil || len(tool["description"].(string)) < 300 {
						t.Errorf("%v: the tool is not complete: %v", *arguments, tool)
					}
				}
			}
		})
	}
}
