package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// bigDefinition returns the definition of a tool with all optional members, about 1.2 KB.
func bigDefinition(name string, properties int) json.RawMessage {
	schema := map[string]any{}
	for i := range properties {
		schema[fmt.Sprintf("parameter_%d", i)] = map[string]any{"type": "string",
			"description": "What parameter " + fmt.Sprint(i) + ` of "` + name + `" means`}
	}
	definition, err := json.Marshal(map[string]any{
		"name": name, "description": "Does " + name + " for you. It takes e.g. a path.\n\nMore of it: " +
			strings.Repeat("and on ", 20),
		"inputSchema": map[string]any{"type": "object", "properties": schema},
		"outputSchema": map[string]any{"type": "object",
			"properties": map[string]any{"done": map[string]any{"type": "boolean"}}},
		"annotations": map[string]any{"readOnlyHint": true}, "title": "The " + name,
		"execution": map[string]any{"taskSupport": "forbidden"},
		"icons":     []any{map[string]any{"src": "data:image/png;base64," + strings.Repeat("A", 100)}},
		"_meta":     map[string]any{"x/y": 1}, "unheardOf": 12,
	})
	if err != nil {
		panic(err)
	}
	return definition
}

// bigTools returns tools with different names, each larger than the one before.
func bigTools(server string, count int) []json.RawMessage {
	tools := make([]json.RawMessage, count)
	for i := range tools {
		tools[i] = bigDefinition(fmt.Sprintf("%s_does_thing_%03d", server, i), 3+i%5)
	}
	return tools
}

// bigToolbox returns a configuration with 150 tools in 5 servers, about 180 KB.
func bigToolbox(t *testing.T) *config.Config {
	t.Helper()
	box := &config.Toolbox{Name: "dev", Description: "Everything for developing"}
	for _, name := range []string{"github", "notion", "chart", "git", "files"} {
		script := filepath.Join(t.TempDir(), "script.json")
		if err := os.WriteFile(script,
			[]byte(fakeserver.Script{Tools: bigTools(name, 30), Instructions: "How to use " + name + ".\nWith care."}.String()),
			0o600); err != nil {
			t.Fatal(err)
		}
		patient := 5 * time.Minute // a hundred of them may be starting
		box.Servers = append(box.Servers, &config.Server{Name: name, Transport: config.TransportStdio, Command: os.Args[0],
			StartupTimeout: &patient,
			Env:            []config.Variable{{Name: fakeserver.Variable, Value: "@" + script}}})
	}
	return &config.Config{ToolMode: config.ModeAuto, Toolboxes: []*config.Toolbox{box}}
}

// openText calls open_toolbox and returns the text of its answer.
func (c *connection) openText(arguments string) string {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"open_toolbox","arguments":%s}}`, arguments)
	m := c.receive()
	for m.Method != "" {
		m = c.receive()
	}
	var result struct {
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Content) == 0 {
		c.t.Fatalf("%v: %s %s", err, m.Result, m.Error)
	}
	return result.Content[0].Text
}

func TestEveryClientSeesEveryName(t *testing.T) {
	cfg := bigToolbox(t)
	for _, id := range append(client.IDs(), "") {
		t.Run("client="+id, func(t *testing.T) {
			t.Parallel()
			c := connect(t, cfg, Options{ClientID: id, ListWait: 1})
			text := c.openText(`{"toolbox_name":"dev"}`)
			most := limitOf(client.Find(id, ""))
			if size := sizeOf([]byte(text), most.Unit); size > most.Size {
				t.Errorf("the answer has %d, the client shows %d", size, most.Size)
			}
			var answer struct {
				Reduced struct {
					LeftOut []string `json:"left_out"`
					Note    string
					Call    struct {
						Open map[string]string `json:"open_toolbox"`
					}
				} `json:"_reduced"`
			}
			if err := json.Unmarshal([]byte(text), &answer); err != nil {
				t.Fatal(err)
			}
			if strings.Count(text, `"unheardOf"`) == 150 {
				if id != "continue" { // continue shows all of it
					t.Errorf("nothing is left out of %d bytes", len(text))
				}
				return
			}
			if len(answer.Reduced.LeftOut) == 0 {
				t.Fatalf("the answer does not say what is left out: %.300s", text)
			}
			seen := text
			if listed := c.ask("tools/list", "{}").Result; client.Find(id, "").Dynamic() {
				seen += string(listed)
			}
			for _, server := range cfg.Toolboxes[0].Servers {
				for i := range 30 {
					if name := fmt.Sprintf(`%s_does_thing_%03d`, server.Name, i); !strings.Contains(seen, name) {
						t.Fatalf("%s is not in front of the model: %.300s", name, text)
					}
				}
			}
			call, err := json.Marshal(answer.Reduced.Call.Open)
			if err != nil {
				t.Fatal(err)
			}
			if whole := c.openText(string(call)); !strings.Contains(whole, `unheardOf`) {
				t.Errorf("%s brings %.300s", call, whole)
			}
		})
	}
}

// openedWith returns the result of opening a toolbox with these tools.
func openedWith(tools ...json.RawMessage) *toolbox.Opened {
	server := toolbox.OpenedServer{Name: "s", Instructions: "Use it with care."}
	for _, definition := range tools {
		var known struct{ Name, Description string }
		if err := json.Unmarshal(definition, &known); err != nil {
			panic(err)
		}
		server.Tools = append(server.Tools,
			downstream.Item{Name: known.Name, Description: known.Description, Definition: definition})
	}
	return &toolbox.Opened{Toolbox: "dev", Description: "Tools", Connected: 1, Servers: []toolbox.OpenedServer{server}}
}

func TestReductionIsAsSmallAsItCanBe(t *testing.T) {
	opened := openedWith(bigTools("s", 30)...)
	complete := AppendOpened(nil, opened, nil)
	for _, mode := range []struct {
		registered func(toolbox.ToolID) string
		order      []string
	}{
		{nil, []string{"outputSchema", "annotations", "execution", "title", "icons",
			"_meta and members that MCP does not know", "instructions",
			"descriptions after their first sentence", "inputSchema of the largest tools"}},
		{func(id toolbox.ToolID) string {
			return "dev__s__" + id.Tool
		}, []string{"outputSchema", "annotations", "execution", "title", "icons",
			"_meta and members that MCP does not know", "instructions", "inputSchema",
			"descriptions after their first sentence"}},
	} {
		last := 0
		for size := len(complete) + 3000; size > 450; size -= 97 {
			r := reduction{opened: opened, limit: client.Limit{Size: size}, tool: openToolbox,
				view: view{registered: mode.registered}}
			answer := r.reduce()
			if len(answer) > size {
				t.Fatalf("limit %d: the answer has %d: %s", size, len(answer), answer)
			}
			if !json.Valid(answer) {
				t.Fatalf("limit %d: not JSON: %s", size, answer)
			}
			if len(r.leftOut) < len(mode.order) && !slices.Equal(r.leftOut, mode.order[:len(r.leftOut)]) &&
				!strings.HasPrefix(r.leftOut[0], "all but") {
				t.Fatalf("limit %d: left out %q", size, r.leftOut)
			}
			if len(r.leftOut) > 1 && len(r.leftOut) < last {
				t.Fatalf("limit %d: leaves out less than a larger one: %q", size, r.leftOut)
			}
			last = len(r.leftOut)
		}
	}
}

func TestSchemasOfTheLargestToolsGoFirst(t *testing.T) {
	opened := openedWith(bigDefinition("small", 1), bigDefinition("large", 60), bigDefinition("middle", 5))
	r := reduction{opened: opened, limit: client.Limit{Size: 2000}, tool: openToolbox}
	var answer struct {
		Tools []struct {
			Name        string
			InputSchema json.RawMessage
		}
	}
	if err := json.Unmarshal(r.reduce(), &answer); err != nil {
		t.Fatal(err)
	}
	var with []string
	for _, tool := range answer.Tools {
		if tool.InputSchema != nil {
			with = append(with, tool.Name)
		}
	}
	if diff := cmp.Diff([]string{"small", "middle"}, with); diff != "" {
		t.Errorf("tools with their inputSchema (-want +got):\n%s", diff)
	}
}

func TestTinyAnswerBeginsWithWhatMatters(t *testing.T) {
	r := reduction{opened: openedWith(bigTools("s", 60)...), limit: client.Limit{Size: 500, Unit: client.Characters},
		tool: openToolbox,
		view: view{registered: func(id toolbox.ToolID) string { return "dev__s__" + id.Tool }}}
	want := `{"toolbox":"dev","description":"Tools","servers_connected":1,"_reduced":{"left_out":["all but the number of tools"],` +
		`"note":"Your list of tools has them all, this one as dev__s__s_does_thing_004. The call below brings the tools of one server; with \"tool\" and a name, that one alone.",` +
		`"call":{"open_toolbox":{"toolbox_name":"dev","server":"s"}}},"tools_of_servers":{"s":60}}`
	if diff := cmp.Diff(want, string(r.reduce())); diff != "" {
		t.Errorf("the answer (-want +got):\n%s", diff)
	}
}

func TestUnits(t *testing.T) {
	text := []byte(`{"ä":"日😀"}`)
	for unit, want := range map[client.Unit]int{client.Bytes: 16, client.Characters: 11, client.EscapedBytes: 20} {
		if got := sizeOf(text, unit); got != want {
			t.Errorf("unit %d: %d, want %d", unit, got, want)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"Reads a file":                    "Reads a file",
		"Reads a file. Slowly.":           "Reads a file.",
		"Reads e.g. a file. Slowly.":      "Reads e.g. a file.",
		"Reads (i.e. takes) v1.2. Slowly": "Reads (i.e. takes) v1.2.",
		"Reads a file\n\nArgs:\n path":    "Reads a file",
		"Reads a file\nand more. Then":    "Reads a file\nand more.",
		"Takes one of:\n- a\n- b":         "Takes one of:",
		"Is it? Yes":                      "Is it?",
		"読む。書く。":                          "読む。",
		"\n  Reads. ":                     "Reads.",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
