package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// evil is text that must not reach a terminal: a window title, colours, C1 controls, marks that change the direction
// of text, characters without width, and text hidden in tag characters and variation selectors.
const evil = "\x1b]0;owned\a\x1b[31m\u009b2J\u0085\x7f\r\u202e\u2066\u200f\u200b\u200d\ufeff\u2028\U000e0000\U000e0041\u115f\ufe0f\U000e0100!"

// evilName is the part of evil that a name in a configuration may have.
const evilName = "\u202e\u2066\u200b\U000e0041\u115f"

// evilFolder writes a configuration and a server in which every string is evil.
func evilFolder(t *testing.T) (configuration string) {
	folder := t.TempDir()
	quoted := func(text string) json.RawMessage { return jsonrpc.AppendString(nil, text) }
	tool := jsonrpc.AppendObject(nil, []jsonrpc.Member{
		{Name: "name", Value: quoted("tool")}, {Name: "title", Value: quoted(evil)},
		{Name: "description", Value: quoted("a\n" + evil)},
		{Name: "inputSchema", Value: json.RawMessage(`{"type":"object","description":` + string(quoted(evil)) + `}`)},
	})
	odd := jsonrpc.AppendObject(nil, []jsonrpc.Member{
		{Name: "name", Value: quoted("odd" + evil)}, {Name: "description", Value: quoted(evil)},
		{Name: "inputSchema", Value: json.RawMessage(`{"type":"object"}`)},
	})
	broken := jsonrpc.AppendObject(nil,
		[]jsonrpc.Member{{Name: "name", Value: quoted("broken" + evil)}, {Name: "inputSchema", Value: quoted(evil)}})
	content := `{"content":[{"type":"text","text":` + string(quoted("two\nlines"+evil)) +
		`},{"type":"image","mimeType":` + string(quoted(evil)) +
		`,"data":"AA"},{"type":"resource_link","uri":` + string(quoted(evil)) + `},{"type":` + string(quoted(evil)) + `}]}`
	script := fakeserver.Script{
		Name: evil, Version: evil, Instructions: evil, Stderr: []string{evil},
		StdoutNoise: []string{evil, string(quoted(evil))}, LogOnCall: evil,
		Tools: []json.RawMessage{tool, odd, broken, fakeserver.Tool("fails"), fakeserver.Tool("structured")},
		Results: map[string]json.RawMessage{"tool": json.RawMessage(content),
			"structured": json.RawMessage(`{"structuredContent":{"a":` + string(quoted(evil)) + `},"content":[]}`)},
		Errors: map[string]json.RawMessage{"fails": json.RawMessage(`{"code":-1,"message":` + string(quoted(evil)) + `}`)},
	}
	dying := fakeserver.Script{Stderr: []string{evil}, Exit: "start", ExitStatus: 3}
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	member := func(name string, value json.RawMessage) jsonrpc.Member {
		return jsonrpc.Member{Name: name, Value: value}
	}
	entry := func(script string) json.RawMessage {
		return json.RawMessage(`{"command":"fakeserver","args":[` + string(quoted(script)) + `,` + string(quoted(evil)) +
			`],"env":{"X":` + string(quoted(evil)) + `}}`)
	}
	servers := jsonrpc.AppendObject(nil, []jsonrpc.Member{
		member("s", entry(write("s.json", script.String()))),
		member("dies"+evilName, entry(write("dies.json", dying.String()))),
		member("gone", json.RawMessage(`{"command":`+string(quoted("no"+evil))+`,`+string(quoted(evil))+`:1}`)),
		member("web", json.RawMessage(`{"url":`+string(quoted("http://127.0.0.1:1/"+evilName))+`}`)),
	})
	box := jsonrpc.AppendObject(nil, []jsonrpc.Member{member("description", quoted(evil)), member("mcpServers", servers)})
	all := jsonrpc.AppendObject(nil,
		[]jsonrpc.Member{member("box", box), member("box"+evilName, json.RawMessage(`{"mcpServers":{}}`))})
	return write("c.json", `{"toolboxes":`+string(all)+`,`+string(quoted(evil))+`:`+string(quoted(evil))+`} // `+
		"\u202e\u200b")
}

// TestNothingHiddenReachesATerminal runs the commands with strings that must not reach a terminal.
func TestNothingHiddenReachesATerminal(t *testing.T) {
	configuration := evilFolder(t)
	home := t.TempDir()
	broken := filepath.Join(home, "broken"+evil[:3]+".json")
	if err := os.WriteFile(broken, []byte(`{"toolboxes": `+evil), 0o600); err != nil {
		t.Fatal(err)
	}
	commands := [][]string{
		{"status"}, {"status", "--json"}, {"validate"}, {"validate", "--json"}, {"validate", "--fix", "--dry-run"},
		{"validate", broken}, {"validate", broken, "--json"},
		{"tools"}, {"tools", "box"}, {"tools", "box", "--json"}, {"tools", evil},
		{"call", "box", "s", "tool"}, {"call", "box", "s", "tool", "--json"}, {"call", "box", "s", "structured"},
		{"call", "box", "s", "fails"},
		{"call", "box", "s", evil}, {"call", "box", "dies" + evilName, "x"}, {"call", "box", "gone", "x"},
		{"call", "box", "web", "x"}, {"call", evil, evil, evil, "{}"}, {"call", "box", "s", "tool", evil},
		{"config", "set", "box", "s", "cwd", evil, "--dry-run"},
		{"config", "rename", "box" + evilName, "other", "--dry-run"}, {"config", "remove", "box" + evilName, "--dry-run"},
		{"config", "add-toolbox", evil, "--dry-run"}, {"config", "format", "--dry-run"},
		{"config", "add-toolbox", "new" + evil[:8]}, {"config", "set", "box", "description", evil + evil},
		{"config", "history"}, {"config", "history", "--json"}, {"config", "history", evil}, {"config", "restore", evil},
		{"import", "--file", configuration, "--dry-run"}, {"import", "--file", configuration, "--dry-run", "--json"},
		{"import", evil},
		{"clients"}, {"clients", "--json"}, {"doctor"}, {"doctor", "--json"}, {"connect", evil}, {"schema", evil},
		{"help", evil}, {evil}, {"--" + evil}, {"--log-level", evil, "status"},
		{"--log-level", "debug", "tools", "box"}, {"approve"}, {"approve", "--json"}, {"approve", evil},
		{"logs"}, {"logs", "--json"}, {"logs", "box"}, {"logs", "box", "s"}, {"logs", "box", "s", "--json"},
		{"logs", "box", "dies" + evilName}, {"logs", evil, evil},
	}
	runEvil(t, home, configuration, conversation, "stdio", "--link=off", "--log-level=debug") // so that there are logs
	for _, args := range commands {
		out, stderr := runEvil(t, home, configuration, "", args...)
		for _, text := range []string{out, stderr} {
			assertVisible(t, args, text)
		}
		if slices.Contains(args, "--json") && !json.Valid([]byte(out)) {
			t.Errorf("%q: the output is not JSON: %s", args, out)
		}
		if out+stderr == "" {
			t.Errorf("%q has no output", args)
		}
	}

	out, _ := runEvil(t, home, configuration, "", "call", "box", "s", "tool", "--json")
	var result struct{ Content []struct{ Text string } }
	if err := json.Unmarshal([]byte(out), &result); err != nil || len(result.Content) == 0 ||
		result.Content[0].Text != "two\nlines"+evil {
		t.Errorf("JSON has other data than the server sent: %+q, %v", out, err)
	}
	if out, _ := runEvil(t, home, configuration, "", "call", "box", "s", "tool"); !strings.Contains(out,
		`two`+"\n"+`lines\u001b]0;owned\u0007`) {
		t.Errorf("the output does not show the hidden characters: %q", out)
	}
}

// TestWireIsNotATerminal checks that "stdio" passes on the messages as servers wrote them, and that its log has no
// hidden characters.
func TestWireIsNotATerminal(t *testing.T) {
	out, stderr := runEvil(t, t.TempDir(), evilFolder(t), conversation, "stdio", "--link=off", "--log-level=debug")
	if !strings.Contains(out, "\u202e") {
		t.Errorf("the answer was changed: %+q", out)
	}
	if !strings.Contains(stderr, "level=") {
		t.Errorf("there is no log: %q", stderr)
	}
	assertVisible(t, []string{"stdio"}, stderr)
}

// conversation has the messages of a client that opens the toolbox and calls a tool.
var conversation = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":` + string(jsonrpc.AppendString(nil, evil)) + `,"version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"box"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"use_tool","arguments":{"tool":{"toolbox":"box","server":"s","tool":"tool"}}}}
`

// TestStatusMasks checks that "status" shows no secret of a command or an address.
func TestStatusMasks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(path, []byte(`{"toolboxes":{"box":{"mcpServers":{
		"a":{"command":"run","args":["--api-key","made-up-1","--token=made-up-2","https://me:made-up-3@host/?key=made-up-4","-c","export A=1; run"]},
		"b":{"url":"https://made-up-5@host/mcp?api_key=made-up-6&mode=all"}}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"status"}, {"status", "--json"}} {
		out, stderr := runEvil(t, t.TempDir(), path, "", args...)
		if strings.Contains(out+stderr, "made-up") || !strings.Contains(out, "https://•••@host/mcp?api_key=•••&mode=all") ||
			!strings.Contains(out, "export A=1; run") {
			t.Errorf("%q: %s%s", args, out, stderr)
		}
	}
}

func assertVisible(t *testing.T, args []string, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%+q: not UTF-8: %q", args, text)
	}
	for line := range strings.Lines(text) {
		for _, r := range line {
			if r != '\n' && r != '\t' && (visible.Hidden(r) || r == '\u200d' || r == '\ufe0f' || r == '\U000e0100') {
				t.Errorf("%+q: %U in %+q", args, r, line)
				break
			}
		}
	}
}

// runEvil runs the program and returns its output. It ignores the exit status.
func runEvil(t *testing.T, home, configuration, in string, args ...string) (stdout, stderr string) {
	t.Helper()
	program := exec.CommandContext(t.Context(), "workbench-desktop", args...)
	program.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=",
		"WORKBENCH_CONFIG="+configuration, "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(home, "no-bus"))
	var out, log bytes.Buffer
	program.Stdin, program.Stdout, program.Stderr = strings.NewReader(in), &out, &log
	_ = program.Run() // most of these commands fail, as they should
	return out.String(), log.String()
}
