package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// workshop is a folder with everything that one test needs: the configuration, the files of the servers, and the
// messages that the servers received.
type workshop struct {
	t      *testing.T
	config string // the configuration file
	files  string // the folder that server-filesystem may read and write
	memory string // the file in which server-memory keeps its graph
	log    string // the folder with one file for each server, see record.mjs
	home   string // an empty home folder, so that the user's own files do not affect the test
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	dir := t.TempDir()
	// server-filesystem answers with paths without symbolic links.
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{
		t:      t,
		config: filepath.Join(dir, "workbench-config.json"),
		files:  filepath.Join(dir, "files"),
		memory: filepath.Join(dir, "memory.jsonl"),
		log:    filepath.Join(dir, "log"),
		home:   filepath.Join(dir, "home"),
	}
	for _, folder := range []string{w.files, w.log, w.home} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write("hello.txt", "Hello, workbench.\n")
	return w
}

// write makes a file that server-filesystem may read and returns its path.
func (w *workshop) write(name, content string) string {
	w.t.Helper()
	path := filepath.Join(w.files, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// member is a name and a value of an object with an order. The order of toolboxes and servers matters.
type member struct {
	name  string
	value any
}

type ordered []member

func (o ordered) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// entry returns the configuration of a real server. The messages of the engine to the server are written to the file
// toolbox-name in the folder log.
func (w *workshop) entry(toolbox, kind string) object {
	server := w.direct(kind)
	args := append([]string{npmPath("drivers", "record.mjs"), w.logFile(toolbox, kind), server.command}, server.args...)
	// Computers that run tests are busy, so the time limit is long. Other tests check how long a server may take.
	entry := object{"command": "node", "args": args, "startupTimeout": 120}
	if len(server.env) > 0 {
		entry["env"] = server.env
	}
	return entry
}

// direct returns how to start a real server without the engine.
func (w *workshop) direct(kind string) launch {
	server := launch{command: "node",
		args: []string{npmPath("node_modules", "@modelcontextprotocol", "server-"+kind, "dist", "index.js")}}
	switch kind {
	case "memory":
		server.env = map[string]string{"MEMORY_FILE_PATH": w.memory}
	case "filesystem":
		server.args = append(server.args, w.files)
	}
	return server
}

func (w *workshop) logFile(toolbox, server string) string {
	return filepath.Join(w.log, toolbox+"-"+server)
}

// sent returns the messages that the engine has sent to a server. There are none if the server was never started.
func (w *workshop) sent(toolbox, server, method string) []object {
	w.t.Helper()
	file, err := os.Open(w.logFile(toolbox, server))
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	var found []object
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		var message object
		decode(w.t, scanner.Bytes(), &message)
		if message["method"] == method {
			found = append(found, message)
		}
	}
	return found
}

// save writes the configuration and returns how to start the engine with it.
func (w *workshop) save(toolboxes ordered) launch {
	w.t.Helper()
	raw, err := json.MarshalIndent(object{"toolboxes": toolboxes}, "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.config, raw, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return launch{
		command: program,
		args:    []string{"stdio", "--config", w.config},
		env:     map[string]string{"HOME": w.home, "XDG_CONFIG_HOME": w.home},
	}
}

// standard saves the configuration that most tests use.
func (w *workshop) standard() launch {
	return w.save(ordered{
		{"dev", object{
			"description": "Development environment tools",
			"mcpServers": ordered{
				{"memory", w.entry("dev", "memory")},
				{"everything", w.entry("dev", "everything")},
				{"filesystem", w.entry("dev", "filesystem")},
				{"off", object{"command": "never-started", "disabled": true}},
			},
		}},
		{"files", object{"mcpServers": ordered{
			{"filesystem", with(w.entry("files", "filesystem"), "toolFilters",
				[]string{"read_text_file", "list_directory", "no_such_tool"})},
		}}},
		{"mixed", object{"description": "One server is missing", "mcpServers": ordered{
			{"gone", object{"command": "workbench-no-such-command"}},
			{"memory", w.entry("mixed", "memory")},
		}}},
		{"broken", object{"mcpServers": ordered{
			{"gone", object{"command": "workbench-no-such-command"}},
		}}},
		{"empty", object{"description": "", "mcpServers": ordered{}}},
	})
}

func with(entry object, name string, value any) object {
	entry[name] = value
	return entry
}

// rawTools returns the tools as the server itself lists them, without a client library in between.
func (w *workshop) rawTools(kind string) []object {
	w.t.Helper()
	server := w.direct(kind)
	cmd := exec.Command(server.command, server.args...)
	cmd.Env = os.Environ()
	for name, value := range server.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer func() {
		timer.Stop()
		stdin.Close()
		cmd.Process.Kill()
		cmd.Wait()
	}()
	reader := bufio.NewReaderSize(stdout, 1<<20)
	answer := func(id string) (message struct {
		Result struct {
			Tools      []object `json:"tools"`
			NextCursor string   `json:"nextCursor"`
		} `json:"result"`
	}) {
		for {
			line, err := reader.ReadBytes('\n')
			if err != nil {
				w.t.Fatalf("listing the tools of %s: %v", kind, err)
			}
			var head struct {
				ID json.Number `json:"id"`
			}
			if decode(w.t, line, &head); head.ID.String() == id {
				decode(w.t, line, &message)
				return message
			}
		}
	}
	send := func(line string) {
		if _, err := stdin.Write([]byte(line + "\n")); err != nil {
			w.t.Fatal(err)
		}
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	answer("1")
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	list := answer("2")
	if list.Result.NextCursor != "" {
		w.t.Fatalf("%s lists its tools in pages; this test reads only one", kind)
	}
	return list.Result.Tools
}
