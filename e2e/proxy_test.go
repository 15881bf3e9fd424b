package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProxy runs a whole session in proxy mode, which is the mode for unknown clients.
func TestProxy(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		t.Parallel()
		w := newWorkshop(t)
		engine := w.standard()
		engine.clientName = "continue-cli-client" // proxy mode, and it shows its model long answers
		c := lib.connect(t, engine)

		t.Run("greeting", func(t *testing.T) { checkGreeting(t, c) })
		t.Run("meta-tools", func(t *testing.T) {
			want := []string{"close_toolbox", "open_toolbox", "use_tool"}
			if diff := cmp.Diff(want, sorted(names(c.listTools()))); diff != "" {
				t.Errorf("tools/list (-want +got):\n%s", diff)
			}
		})
		t.Run("lazy", func(t *testing.T) {
			if started, err := os.ReadDir(w.log); err != nil || len(started) > 0 {
				t.Errorf("servers run before a toolbox is opened: %v %v", started, err)
			}
		})
		t.Run("open", func(t *testing.T) { checkOpen(t, w, c) })
		t.Run("filters", func(t *testing.T) {
			files := c.open("files")
			if diff := cmp.Diff([]string{"read_text_file", "list_directory"}, names(files.Tools)); diff != "" {
				t.Errorf("filtered tools (-want +got):\n%s", diff)
			}
			if *files.Description != "" {
				t.Errorf("the description is %q, none is configured", *files.Description)
			}
		})
		t.Run("results", func(t *testing.T) {
			direct := lib.connectDirect(t, w, "everything")
			for _, call := range everythingCalls() {
				want := direct.call(call.tool, call.arguments)
				got := c.use("dev", "everything", call.tool, call.arguments)
				checkSameResult(t, lib, call.tool, want, got)
			}
		})
		t.Run("memory", func(t *testing.T) { checkMemory(t, c) })
		t.Run("files", func(t *testing.T) { checkFiles(t, w, c) })
		t.Run("errors", func(t *testing.T) { checkErrors(t, w, c) })
		t.Run("partial failure", func(t *testing.T) {
			mixed := c.open("mixed")
			if mixed.ServersConnected != 1 || len(mixed.Tools) == 0 {
				t.Errorf("%d servers with %d tools, want 1 with some", mixed.ServersConnected, len(mixed.Tools))
			}
			if len(mixed.Errors) != 1 || !strings.HasPrefix(mixed.Errors[0],
				"Failed to connect to server 'gone' in toolbox 'mixed': ") {
				t.Errorf("_errors is %q", mixed.Errors)
			}
		})
		t.Run("empty", func(t *testing.T) {
			if empty := c.open("empty"); empty.ServersConnected != 0 || empty.Tools == nil || len(empty.Tools) > 0 {
				t.Errorf("an empty toolbox gives %+v", empty)
			}
		})
		t.Run("at once", func(t *testing.T) { checkConcurrent(t, c) })
		t.Run("close", func(t *testing.T) { checkClose(t, w, c) })
	})
}

// connectDirect connects the same library to a server, without the engine in between.
func (lib library) connectDirect(t *testing.T, w *workshop, kind string) *client {
	t.Helper()
	if lib.name == "client2-discover" { // the servers don't know server/discover
		lib.mode = "legacy"
	}
	return lib.connect(t, w.direct(kind))
}

func checkGreeting(t *testing.T, c *client) {
	var hello struct {
		Instructions string `json:"instructions"`
		Server       object `json:"server"`
		Capabilities object `json:"capabilities"`
	}
	c.do("hello", nil, &hello)
	want := lines(
		"Available Toolboxes:",
		"",
		"dev (3 servers)",
		"  Description: Development environment tools",
		"",
		"files (1 servers)",
		"  Description: No description provided",
		"",
		"mixed (2 servers)",
		"  Description: One server is missing",
		"",
		"broken (1 servers)",
		"  Description: No description provided",
		"",
		"empty (0 servers)",
		"  Description: No description provided",
		"",
		"To access tools from a toolbox, use open_toolbox with the toolbox name.",
	)
	if diff := cmp.Diff(want, hello.Instructions); diff != "" {
		t.Errorf("instructions (-want +got):\n%s", diff)
	}
	if hello.Server["name"] != "mcp-workbench" {
		t.Errorf("serverInfo is %v", hello.Server)
	}
	// The libraries keep only those members of capabilities.tools that their schema has.
	if tools, _ := hello.Capabilities["tools"].(object); tools["listChanged"] != true {
		t.Errorf("capabilities are %v", hello.Capabilities)
	}
}

// TestInstructionsWithoutToolboxes checks the text for an empty configuration.
func TestInstructionsWithoutToolboxes(t *testing.T) {
	forEachLibrary(t, func(t *testing.T, lib library) {
		t.Parallel()
		c := lib.connect(t, newWorkshop(t).save(ordered{}))
		var hello struct {
			Instructions string `json:"instructions"`
		}
		c.do("hello", nil, &hello)
		want := lines(
			"No toolboxes configured.",
			"",
			"To configure toolboxes, add them to your workbench-config.json file.",
			"See documentation for configuration format.",
		)
		if diff := cmp.Diff(want, hello.Instructions); diff != "" {
			t.Errorf("instructions (-want +got):\n%s", diff)
		}
	})
}

// checkOpen compares the answer of open_toolbox with the tools of the servers: order, names, schemas.
func checkOpen(t *testing.T, w *workshop, c *client) {
	dev := c.open("dev")
	if dev.Toolbox != "dev" || *dev.Description != "Development environment tools" || dev.ServersConnected != 3 ||
		dev.Errors != nil || dev.Pending != nil {
		t.Errorf("open_toolbox answers %q %q, %d servers, errors %q, pending %q", dev.Toolbox, *dev.Description,
			dev.ServersConnected, dev.Errors, dev.Pending)
	}
	var want []object
	for _, server := range []string{"memory", "everything", "filesystem"} {
		for _, tool := range w.rawTools(server) {
			tool["toolbox_name"], tool["source_server"] = "dev", server
			want = append(want, tool)
		}
	}
	if len(want) < 30 {
		t.Fatalf("the servers list only %d tools", len(want))
	}
	if diff := cmp.Diff(want, dev.Tools); diff != "" {
		t.Errorf("tools (-the servers' own +open_toolbox):\n%s", diff)
	}
	if diff := cmp.Diff(dev, c.open("dev")); diff != "" {
		t.Errorf("the second answer of open_toolbox differs:\n%s", diff)
	}
	for _, server := range []string{"memory", "everything", "filesystem"} {
		if n := len(w.sent("dev", server, "initialize")); n != 1 {
			t.Errorf("%s was initialized %d times", server, n)
		}
	}
}

type toolCall struct {
	tool      string
	arguments any
}

// everythingCalls returns a call for each kind of content that server-everything has: text, image,
// annotations, links, embedded resources, structured content, and errors.
func everythingCalls() []toolCall {
	return []toolCall{
		{"echo", object{"message": "Grüße, \u2028 <b>&amp;</b> 🛠"}},
		{"get-sum", object{"a": 2, "b": 40.5}},
		{"get-tiny-image", nil},
		{"get-annotated-message", object{"messageType": "error", "includeImage": true}},
		{"get-resource-links", object{"count": 3}},
		{"get-resource-reference", object{"resourceType": "Text", "resourceId": 1}},
		{"get-resource-reference", object{"resourceType": "Blob", "resourceId": 2}},
		{"get-structured-content", object{"location": "New York"}},
		{"get-sum", object{"a": "two"}},
		{"get-sum", nil},
	}
}

// checkSameResult compares a result through the engine with the direct one. The engine only adds the origin
// of an error to the _meta of that error. In version 2026-07-28 every result also names its server, which is
// the engine.
func checkSameResult(t *testing.T, lib library, name string, want, got object) {
	t.Helper()
	if lib.name == "client2-discover" {
		meta, _ := got["_meta"].(object)
		from, _ := meta["io.modelcontextprotocol/serverInfo"].(object)
		if from["name"] != "mcp-workbench" {
			t.Errorf("%s: the result names the server %v", name, from)
		}
		delete(meta, "io.modelcontextprotocol/serverInfo")
		if len(meta) == 0 {
			delete(got, "_meta")
		}
	}
	if want["isError"] == true {
		meta, _ := got["_meta"].(object)
		if _, ok := meta["workbench/error"]; !ok {
			t.Errorf("%s: the error has no envelope: %v", name, got)
		}
		delete(meta, "workbench/error")
		if len(meta) == 0 {
			delete(got, "_meta")
		}
	}
	if diff := cmp.Diff(scrub(want), scrub(got)); diff != "" {
		t.Errorf("%s (-direct +engine):\n%s", name, diff)
	}
}

// scrub removes the times that server-everything writes into its resources.
func scrub(result object) object {
	for _, item := range asList(result["content"]) {
		resource, _ := item.(object)["resource"].(object)
		for _, member := range []string{"text", "blob"} {
			if _, ok := resource[member].(string); ok {
				resource[member] = "…"
			}
		}
	}
	return result
}

func asList(value any) []any {
	list, _ := value.([]any)
	return list
}

func checkMemory(t *testing.T, c *client) {
	entity := object{"name": "workbench", "entityType": "program",
		"observations": []any{"opens toolboxes", "größer als 9007199254740993"}}
	if made := c.use("dev", "memory", "create_entities", object{"entities": []any{entity}}); made["isError"] == true {
		t.Fatalf("create_entities: %v", made)
	}
	graph := c.use("dev", "memory", "read_graph", nil)
	structured, ok := graph["structuredContent"].(object)
	if !ok {
		t.Fatalf("read_graph answers %v", graph)
	}
	if diff := cmp.Diff([]any{entity}, structured["entities"]); diff != "" {
		t.Errorf("the graph (-written +read):\n%s", diff)
	}
}

func checkFiles(t *testing.T, w *workshop, c *client) {
	if got := firstText(t, c.use("dev", "filesystem", "read_text_file",
		object{"path": filepath.Join(w.files, "hello.txt")})); got != "Hello, workbench.\n" {
		t.Errorf("the file reads %q", got)
	}
	large := strings.Repeat("0123456789abcdef€\n", 1<<16)
	path := w.write("large.txt", large)
	if got := firstText(t, c.use("dev", "filesystem", "read_text_file", object{"path": path})); got != large {
		t.Errorf("a file of %d bytes was read as %d bytes", len(large), len(got))
	}
	written := filepath.Join(w.files, "written.txt")
	c.use("dev", "filesystem", "write_file", object{"path": written, "content": large})
	if got, err := os.ReadFile(written); err != nil || string(got) != large {
		t.Errorf("the written file has %d bytes: %v", len(got), err)
	}
}

// checkErrors checks every error text of contract.md, section 5.
func checkErrors(t *testing.T, w *workshop, c *client) {
	outside := filepath.Join(w.home, "secret")
	for _, tt := range []struct {
		name      string
		tool      string
		arguments any
		want      string // a trailing … stands for any text
		code      string
	}{
		{"unknown toolbox", "open_toolbox", object{"toolbox_name": "production"},
			"Toolbox 'production' not found in configuration", "INVALID_INPUT"},
		{"empty name", "open_toolbox", object{"toolbox_name": ""}, "Invalid parameters: toolbox_name cannot be empty",
			"INVALID_INPUT"},
		{"blank name", "open_toolbox", object{"toolbox_name": " \t"}, "Invalid parameters: toolbox_name cannot be empty",
			"INVALID_INPUT"},
		{"no name", "open_toolbox", object{}, "Invalid parameters: toolbox_name is required", "INVALID_INPUT"},
		{"name is a number", "open_toolbox", object{"toolbox_name": 5}, "Invalid parameters: toolbox_name must be a string",
			"INVALID_INPUT"},
		{"extra member", "open_toolbox", object{"toolbox_name": "dev", "extra_field": 1},
			"Invalid parameters: Unrecognized key: 'extra_field'", "INVALID_INPUT"},
		{"all servers fail", "open_toolbox", object{"toolbox_name": "broken"},
			"Failed to connect to server 'gone' in toolbox 'broken': …", "UNAVAILABLE"},
		{"close unknown", "close_toolbox", object{"toolbox_name": "production"},
			"Toolbox 'production' not found in configuration", "INVALID_INPUT"},
		{"empty part", "use_tool", useTool("dev", "", "echo", nil), "Invalid tool identifier: server cannot be empty",
			"INVALID_INPUT"},
		{"use unknown toolbox", "use_tool", useTool("production", "x", "y", nil),
			"Toolbox 'production' not found in configuration", "INVALID_INPUT"},
		{"unknown server", "use_tool", useTool("dev", "database", "query", nil),
			"Server 'database' not found in toolbox 'dev'", "INVALID_INPUT"},
		{"unknown tool", "use_tool", useTool("dev", "filesystem", "delete_all", nil),
			"Tool 'delete_all' not found in server 'filesystem' (toolbox 'dev')", "INVALID_INPUT"},
		{"filtered tool", "use_tool", useTool("files", "filesystem", "write_file", object{}),
			"Tool 'write_file' not found in server 'filesystem' (toolbox 'files')", "INVALID_INPUT"},
		{"unreachable server", "use_tool", useTool("mixed", "gone", "x", nil),
			"Failed to connect to server 'gone' in toolbox 'mixed': …", "UNAVAILABLE"},
		{"the tool's own error", "use_tool", useTool("dev", "filesystem", "read_text_file", object{"path": outside}),
			"Access denied - path outside allowed directories: …", "INTERNAL_ERROR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result := c.call(tt.tool, tt.arguments)
			if result["isError"] != true {
				t.Fatalf("the result is not an error: %v", result)
			}
			got := firstText(t, result)
			if prefix, open := strings.CutSuffix(tt.want, "…"); open && !strings.HasPrefix(got, prefix) || !open &&
				got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			var envelope struct {
				Error struct{ Code, Message string } `json:"error"`
			}
			meta, _ := result["_meta"].(object)
			raw, err := json.Marshal(meta["workbench/error"])
			if err != nil {
				t.Fatal(err)
			}
			decode(t, raw, &envelope)
			if envelope.Error.Code != tt.code || envelope.Error.Message != "" {
				t.Errorf("the envelope is %s, want code %s, and no second copy of the text", raw, tt.code)
			}
		})
	}
	t.Run("list_toolboxes is gone", func(t *testing.T) {
		for _, name := range []string{"list_toolboxes", "workbench_list_toolboxes"} {
			if failure := c.try("callTool", object{"name": name, "arguments": object{}}, nil); !strings.Contains(failure,
				"not found") {
				t.Errorf("%s: %q", name, failure)
			}
		}
	})
}

// checkConcurrent sends many calls to several servers before the first answer arrives.
func checkConcurrent(t *testing.T, c *client) {
	var calls []any
	for i := range 40 {
		calls = append(calls, object{"name": "use_tool",
			"arguments": useTool("dev", "everything", "echo", object{"message": fmt.Sprint(i)})})
	}
	calls = append(calls, object{"name": "use_tool", "arguments": useTool("dev", "memory", "read_graph", nil)})
	var results []object
	c.do("callTools", object{"calls": calls}, &results)
	for i, result := range results[:40] {
		if got, want := firstText(t, result), fmt.Sprintf("Echo: %d", i); got != want {
			t.Errorf("call %d answers %q", i, got)
		}
	}
}

func checkClose(t *testing.T, w *workshop, c *client) {
	for _, want := range []string{
		`{"toolbox":"dev","closed":true,"servers_disconnected":3}`,
		`{"toolbox":"dev","closed":false,"servers_disconnected":0}`,
	} {
		if got := firstText(t, c.call("close_toolbox", object{"toolbox_name": "dev"})); got != want {
			t.Errorf("close_toolbox answers %s, want %s", got, want)
		}
	}
	// use_tool opens a closed toolbox. The graph is still there because the server keeps it in a file.
	if graph := c.use("dev", "memory", "read_graph", nil); !strings.Contains(firstText(t, graph), "opens toolboxes") {
		t.Errorf("after opening again: %v", graph)
	}
	if n := len(w.sent("dev", "memory", "initialize")); n != 2 {
		t.Errorf("memory was initialized %d times, want 2", n)
	}
}
