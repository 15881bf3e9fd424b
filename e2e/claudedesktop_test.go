package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/fakeclaude"
	table "github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// ownFile is a file as Claude Desktop itself writes it. It contains a server that Claude Desktop cannot
// start.
const ownFile = `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "web": {
      "url": "https://example.com/mcp"
    }
  },
  "preferences": {
    "menuBarEnabled": true,
    "seen": []
  }
}`

// TestClaudeDesktop connects Claude Desktop while it is running, uses Workbench from it, and disconnects it.
func TestClaudeDesktop(t *testing.T) {
	needNPM(t)
	h := newHousehold(t)
	alone := func(kind string) object { // a shared server would stay for other apps after Claude Desktop has ended
		entry := h.work.entry("dev", kind)
		entry["share"] = false
		return entry
	}
	h.work.save(ordered{{"dev", object{
		"description": "Files and notes",
		"mcpServers":  ordered{{"memory", alone("memory")}, {"filesystem", alone("filesystem")}},
	}}})
	h.put(h.file, ownFile, 0o600)
	app := h.start()
	if servers := app.servers(); len(servers) != 0 {
		t.Fatalf("Claude Desktop has started %v", servers)
	}

	// Claude Desktop is running, so its file is not changed.
	if said := h.run(1, h.connect()...); !strings.Contains(said,
		"Claude Desktop is running. It writes its file from memory") || !strings.Contains(said, "--wait") {
		t.Errorf("the command says: %s", said)
	}
	h.holds(ownFile)

	// The command waits until Claude Desktop has ended.
	waiting := h.command(h.connect("--wait")...)
	stderr, err := waiting.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(stderr)
	if line, err := said.ReadString('\n'); err != nil || !strings.Contains(line, "Waiting for it.") {
		t.Fatalf("%q, %v", line, err)
	}
	h.holds(ownFile)
	app.do(fakeclaude.Order{Do: fakeclaude.Set, Name: "darkMode", Value: json.RawMessage(`"dark"`)}, nil)
	app.quit()
	changed := strings.TrimSuffix(ownFile, "\n}") + ",\n  \"darkMode\": \"dark\"\n}"
	rest, _ := io.ReadAll(said)
	if err := waiting.Wait(); err != nil ||
		!strings.Contains(string(rest), "Workbench is in the file of Claude Desktop.") {
		t.Fatalf("%v: %s", err, rest)
	}
	if text := h.text(); !strings.Contains(text, `"darkMode": "dark"`) || !strings.Contains(text, `"workbench": {`) {
		t.Fatalf("the file is:\n%s", text)
	}

	// After its restart, Claude Desktop starts the program twice. The app sees both and takes that as proof
	// that the entry works. A third copy, which is only asked which versions it knows, is never seen as an app.
	hub := h.listen()
	greeted := watchGreeted(t, hub)
	app = h.start()
	servers := app.servers()
	if len(servers) != 2 {
		t.Fatalf("Claude Desktop has started %v", servers)
	}
	for i, server := range servers {
		if server.Name != "workbench" || server.Copy != i || server.Problem != "" || server.Protocol != "2025-11-25" ||
			!slices.Contains(server.Tools, "open_toolbox") {
			t.Errorf("%+v", server)
		}
		if folder, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", server.Pid)); err != nil || folder != "/" {
			t.Errorf("the engine runs in %q, %v", folder, err)
		}
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", server.Pid))
		if err != nil || bytes.Contains(env, []byte("NOBODY")) || bytes.Contains(env, []byte("XDG_")) {
			t.Errorf("the environment of the engine is %q, %v", env, err)
		}
	}
	var answer opened
	decode(t, []byte(app.call(0, "open_toolbox", object{"toolbox_name": "dev"})), &answer)
	if answer.ServersConnected != 2 {
		t.Fatalf("%d servers are connected: %q", answer.ServersConnected, answer.Errors)
	}
	text := app.call(0, "use_tool",
		useTool("dev", "filesystem", "read_text_file", object{"path": filepath.Join(h.work.files, "hello.txt")}))
	if !strings.Contains(text, "Hello, workbench.") {
		t.Errorf("the file has %q", text)
	}
	h.proven(hub, servers)
	if servers[0].ProbePid == 0 || !slices.Contains(servers[0].Probe, "2026-07-28") {
		t.Errorf("the throw-away copy has answered %q", servers[0].Probe)
	}
	for pid := range greeted() {
		if !slices.ContainsFunc(servers, func(s fakeclaude.Server) bool { return s.Pid == pid }) {
			t.Errorf("engine %d is shown as an app, and the throw-away copy is %d", pid, servers[0].ProbePid)
		}
	}

	// All these processes end together with Claude Desktop. Claude Desktop has meanwhile written our entry in its own
	// style.
	known := descendants(t, app.cmd.Process.Pid)
	if len(known) < 4 { // two engines, two servers
		t.Errorf("there are only the processes %v", known)
	}
	app.quit()
	var left []process
	eventually(t, "all processes are gone", func() bool {
		left = alive(t, known)
		return len(left) == 0
	})
	if len(left) > 0 {
		t.Errorf("these processes still run: %v", left)
	}
	if text := h.text(); !strings.Contains(text, "\"args\": [\n") || !strings.Contains(text, `"--client",`) {
		t.Fatalf("Claude Desktop has not written our entry in its own style:\n%s", text)
	}
	if said := h.run(0, "clients", "--program", h.program, "--config", h.work.config); !strings.Contains(said,
		"claude-desktop   connected") {
		t.Errorf("the command says: %s", said)
	}
	h.run(0, "disconnect", "claude-desktop", "--yes")
	h.holds(changed)

	// Claude Desktop is connected and disconnected without running in between. The file must be restored byte for byte,
	// whatever its style.
	untidy := "{\r\n\t\"mcpServers\" : {}, \"n\":12345678901234567890 }\r\n"
	h.put(h.file, untidy, 0o600)
	h.run(0, h.connect()...)
	h.run(0, "disconnect", "claude-desktop", "--yes")
	h.holds(untidy)
}

// watchGreeted follows the engines of a hub. The function that it returns says which of them were ever shown as an app
// that has connected.
func watchGreeted(t *testing.T, hub *ipc.Hub) func() map[int]bool {
	t.Helper()
	changed, cancel := hub.Subscribe()
	greeted, done, stop := map[int]bool{}, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			for _, e := range hub.Engines() {
				if !e.Initialized.IsZero() {
					greeted[e.Pid] = true
				}
			}
			select {
			case <-stop:
				return
			case <-changed:
			}
		}
	}()
	return func() map[int]bool {
		close(stop)
		<-done
		cancel()
		return greeted
	}
}

// listen opens the endpoint of the app, to which engines connect.
func (h *household) listen() *ipc.Hub {
	h.t.Helper()
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: h.link, Program: "test"})
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- hub.Run(ctx) }()
	h.t.Cleanup(func() {
		cancel()
		<-done
	})
	return hub
}

// registrar returns the registrar that the window uses. It has the same files as the commands.
func (h *household) registrar() (*clients.Registrar, clients.Launch) {
	h.t.Helper()
	system, err := clients.ThisSystem(func(name string) string {
		for _, variable := range h.env {
			if value, ok := strings.CutPrefix(variable, name+"="); ok {
				return value
			}
		}
		return ""
	})
	if err != nil {
		h.t.Fatal(err)
	}
	launch, err := system.Launch(h.program, h.work.config)
	if err != nil {
		h.t.Fatal(err)
	}
	return clients.New(system, filepath.Join(h.work.home, ".local", "state", "workbench", "clients")), launch
}

// proven waits until both engines have connected, and records that as a proof, as the window does.
func (h *household) proven(hub *ipc.Hub, servers []fakeclaude.Server) {
	h.t.Helper()
	var greeted []ipc.Engine
	eventually(h.t, "both engines have said hello", func() bool {
		greeted = slices.DeleteFunc(hub.Engines(), func(e ipc.Engine) bool { return e.Initialized.IsZero() })
		return len(greeted) == len(servers)
	})
	registrar, launch := h.registrar()
	for _, engine := range greeted {
		if engine.ClientID != "claude-desktop" || engine.ClientName != "claude-ai" || engine.ClientVersion != "0.1.0" ||
			engine.Config != h.work.config {
			h.t.Errorf("an engine reports %+v", engine.About)
		}
		if !slices.ContainsFunc(servers, func(s fakeclaude.Server) bool { return s.Pid == engine.Pid }) {
			h.t.Errorf("process %d was not started by Claude Desktop", engine.Pid)
		}
		if !table.Matches(engine.ClientID, engine.ClientName) {
			h.t.Error("its clientInfo does not match Claude Desktop")
		}
		if err := registrar.RecordProof(
			clients.Proof{Client: engine.ClientID, Time: engine.Initialized, Name: engine.ClientName, Pid: engine.Pid,
				Config: engine.Config}); err != nil {
			h.t.Error(err)
		}
	}
	all, err := registrar.Status(launch)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, status := range all {
		if status.Proven() != (status.Client.ID == "claude-desktop") {
			h.t.Errorf("%s: %s, proven %v", status.Client.ID, status.State, status.Proven())
		}
	}
}

// TestClaudeDesktopWipes: Claude Desktop undoes an edit that was made while it was running. The guard restores the
// entry after Claude Desktop has been quit. After the second loss, it leaves this to the user.
func TestClaudeDesktopWipes(t *testing.T) {
	h := newHousehold(t)
	h.work.save(ordered{{"dev", object{"mcpServers": ordered{}}}})
	h.put(h.file, ownFile, 0o600)
	app := h.start()
	nothing := filepath.Join(h.work.home, "nothing-runs")
	h.run(0, h.connect("--processes", nothing)...)
	connected := h.text()
	if !strings.Contains(connected, `"workbench"`) {
		t.Fatal(connected)
	}

	registrar, launch := h.registrar()
	events := make(chan clients.GuardEvent, 16)
	guard := clients.NewGuard(registrar, clients.GuardOptions{
		Launch: func() (clients.Launch, error) { return launch, nil },
		Told:   func(e clients.GuardEvent) { events <- e },
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- guard.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	told := func(kind clients.GuardKind) clients.GuardEvent {
		t.Helper()
		for {
			select {
			case e := <-events:
				if e.Kind == kind {
					return e
				}
				if e.Kind != clients.GuardChanged {
					t.Logf("the guard reports %q", e.Kind)
				}
			case <-time.After(patience):
				t.Fatalf("the guard does not report %q; the file is:\n%s", kind, h.text())
			}
		}
	}

	// Claude Desktop writes its file from memory as soon as a setting changes.
	app.do(fakeclaude.Order{Do: fakeclaude.Set, Name: "darkMode", Value: json.RawMessage(`true`)}, nil)
	if strings.Contains(h.text(), "workbench") {
		t.Fatal("the fake did not undo the edit, so this test checks nothing")
	}
	if e := told(clients.GuardWaits); e.Client.ID != "claude-desktop" {
		t.Errorf("%+v", e)
	}
	if strings.Contains(h.text(), "workbench") {
		t.Fatal("the entry was restored while Claude Desktop is running")
	}
	app.quit()
	if e := told(clients.GuardMended); e.Client.ID != "claude-desktop" {
		t.Errorf("%+v", e)
	}
	if text := h.text(); !strings.Contains(text, `"workbench"`) || !strings.Contains(text, `"darkMode": true`) {
		t.Fatalf("the file is:\n%s", text)
	}

	// The entry works now. The second loss: somebody removes it in Claude Desktop itself.
	app = h.start()
	if servers := app.servers(); len(servers) != 2 || servers[0].Problem != "" {
		t.Fatalf("Claude Desktop has started %v", servers)
	}
	app.do(fakeclaude.Order{Do: fakeclaude.Remove, Name: "workbench"}, nil)
	if e := told(clients.GuardAsks); !e.Again {
		t.Errorf("%+v", e)
	}
	app.quit()
	if strings.Contains(h.text(), "workbench") {
		t.Error("the entry was restored although the user has removed it")
	}
}

// TestClaudeDesktopLoses: the fake replaces a file that it cannot read soon after its start, as the real
// Claude Desktop does.
func TestClaudeDesktopLoses(t *testing.T) {
	for name, text := range map[string]string{
		"a comment":        "{\n  // mine\n  \"mcpServers\": {}\n}",
		"a mark":           "\ufeff{\"mcpServers\": {}}",
		"another form":     `{"mcpServers": []}`,
		"a command of two": `{"mcpServers": {"x": {"command": ["a", "b"]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHousehold(t)
			h.put(h.file, text, 0o600)
			h.start().quit()
			h.holds("{}")
		})
	}
}

// TestClaudeDesktopKeepsItsTools: if Claude Desktop refuses the schema of one tool, it drops all tools of
// that server. Behind Workbench such a tool does no harm.
func TestClaudeDesktopKeepsItsTools(t *testing.T) {
	h := newHousehold(t)
	script := fakeserver.Script{Tools: []json.RawMessage{
		json.RawMessage(`{"name": "good", "inputSchema": {"type": "object"}}`),
		json.RawMessage(`{"name": "bad", "inputSchema": {"type": ["object", "null"]}}`),
	}}
	server := object{"command": h.app, "args": []string{}, "env": object{fakeserver.Variable: script.String()}}
	h.work.save(ordered{{"dev", object{"mcpServers": ordered{{"fake", server}}}}})
	file, err := json.Marshal(object{"mcpServers": object{"direct": server}})
	if err != nil {
		t.Fatal(err)
	}
	h.put(h.file, string(file), 0o600)
	h.run(0, h.connect()...)
	app := h.start()
	for _, server := range app.servers() {
		switch {
		case server.Name == "direct" &&
			(len(server.Tools) > 0 || !strings.Contains(server.Problem, "inputSchema.type of bad")):
			t.Errorf("the fake accepts %+v", server)
		case server.Name == "workbench" && (len(server.Tools) == 0 || server.Problem != ""):
			t.Errorf("%+v", server)
		}
	}
	var answer opened
	decode(t, []byte(app.call(1, "open_toolbox", object{"toolbox_name": "dev"})), &answer)
	if !slices.Equal(names(answer.Tools), []string{"good", "bad"}) { // the schema of the other tool is corrected
		t.Errorf("the tools are %v", answer.Tools)
	}
	var result object
	arguments, err := json.Marshal(useTool("dev", "fake", "good", object{}))
	if err != nil {
		t.Fatal(err)
	}
	app.do(fakeclaude.Order{Do: fakeclaude.Call, Name: "workbench", Copy: 1, Tool: "use_tool", Arguments: arguments},
		&result)
	if result["isError"] == true {
		t.Errorf("%v", result)
	}
	app.quit()
}
