package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/e2e/agents/model"
)

func TestCut(t *testing.T) {
	full := textOf("json", 2000)
	quoted, _ := json.Marshal(full)
	inString := string(quoted[1 : len(quoted)-1])
	for seen, want := range map[string]string{
		"Output:\n" + full:                          "all",
		`{"content":[{"text":"` + inString + `"}]}`: "all",
		full[:500] + "…":                            "first 500 and last 0 of 2000 bytes",
		full[:300] + " [cut] " + full[1600:]:        "first 300 and last 400 of 2000 bytes",
		"frame " + inString[:400] + " … " +
			"}]": fmt.Sprintf("first 400 and last 0 of %d bytes as JSON in a string", len(inString)),
		"Saved to a file": "nothing: Saved to a file",
	} {
		if got := cut(full, seen); got != want {
			t.Errorf("cut(%.60q…) = %q, want %q", seen, got, want)
		}
	}
}

func TestPortion(t *testing.T) {
	instructions := "Available Toolboxes:\n\ndev (2 servers)\n  Description: one\n\nTo access tools, open one."
	for prompt, want := range map[string]string{
		"You are good.\n" + instructions + "\nBye.":                         "all",
		"<server>\n    " + strings.ReplaceAll(instructions, "\n", "\n    "): "all",
		"- mcp__workbench: Available Toolboxes:\n- other":                   "first line",
		"You are good.": "none",
		"Available Toolboxes:\n\ndev (2 servers)\n  Description: one… and more": "about the first 57 of 84 bytes",
	} {
		if got := portion(instructions, prompt); got != want {
			t.Errorf("portion in %q = %q, want %q", prompt, got, want)
		}
	}
}

// TestTraffic: the messages between an AI coding agent and the engine are understood in both eras of the protocol.
func TestTraffic(t *testing.T) {
	at := time.Now()
	var all []passed
	say := func(after int, from, message string) {
		all = append(all, passed{at.Add(time.Duration(after) * time.Millisecond), from, json.RawMessage(message)})
	}
	say(0, "agent", `{"id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}`)
	say(1, "engine", `{"id":0,"result":{"instructions":"I."}}`)
	say(2, "agent", `{"id":1,"method":"tools/list"}`)
	say(3, "engine", `{"id":1,"result":{"tools":[]}}`)
	say(10, "agent", `{"id":2,"method":"tools/call","params":{"name":"open_toolbox"}}`)
	say(20, "engine", `{"method":"notifications/tools/list_changed"}`)
	say(27, "agent", `{"id":3,"method":"tools/list"}`)
	say(30, "engine", `{"id":3,"result":{"tools":[]}}`)
	say(50, "engine", `{"id":2,"result":{"content":[{"type":"text","text":"{}"}]}}`)
	say(60, "agent", `{"id":4,"method":"tools/call","params":{"name":"dev__x__y"}}`)
	say(70, "engine", `{"id":4,"result":{"content":[{"type":"text","text":"R"}]}}`)
	want := traffic{
		client: "a", version: "1", protocol: "2026-07-28", capabilities: json.RawMessage(`{"roots":{}}`), instructions: "I.",
		answer: "{}", result: "R", listAfter: []int{7}, held: 20, direct: 1,
	}
	if diff := cmp.Diff(want, readTraffic(all, "dev__x__y"), cmp.AllowUnexported(traffic{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	all[0].Message = json.RawMessage(
		`{"id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"b","version":"2"}}}`)
	if got := readTraffic(all, "dev__x__y"); got.client != "b" || got.version != "2" || got.protocol != "2024-11-05" ||
		got.instructions != "I." {
		t.Errorf("by initialize: %+v", got)
	}
}

// TestConversation: the model opens, uses and closes a toolbox in each way in which an AI coding agent may offer the
// tools. The test of the agent notices if the agent offers them too late or too long.
func TestConversation(t *testing.T) {
	tools := func(names ...string) (all []model.Tool) {
		for _, name := range names {
			all = append(all, model.Tool{Name: "mcp__workbench__" + name})
		}
		return all
	}
	const direct = "dev__memory__read_graph"
	closed, open := tools("open_toolbox", "close_toolbox"), tools("open_toolbox", "close_toolbox", direct)
	search := []model.Tool{{Name: "ToolSearch"}}
	finding := append(tools("find_tools"), closed...)
	for name, test := range map[string]struct {
		offers [][]model.Tool // by request; the last one stays
		calls  string         // the ends of the calls that the model makes
		how    string
		late   int
		longer int
	}{
		"at once": {[][]model.Tool{closed, open, open, closed}, "open_toolbox read_graph close_toolbox", "directly", 0,
			0},
		"late": {[][]model.Tool{closed, closed, open, open, closed},
			"open_toolbox open_toolbox read_graph close_toolbox", "directly", 1, 0},
		"too long": {[][]model.Tool{closed, open, open, open, closed}, "open_toolbox read_graph close_toolbox read_graph",
			"directly", 0, 1},
		"never": {[][]model.Tool{closed}, "open_toolbox open_toolbox open_toolbox close_toolbox", "never", 3, 0},
		"by use_tool": {[][]model.Tool{append(tools("use_tool"), closed...)}, "open_toolbox use_tool close_toolbox",
			"use_tool", 0, 0},
		"by a search": {
			[][]model.Tool{search, append(search, closed...), append(search, closed...), append(search, open...),
				append(search, open...), append(search, closed...)},
			"ToolSearch open_toolbox ToolSearch read_graph close_toolbox", "search, then directly", 0, 0,
		},
		"search: found": {[][]model.Tool{finding, finding, open, open, closed},
			"find_tools open_toolbox read_graph close_toolbox", "directly", 0, 0},
		"search: found, by use_tool": {[][]model.Tool{append(tools("use_tool"), finding...)},
			"find_tools open_toolbox use_tool close_toolbox", "use_tool", 0, 0},
		"open: there at first": {[][]model.Tool{open}, "read_graph close_toolbox read_graph", "directly", 0, 1},
		"open: it has to be opened": {[][]model.Tool{closed, open},
			"open_toolbox read_graph close_toolbox read_graph", "directly", 0, 1},
		"open: it is opened, and closed": {[][]model.Tool{append(tools("use_tool"), closed...)},
			"open_toolbox use_tool close_toolbox", "use_tool", 0, 0},
		"open: it has to be searched first": {[][]model.Tool{search, append(search, open...)},
			"ToolSearch read_graph close_toolbox read_graph", "search, then directly", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			what, _, _ := strings.Cut(name, ":")
			c := &conversation{what: what, folder: t.TempDir(), toolbox: "dev", direct: direct,
				tool: [3]string{"dev", "memory", "read_graph"}, arguments: "{}"}
			var turns []model.Turn
			var calls []string
			for i := range 10 {
				reply := c.next(model.Request{Protocol: "chat", Turns: turns, Tools: test.offers[min(i, len(test.offers)-1)],
					Raw: json.RawMessage("{}")})
				if len(reply.Calls) == 0 {
					break
				}
				call := reply.Calls[0]
				text := call.Name
				if strings.HasSuffix(text, "find_tools") {
					text = `{"tools":[{"name":"read_graph","next":{"open_toolbox":{"toolbox_name":"dev","server":"memory","tool":"read_graph"}}},{"name":"other"}]}`
				}
				calls = append(calls, call.Name[strings.LastIndex("__"+call.Name, "__"):])
				turns = append(turns, model.Turn{Role: "assistant", Call: &call},
					model.Turn{Role: "user", Result: &model.Result{ID: call.ID, Text: text}})
			}
			if got := strings.Join(calls, " "); got != test.calls {
				t.Errorf("calls %s", got)
			}
			if s := c.seen; !s.Finished || s.How != test.how || s.Late != test.late || s.Longer != test.longer ||
				len(s.Trouble) > 0 {
				t.Errorf("seen: %+v", s)
			}
		})
	}
}

// TestAnnounced: if there is a search for tools, the names that the AI coding agent tells the model count as offered.
func TestAnnounced(t *testing.T) {
	turn := func(text string) []model.Turn { return []model.Turn{{Role: "user", Text: text}} }
	search := []model.Tool{{Name: "ToolSearch"}, {Name: "x", Deferred: true}}
	got := names(model.Request{Tools: search,
		Turns: turn("The following deferred tools are now available via ToolSearch:\na__b\na__c")})
	if !slices.Contains(got, "a__b") || !slices.Contains(got, "a__c") || slices.Contains(got, "x") {
		t.Errorf("got %q", got)
	}
	if got := names(model.Request{Tools: search,
		Turns: turn("The following deferred tools are no longer available:\na__b")}); slices.Contains(got, "a__b") {
		t.Errorf("got %q", got)
	}
}

// TestSideQuestions: the internal questions of an AI coding agent are not part of the conversation.
func TestSideQuestions(t *testing.T) {
	c := &conversation{folder: t.TempDir()}
	if got := c.next(model.Request{Protocol: "chat", Raw: json.RawMessage("{}")}); got.Text != "ok" ||
		c.seen.Protocol != "" {
		t.Errorf("reply %+v, seen %+v", got, c.seen)
	}
	if got := c.next(model.Request{Protocol: "gemini", JSON: true, Raw: json.RawMessage("{}")}); got.Text != "{}" {
		t.Errorf("reply %+v", got)
	}
}

func TestBecame(t *testing.T) {
	for _, test := range []struct{ before, connected, after, restored, want string }{
		{"a", "a workbench-desktop", "a workbench-desktop", "a", "same bytes"},
		{"", "workbench-desktop", "workbench-desktop", "", "same bytes"},
		{"a", "a workbench-desktop", "a workbench-desktop", "a workbench-desktop", "entry left"},
		{"a", "a workbench-desktop", "a workbench-desktop", "b", "other bytes"},
		{"a", "a workbench-desktop", "b workbench-desktop", "b", "entry gone; the agent wrote the file"},
	} {
		if got := became([]byte(test.before), []byte(test.connected), []byte(test.after),
			[]byte(test.restored)); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// TestMadeUpTools: the made-up tools have the requested size.
func TestMadeUpTools(t *testing.T) {
	var script struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(many(67, 103_000, 0), &script); err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, tool := range script.Tools {
		size += len(tool)
	}
	if len(script.Tools) != 67 || size < 90_000 || size > 110_000 {
		t.Errorf("%d tools of %d bytes", len(script.Tools), size)
	}
}

// TestNextCall: the recommendation of find_tools is understood as the model sees it, even as JSON within JSON.
func TestNextCall(t *testing.T) {
	answer := `{"tools":[{"name":"a","next":{"open_toolbox":{"toolbox_name":"x","server":"s","tool":"a"}}},{"name":"b","registered_name":"x__b"},{"name":"c","next":{"open_toolbox":{"toolbox_name":"x","server":"s","tool":"c"}}}]}`
	quoted, _ := json.Marshal(answer)
	for _, seen := range []string{answer, string(quoted)} {
		if got, ok := nextCall(seen, "c"); !ok || got != `{"toolbox_name":"x","server":"s","tool":"c"}` {
			t.Errorf("got %s, %v", got, ok)
		}
		for _, name := range []string{"b", "d"} {
			if got, ok := nextCall(seen, name); ok {
				t.Errorf("%s: got %s", name, got)
			}
		}
	}
}
