package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// A server gets calls in the order in which the client has made them, as without us: the first may write what the
// second reads. That is so before the server is connected, too.
func TestCallsKeepTheirOrder(t *testing.T) {
	log := filepath.Join(t.TempDir(), "calls")
	c := connect(t, echoToolbox(fakeserver.Script{RequestLog: log}), Options{ToolMode: config.ModeProxy})
	var want []string
	var calls strings.Builder
	for n := range 300 {
		want = append(want, fmt.Sprintf(`{"n":%d}`, n))
		fmt.Fprintf(&calls, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"use_tool",`+
			`"arguments":{"tool":{"toolbox":"dev","server":"s","tool":"echo"},"arguments":{"n":%d}}}}`+"\n", n, n)
	}
	go func() { c.send(strings.TrimSuffix(calls.String(), "\n")) }()
	for range 300 {
		if m := c.receive(); downstream.Failed(jsonrpc.Split(m.Result)) {
			t.Fatalf("%s%s", m.Result, m.Error)
		}
	}
	requests, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range bytes.Lines(requests) {
		if arguments := jsonrpc.Lookup(jsonrpc.Lookup(line, "params"), "arguments"); arguments != nil {
			got = append(got, string(arguments))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the server got the calls in another order (-want +got)\n%.2000s", diff)
	}
}

// While the person is asked about a call, later calls of the same server go on.
func TestCallsPassOneThatWaitsForThePerson(t *testing.T) {
	cfg := echoToolbox(fakeserver.Script{Tools: []json.RawMessage{
		fakeserver.Tool("writes"), json.RawMessage(
			`{"name":"reads","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`),
	}})
	cfg.Toolboxes[0].Servers[0].AskFirst = true
	options := Options{ToolMode: config.ModeProxy}
	answer := make(chan status.Answer)
	options.Toolbox.Ask = func(context.Context, status.Question) (status.Answer, error) { return <-answer, nil }
	c := connect(t, cfg, options)
	use := func(id int, tool string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"dev","server":"s","tool":%q},"arguments":{}}}}`, id, tool)
	}
	c.send(use(1, "writes") + "\n" + use(2, "reads"))
	if m := c.receive(); string(m.ID) != "2" || downstream.Failed(jsonrpc.Split(m.Result)) {
		t.Fatalf("the first answer is %s to %s", m.Result, m.ID)
	}
	answer <- status.AllowOnce
	if m := c.receive(); string(m.ID) != "1" || downstream.Failed(jsonrpc.Split(m.Result)) {
		t.Errorf("then %s to %s", m.Result, m.ID)
	}
}
