package workbench

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
	cfg.Toolboxes[0].Servers = append(cfg.Toolboxes[0].Servers, serverEntry("plain", fakeserver.Script{MethodLog: methods}))
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
		for method, want := range map[string]string{"prompts/list": "dev__s__ask", "resources/list": `"a:1"`, "resources/templates/list": `b:{x}`} {
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
