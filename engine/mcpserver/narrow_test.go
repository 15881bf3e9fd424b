package mcpserver

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// severalServers returns the toolbox "dev" with the servers a and b, a disabled server, and one that cannot
// be started.
func severalServers() *config.Config {
	fake := func(name, instructions string, tools ...json.RawMessage) *config.Server {
		return &config.Server{Name: name, Transport: config.TransportStdio, Command: os.Args[0],
			ToolFilters: []string{"one", "two", "both"},
			Env: []config.Variable{{Name: fakeserver.Variable,
				Value: fakeserver.Script{Tools: tools, Instructions: instructions}.String()}}}
	}
	off := fake("off", "")
	off.Disabled = true
	return &config.Config{ToolMode: config.ModeAuto, Toolboxes: []*config.Toolbox{{Name: "dev", Servers: []*config.Server{
		fake("a", "Look before you leap.\nThen leap.", fakeserver.Tool("one"), fakeserver.Tool("both"),
			fakeserver.Tool("hidden")),
		fake("b", " \n", fakeserver.Tool("two"), fakeserver.Tool("both")), off,
		{Name: "broken", Transport: config.TransportStdio, Command: "no-such-program"},
	}}}}
}

// texts calls a tool and returns the texts of its result.
func (c *connection) texts(call string) (all []string, isError bool) {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":78,"method":"tools/call","params":%s}`, call)
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(c.receive().Result, &result); err != nil {
		c.t.Fatal(err)
	}
	for _, item := range result.Content {
		all = append(all, item.Text)
	}
	return all, result.IsError
}

func TestNarrowing(t *testing.T) {
	c := connect(t, severalServers(), Options{})
	const broken = `Failed to connect to server 'broken' in toolbox 'dev'`
	tool := func(name, server string) string {
		return strings.Replace(string(fakeserver.Tool(name)), `{`,
			`{"name":"`+name+`","toolbox_name":"dev","source_server":"`+server+`",`, 1)
	}
	const instructions = `"instructions":{"a":"Look before you leap.\nThen leap."},`
	for _, test := range []struct {
		arguments string
		want      string
	}{
		{`{"toolbox_name":"dev","server":"a"}`,
			instructions + `"tools":[` + tool("one", "a") + "," + tool("both", "a") + "]"},
		{`{"toolbox_name":"dev","server":"b","tool":null}`, `"tools":[` + tool("two", "b") + "," + tool("both", "b") + "]"},
		{`{"toolbox_name":"dev","server":"b","tool":"both"}`, `"tools":[` + tool("both", "b") + "]"},
		{`{"toolbox_name":"dev","tool":"one"}`, instructions + `"tools":[` + tool("one", "a") + "]"},
	} {
		got, isError := c.texts(`{"name":"open_toolbox","arguments":` + test.arguments + `}`)
		want := []string{sortedJSON(t, `{"toolbox":"dev","description":"","servers_connected":2,`+test.want+`}`)}
		if len(got) == 1 && !isError {
			got[0] = sortedJSON(t, got[0])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.arguments, diff)
		}
	}
	for _, test := range []struct {
		arguments string
		want      []string
	}{
		{`{"toolbox_name":"dev","server":"x"}`,
			[]string{"Server 'x' not found in toolbox 'dev'", "Available servers: a, b, broken"}},
		{`{"toolbox_name":"dev","server":"off"}`,
			[]string{"Server 'off' not found in toolbox 'dev'", "Available servers: a, b, broken",
				"Server 'off' is disabled in the configuration."}},
		{`{"toolbox_name":"dev","server":"a","tool":"two"}`,
			[]string{"Tool 'two' not found in server 'a' (toolbox 'dev')", "Available tools: one, both"}},
		{`{"toolbox_name":"dev","server":"a","tool":"hidden"}`,
			[]string{"Tool 'hidden' not found in server 'a' (toolbox 'dev')", "Available tools: one, both"}},
		{`{"toolbox_name":"dev","tool":"three"}`,
			[]string{"Tool 'three' not found in toolbox 'dev'", "Available tools: one, both, two"}},
		{`{"toolbox_name":"dev","tool":"both"}`,
			[]string{"Invalid parameters: server is required, because 2 servers in toolbox 'dev' have a tool 'both'",
				"Available servers: a, b"}},
		{`{"toolbox_name":"dev","server":7}`, []string{"Invalid parameters: server must be a string"}},
		{`{"toolbox_name":"dev","server":""}`, []string{"Invalid parameters: server cannot be empty"}},
		{`{"toolbox_name":"dev","tool":[]}`, []string{"Invalid parameters: tool must be a string"}},
		{`{"toolbox_name":"dev","tool":" "}`, []string{"Invalid parameters: tool cannot be empty"}},
		{`{"toolbox_name":"dev","servers":"a"}`, []string{"Invalid parameters: Unrecognized key: 'servers'"}},
	} {
		got, isError := c.texts(`{"name":"open_toolbox","arguments":` + test.arguments + `}`)
		if diff := cmp.Diff(test.want, got); diff != "" || !isError {
			t.Errorf("%s, an error: %v (-want +got):\n%s", test.arguments, isError, diff)
		}
	}
	if got, isError := c.texts(`{"name":"open_toolbox","arguments":{"toolbox_name":"dev","server":"broken"}}`); !isError || !strings.HasPrefix(got[0], broken) {
		t.Errorf("the broken server: %q", got)
	}
	if got, isError := c.texts(`{"name":"close_toolbox","arguments":{"toolbox_name":"dev","server":"a"}}`); !isError ||
		got[0] != "Invalid parameters: Unrecognized key: 'server'" {
		t.Errorf("closing one server: %q", got)
	}
}

// TestNarrowingOpensTheWholeToolbox: a tool of the other server can be called at once.
func TestNarrowingOpensTheWholeToolbox(t *testing.T) {
	c := connect(t, severalServers(), Options{ToolMode: config.ModeDynamic, ListWait: 1})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev","server":"a"}}}`)
	c.receive() // the tools have changed
	c.expect("1", `\"registered_name\":\"dev__a__one\"`)
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	c.expect("2", `"dev__b__two"`)
}

// TestANarrowAnswerIsComplete: a narrowed answer is complete even if the client shows less of it, and says
// how to get less.
func TestANarrowAnswerIsComplete(t *testing.T) {
	c := connect(t, bigToolbox(t), Options{ClientID: "codex"})
	text := c.openText(`{"toolbox_name":"dev","server":"git"}`)
	if n := strings.Count(text, `"unheardOf":12`); n != 30 ||
		!strings.HasPrefix(text, `{"toolbox":"dev","description":"Everything for developing","servers_connected":5,"_note":"`) {
		t.Errorf("%d tools are complete: %.300s", n, text)
	}
}

func TestHostileInstructionsAreCut(t *testing.T) {
	// it shows long answers
	c := connect(t, echoToolbox(fakeserver.Script{Instructions: strings.Repeat("ä", 30_000)}),
		Options{ClientID: "continue"})
	var answer struct{ Instructions map[string]string }
	if err := json.Unmarshal([]byte(c.openText(`{"toolbox_name":"dev"}`)), &answer); err != nil {
		t.Fatal(err)
	}
	if got := answer.Instructions["s"]; len(got) > 16<<10 || len(got) < 16<<10-4 || !strings.HasSuffix(got, "ä…") {
		t.Errorf("%d bytes of instructions, ending with %q", len(got), got[max(0, len(got)-8):])
	}
}

// sortedJSON returns a JSON text with its members sorted by name.
func sortedJSON(t *testing.T, text string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	sorted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}
