package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/agents/model"
)

// run is one run of an agent, in a folder of its own.
type run struct {
	*bench
	agent
	folder, home, work, programs string
	address                      string    // of the model
	paths                        []string  // the folders of its programs, and those of the agent beside it
	stdin                        io.Reader // of the agent, if it reads the questions there
}

// try runs an agent once and judges the run.
func (b *bench) try(ctx context.Context, a agent) result {
	r, err := b.begin(ctx, a, "")
	return r.play(ctx, err, nil)
}

// begin prepares a run. home is the agent's home folder; "" means one of its own. beside is the agent that runs at
// the same time.
func (b *bench) begin(ctx context.Context, a agent, home string, beside ...agent) (*run, error) {
	b.runs++
	r := &run{bench: b, agent: a, folder: filepath.Join(b.folder, fmt.Sprintf("%03d-%s", b.runs, a.id))}
	for _, one := range append([]agent{a}, beside...) {
		r.paths = append(r.paths, filepath.Dir(one.program(b.cache)))
	}
	slices.Sort(r.paths)
	r.home, r.programs = cmp.Or(home, filepath.Join(r.folder, "home")), filepath.Join(r.folder, "bin")
	r.work = filepath.Join(r.home, "project")
	if err := r.prepare(); err != nil {
		return r, err
	}
	return r, r.knowTools(ctx)
}

// play runs the agent and judges the run. err is why it could not be prepared. With another agent beside it, the
// model waits for that one before it closes the toolbox.
func (r *run) play(ctx context.Context, err error, beside *meeting) result {
	out := result{Agent: r.id, Name: r.name, Version: r.version, Date: time.Now().UTC().Format(time.DateOnly)}
	if err != nil {
		out.Trouble = append(out.Trouble, err.Error())
		return out
	}
	c := &conversation{what: r.what, query: "everything that is known about the user", think: r.think,
		folder: filepath.Join(r.folder, "requests"), toolbox: "dev", direct: "dev__memory__read_graph",
		tool: [3]string{"dev", "memory", "read_graph"}, arguments: "{}", beside: beside}
	if r.tools > 0 || r.odd {
		c.direct, c.tool = "dev__many__"+madeUp(0), [3]string{"dev", "many", madeUp(0)}
	}
	c.narrow = r.tools > 0 && r.what == "use"
	began := time.Now()
	restored, err := r.live(ctx, c)
	if err != nil {
		out.Trouble = append(out.Trouble, err.Error())
	}
	taps, err := readTaps(r.programs)
	if err != nil {
		out.Trouble = append(out.Trouble, err.Error())
	}
	out.judge(c, r.known, taps)
	out.Restored, out.Took = restored, time.Since(began).Round(100*time.Millisecond).Seconds()
	if r.keep == "" {
		_ = os.RemoveAll(r.folder)
	}
	return out
}

// prepare makes the folders, the configuration and the agent's own files.
func (r *run) prepare() error {
	if err := os.RemoveAll(r.folder); err != nil { // left by an earlier run if folders are kept
		return err
	}
	for _, folder := range []string{r.work, filepath.Join(r.programs, "engine"), filepath.Join(r.folder, "requests"),
		filepath.Join(r.home, "tmp")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	if err := r.engineInPlace(); err != nil {
		return err
	}
	if err := copyFile(r.bench.program, filepath.Join(r.programs, "engine", tapName)); err != nil {
		return err
	}
	return r.configuration()
}

// questions returns the user's questions: the first, and another after the toolbox was closed. They end when
// that has been asked, or when the time is over.
func (r *run) questions(ctx context.Context, c *conversation) io.Reader {
	in, out := io.Pipe()
	go func() {
		defer out.Close()
		for _, step := range []struct {
			text string
			then chan struct{}
		}{{question, c.finished}, {"What can you do now?", c.over}} {
			fmt.Fprintf(out, r.line+"\n", step.text)
			select {
			case <-step.then:
			case <-ctx.Done():
				return
			}
		}
	}()
	return in
}

// knowTools asks the program for the tools of the toolbox: once, or in each home folder if the engine must
// know them from an earlier run.
func (r *run) knowTools(ctx context.Context) error {
	ran := r.ran || r.what == "search"
	if r.known != nil && !ran {
		return nil
	}
	if !ran {
		elsewhere := *r
		elsewhere.home = filepath.Join(r.folder, "elsewhere")
		r = &elsewhere
		if err := os.MkdirAll(filepath.Join(r.home, "tmp"), 0o755); err != nil {
			return err
		}
	}
	text, err := r.command(ctx, "tools", filepath.Join(r.programs, tapName), "tools", "--json", "dev", "--config",
		r.configFile())
	if err != nil {
		return err
	}
	var answer struct {
		Tools []tool `json:"tools"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return fmt.Errorf("what tools --json prints cannot be read: %w", err)
	}
	r.known = answer.Tools
	return nil
}

// live runs the model, connects, runs the agent, and disconnects. It returns the state of the agent's file.
func (r *run) live(ctx context.Context, c *conversation) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	r.address = "http://" + listener.Addr().String()
	server := &http.Server{Handler: model.Handler(c.next), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }() // until Close
	defer server.Close()

	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	for name, text := range r.files {
		name = filepath.Join(r.home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, []byte(r.fill(text)), 0o644); err != nil {
			return "", err
		}
	}
	program := r.agent.program(r.cache)
	for _, args := range r.before {
		if _, err := r.command(ctx, "before", program, args...); err != nil {
			return "", err
		}
	}
	if r.http {
		return "", r.overHTTP(ctx, c)
	}
	file := filepath.Join(r.home, filepath.FromSlash(r.agent.file))
	before, err := readIfThere(file)
	if err != nil {
		return "", err
	}
	if err := r.connect(ctx); err != nil {
		return "", err
	}
	connected, err := readIfThere(file)
	if err != nil {
		return "", err
	}
	if err := r.tapInPlace(); err != nil {
		return "", err
	}
	if r.line != "" {
		c.finished, c.over = make(chan struct{}), make(chan struct{})
		r.stdin = r.questions(ctx, c)
	}
	_, failed := r.command(ctx, "agent", program, r.agent.args...)
	r.stdin = nil
	after, err := readIfThere(file)
	if err == nil {
		err = r.engineInPlace()
	}
	if err == nil {
		_, err = r.command(ctx, "disconnect", filepath.Join(r.programs, tapName), "disconnect", r.client, "--yes",
			"--config", r.configFile())
	}
	if err != nil {
		return "", errors.Join(failed, err)
	}
	restored, err := readIfThere(file)
	return became(before, connected, after, restored), errors.Join(failed, err)
}

// became describes the agent's file after disconnecting. An agent that writes its file itself has changed it
// meanwhile.
func became(before, connected, after, restored []byte) string {
	switch {
	case bytes.Equal(before, restored):
		return "same bytes"
	case bytes.Contains(restored, []byte(tapName)):
		return "entry left"
	case bytes.Equal(connected, after):
		return "other bytes"
	}
	return "entry gone; the agent wrote the file"
}

// connect connects the agent as people do.
func (r *run) connect(ctx context.Context) error {
	_, err := r.command(ctx, "connect", filepath.Join(r.programs, tapName), "connect", r.client, "--yes", "--config",
		r.configFile())
	return err
}

func (r *run) fill(text string) string { return fill(text, r.address, r.work, r.home) }

func (r *run) configFile() string { return filepath.Join(r.folder, "workbench-config.json") }

// command runs a program in the new home folder with an otherwise empty environment, and returns its output.
// Both are stored in the run's folder.
func (r *run) command(ctx context.Context, what, program string, args ...string) (string, error) {
	args = slices.Clone(args) // they belong to the table
	for i := range args {
		args[i] = r.fill(args[i])
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = r.work
	cmd.Env = []string{
		"HOME=" + r.home, "TMPDIR=" + filepath.Join(r.home, "tmp"), "USER=user", "SHELL=/bin/sh", "LANG=C.UTF-8",
		"TERM=dumb", "NO_COLOR=1",
		"PATH=" + strings.Join(append(slices.Clone(r.paths), os.Getenv("PATH")), string(os.PathListSeparator)),
	}
	for _, variable := range r.env {
		cmd.Env = append(cmd.Env, r.fill(variable))
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdin = r.stdin
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 5 * time.Second // for processes started by a killed agent: the engine ends with its input
	err := cmd.Run()
	text := fmt.Sprintf("%s %q\n%v\n== stdout\n%s\n== stderr\n%s\n", program, args, err, stdout.Bytes(), stderr.Bytes())
	if e := os.WriteFile(filepath.Join(r.folder, what+".txt"), []byte(text), 0o644); e != nil {
		return "", e
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("%s: did not end in %s", what, r.patience)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", what, err, lastLines(stderr.String()))
	}
	return stdout.String(), nil
}

func lastLines(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 400 {
		text = text[len(text)-400:]
	}
	return strings.Join(strings.Fields(text), " ")
}

// engineInPlace puts the real program where the agent's file names it. tapInPlace puts this program there,
// which then starts the real one.
func (r *run) engineInPlace() error {
	return copyFile(r.bench.program, filepath.Join(r.programs, tapName))
}

func (r *run) tapInPlace() error { return copyFile(r.self, filepath.Join(r.programs, tapName)) }

func copyFile(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o755)
}

func readIfThere(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// patient is how long the servers may take to start, in seconds: the agents keep the machine busy.
const patient = 120

// configuration writes workbench-config.json: the toolbox dev with real servers, or with one that has
// invented tools.
func (r *run) configuration() error {
	node, err := exec.LookPath("node")
	if err != nil {
		return err
	}
	servers := map[string]any{
		"memory": map[string]any{"command": node,
			"args":           []string{filepath.Join(r.npm, "@modelcontextprotocol", "server-memory", "dist", "index.js")},
			"startupTimeout": patient},
		"filesystem": map[string]any{"command": node,
			"args": []string{filepath.Join(r.npm, "@modelcontextprotocol", "server-filesystem", "dist", "index.js"),
				r.work},
			"startupTimeout": patient},
	}
	if r.tools > 0 || r.odd {
		script := filepath.Join(r.folder, "many.json")
		var text []byte
		switch {
		case r.odd:
			text = odd()
		case r.what == "limit":
			text = saying(textOf(r.kind, r.bytes))
		default:
			text = many(r.tools, r.bytes, r.slow)
		}
		if err := os.WriteFile(script, text, 0o644); err != nil {
			return err
		}
		servers = map[string]any{"many": map[string]any{"command": r.self, "startupTimeout": patient,
			"env": map[string]string{fakeVariable: "@" + script}}}
	}
	if r.shared {
		for name, server := range servers {
			r.counted(name, server.(map[string]any))
		}
	}
	dev := map[string]any{"description": "Development environment tools", "mcpServers": servers}
	if r.what == "open" {
		dev["open"] = true
	}
	if r.here {
		dev["folders"] = []string{r.work}
	}
	toolboxes := map[string]any{"dev": dev}
	for i := range 12 {
		toolboxes[fmt.Sprintf("other%02d", i)] = map[string]any{
			"description": strings.Repeat(fmt.Sprintf("What toolbox %02d is for. ", i), 12),
			"mcpServers":  map[string]any{"none": map[string]any{"command": "none"}},
		}
	}
	text, err := json.Marshal(map[string]any{"toolMode": r.mode, "search": r.what == "search", "toolboxes": toolboxes})
	if err != nil {
		return err
	}
	return os.WriteFile(r.configFile(), text, 0o644)
}
