package mcpserver

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// TestFirstLists: the prompts and resources of a toolbox that is always open are in the first lists, also when its
// server rests because its tools are known from an earlier run. A server that has only tools goes on resting.
func TestFirstLists(t *testing.T) {
	folder, methods := t.TempDir(), filepath.Join(t.TempDir(), "methods")
	script := fakeserver.Script{
		Capabilities: json.RawMessage(`{"tools":{},"prompts":{},"resources":{}}`),
		Answers: map[string]json.RawMessage{
			"prompts/list":             json.RawMessage(`{"prompts":[{"name":"ask"}]}`),
			"resources/list":           json.RawMessage(`{"resources":[{"uri":"a:1","name":"a"}]}`),
			"resources/templates/list": json.RawMessage(`{"resourceTemplates":[{"uriTemplate":"b:{x}","name":"b"}]}`),
		},
	}
	cfg := echoToolbox(script)
	cfg.Toolboxes[0].Open = true
	cfg.Toolboxes[0].Servers = append(cfg.Toolboxes[0].Servers,
		serverEntry("plain", fakeserver.Script{MethodLog: methods}))
	starts := 0
	for run := range 2 {
		c := dial(t, cfg, Options{Toolbox: toolbox.Options{Pins: pin.Open(folder)}})
		id := 0
		ask := func(method, params string) string {
			t.Helper()
			id++
			c.send(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`, id, method, params)
			for {
				if m := c.receive(); string(m.ID) == fmt.Sprint(id) {
					return string(m.Result) + string(m.Error)
				}
			}
		}
		ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`)
		if run == 0 {
			ask("tools/list", `{}`)
		}
		for method, want := range map[string]string{"prompts/list": "dev__s__ask", "resources/list": `"a:1"`,
			"resources/templates/list": `b:{x}`} {
			if got := ask(method, `{}`); !strings.Contains(got, want) {
				t.Errorf("run %d: %s: %s", run, method, got)
			}
		}
		go io.Copy(io.Discard, c.lines)
		c.in.Close()
		<-c.ended
		asked, err := os.ReadFile(methods)
		if err != nil {
			t.Fatal(err)
		}
		started := strings.Count(string(asked), "initialize\n")
		if run == 0 {
			starts = started
		} else if started != starts {
			t.Errorf("the server without prompts was started %d times, want %d", started, starts)
		}
	}
}

// TestCompletionBeforeLists: a client that knows a prompt or a template from an earlier session may complete it first.
func TestCompletionBeforeLists(t *testing.T) {
	for ref, answers := range map[string]map[string]json.RawMessage{
		`{"type":"ref/prompt","name":"dev__s__ask"}`: {"prompts/list": json.RawMessage(`{"prompts":[{"name":"ask"}]}`)},
		`{"type":"ref/resource","uri":"b:{x}"}`: {
			"resources/list":           json.RawMessage(`{"resources":[]}`),
			"resources/templates/list": json.RawMessage(`{"resourceTemplates":[{"uriTemplate":"b:{x}","name":"b"}]}`)},
	} {
		answers["completion/complete"] = json.RawMessage(`{"completion":{"values":["found"]}}`)
		cfg := echoToolbox(fakeserver.Script{Answers: answers,
			Capabilities: json.RawMessage(`{"tools":{},"prompts":{},"resources":{},"completions":{}}`)})
		cfg.Toolboxes[0].Open = true
		c := dial(t, cfg, Options{})
		c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"x","version":"1"}}}`)
		c.receive()
		c.send(`{"jsonrpc":"2.0","id":2,"method":"completion/complete","params":{"ref":%s,"argument":{"name":"x",`+
			`"value":"f"}}}`, ref)
		for {
			m := c.receive()
			if string(m.ID) != "2" {
				continue
			}
			if !strings.Contains(string(m.Result), "found") {
				t.Errorf("%s: %s%s", ref, m.Result, m.Error)
			}
			break
		}
		go io.Copy(io.Discard, c.lines)
		c.in.Close()
		<-c.ended
	}
}

// TestFirstListsAtOnce: many clients ask for all lists at once, and none of them for a second time.
func TestFirstListsAtOnce(t *testing.T) {
	cfg := echoToolbox(fakeserver.Script{
		Capabilities: json.RawMessage(`{"tools":{},"prompts":{},"resources":{}}`),
		Answers: map[string]json.RawMessage{
			"prompts/list":             json.RawMessage(`{"prompts":[{"name":"ask"}]}`),
			"resources/list":           json.RawMessage(`{"resources":[{"uri":"a:1","name":"a"}]}`),
			"resources/templates/list": json.RawMessage(`{"resourceTemplates":[{"uriTemplate":"b:{x}","name":"b"}]}`),
		},
	})
	cfg.Toolboxes[0].Open = true
	c := dial(t, cfg, Options{})
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	c.receive()
	methods := []string{"resources/list", "resources/templates/list", "prompts/list", "resources/list"}
	var all strings.Builder
	for id, method := range methods {
		fmt.Fprintf(&all, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\"}\n", id, method)
	}
	c.send("%s", strings.TrimSpace(all.String()))
	want := []string{`"a:1"`, `b:{x}`, "dev__s__ask", `"a:1"`}
	for answered := 0; answered < len(want); {
		m := c.receive()
		if len(m.ID) == 0 {
			continue
		}
		answered++
		if i := int(m.ID[0] - '0'); !strings.Contains(string(m.Result), want[i]) {
			t.Errorf("%s: %s%s", methods[i], m.Result, m.Error)
		}
	}
}
