package mcpserver

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

func TestToolboxName(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"toolbox_name":"dev"}`:             "",
		`{"toolbox_name":"  my \u00e9 box"}`: "",
		``:                                   "Invalid parameters: toolbox_name is required",
		`{}`:                                 "Invalid parameters: toolbox_name is required",
		`{"toolbox_name":""}`:                "Invalid parameters: toolbox_name cannot be empty",
		`{"toolbox_name":" \t\n"}`:           "Invalid parameters: toolbox_name cannot be empty",
		`{"toolbox_name":7}`:                 "Invalid parameters: toolbox_name must be a string",
		`{"toolbox_name":null}`:              "Invalid parameters: toolbox_name must be a string",
		`{"toolbox_name":"dev","extra_field":true}`: "Invalid parameters: Unrecognized key: 'extra_field'",
		`["dev"]`: "Invalid parameters: arguments must be an object",
		`"dev"`:   "Invalid parameters: arguments must be an object",
	} {
		_, err := parseToolboxName(json.RawMessage(arguments))
		if got := message(err); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

func TestUseToolArguments(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"tool":{"toolbox":"a","server":"b","tool":"c"}}`:                     "",
		`{"tool":{"toolbox":"a","server":"b","tool":"c"},"arguments":{"x":1}}`: "",
		`{"tool":{"toolbox":"a","server":"b","tool":"c"},"arguments":null}`:    "",
		`{}`:                       "Invalid parameters: tool is required",
		`{"tool":"a"}`:             "Invalid parameters: tool must be an object",
		`{"tool":{"toolbox":"a"}}`: "Invalid parameters: tool.server is required",
		`{"tool":{"toolbox":"a","server":2,"tool":"c"}}`:                                         "Invalid parameters: tool.server must be a string",
		`{"tool":{"toolbox":"","server":"b","tool":"c"}}`:                                        "Invalid tool identifier: toolbox cannot be empty",
		`{"tool":{"toolbox":"a","server":" ","tool":"c"}}`:                                       "Invalid tool identifier: server cannot be empty",
		`{"tool":{"toolbox":"a","server":"b","tool":""}}`:                                        "Invalid tool identifier: tool cannot be empty",
		`{"tool":{"toolbox":"a","server":"b","tool":"c","x":1}}`:                                 "Invalid parameters: Unrecognized key: 'tool.x'",
		`{"tool":{"toolbox":"a","server":"b","tool":"c"},"arguments":"{}"}`:                      "",
		`{"tool":"{\"toolbox\":\"a\",\"server\":\"b\",\"tool\":\"c\"}","arguments":"{\"x\":1}"}`: "",
		`{"tool":{"toolbox":"a","server":"b","tool":"c"},"arguments":"x"}`:                       "Invalid parameters: arguments must be an object",
		`{"tool":{"toolbox":"a","server":"b","tool":"c"},"args":{}}`:                             "Invalid parameters: Unrecognized key: 'args'",
		`{"tool":{"toolbox":"a","server":"b","tool":"c"},"arguments":{},"toolbox":"a"}`:          "Invalid parameters: Unrecognized key: 'toolbox'",
	} {
		_, _, err := parseUseTool(json.RawMessage(arguments))
		if got := message(err); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
	id, own, err := parseUseTool(json.RawMessage(
		`{"arguments":{"big":12345678901234567890},"tool":{"tool":"c","server":"b","toolbox":"a"}}`))
	if want := (toolbox.ToolID{Toolbox: "a", Server: "b", Tool: "c"}); err != nil || id != want ||
		string(own) != `{"big":12345678901234567890}` {
		t.Errorf("got %v, %s, %v", id, own, err)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Some clients write arguments as a text, and programs of .NET begin with a byte order mark.
func TestClientsThatWriteOtherwise(t *testing.T) {
	c := dial(t, echoToolbox(fakeserver.Script{}), Options{})
	ask := func(line string) string {
		t.Helper()
		c.send("%s", line)
		for {
			if m := c.receive(); m.ID != nil {
				return string(m.Result)
			}
		}
	}
	if got := ask("\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`); !strings.Contains(got, "protocolVersion") {
		t.Errorf("initialize: %s", got)
	}
	if got := ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"open_toolbox","arguments":"{\"toolbox_name\":\"dev\"}"}}`); !strings.Contains(got, "servers_connected") {
		t.Errorf("open_toolbox: %s", got)
	}
}
