package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a transcript waits for a message. It is long because machines can be slow. It costs nothing if
// the message arrives.
const patience = 60 * time.Second

// runTranscript is the testscript command
//
//	rpc [-status N] transcript [argument…]
//
// It starts "workbench-desktop stdio argument…" and plays a transcript:
//
//	# a comment
//	> {"jsonrpc":…}     sends this line
//	>raw TEXT           sends this text and a line end, whatever it is
//	< {"jsonrpc":…}     the next message must be this one
//	<? {"jsonrpc":…}    one of the messages that were not expected yet must be this one
//	<* {"jsonrpc":…}    this message may come at any time from here on, as often as it likes
//	initialize [CAPABILITIES]  greets as a client of 2025-11-25 with these capabilities, or with none
//	close               closes standard input
//	signal TERM         sends a signal (TERM or INT)
//	wait-file NAME      waits until the file exists
//	wait-stderr TEXT    waits until the text is on standard error
//	wait-lines NAME N   waits until the file has N lines
//	rename FROM TO      renames a file
//	approve CONFIG      approves what waits in the file
//
// In expected messages, the strings "<any>", "<uuid>" and "<re:…>" stand for any value, for a UUID v4 and for a string
// that matches. Numbers must be spelled the same. At the end, standard input is closed if it is still open, and there
// must be no messages left over. The exit status must be N, or 0 if N is not given.
func runTranscript(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("rpc does not take !")
	}
	status := 0
	if len(args) > 2 && args[0] == "-status" {
		if _, err := fmt.Sscan(args[1], &status); err != nil {
			ts.Fatalf("-status: %v", err)
		}
		args = args[2:]
	}
	if len(args) == 0 {
		ts.Fatalf("usage: rpc [-status N] transcript [argument…]")
	}
	script := ts.ReadFile(args[0])
	p := startPlayer(ts, append([]string{"stdio", "--link=off"}, args[1:]...))
	defer p.kill()
	for number, line := range strings.Split(script, "\n") {
		if err := p.step(strings.TrimSpace(os.Expand(line, expandWork(ts)))); err != nil {
			ts.Fatalf("%s:%d: %s\n%v\nstandard error:\n%s", args[0], number+1, line, err, p.stderr.String())
		}
	}
	if err := p.finish(status); err != nil {
		ts.Fatalf("%s: at the end: %v\nstandard error:\n%s", args[0], err, p.stderr.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), []byte(p.stderr.String()), 0o600))
}

// expandWork lets transcripts name the work folder. It leaves every other $ unchanged.
func expandWork(ts *testscript.TestScript) func(string) string {
	return func(name string) string {
		if name == "WORK" {
			return ts.Getenv("WORK")
		}
		return "$" + name
	}
}

// lockedBuffer can be read while the program writes to it.
type lockedBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.String()
}

type player struct {
	ts       *testscript.TestScript
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	messages chan string
	pending  []string // messages that were read and not yet expected
	allowed  []any    // messages that may come at any time
	stderr   lockedBuffer
	closed   bool
	unsent   string // what goes out together, since the engine waits for some messages of a client for a while only
}

func startPlayer(ts *testscript.TestScript, args []string) *player {
	program := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path := filepath.Join(dir, "workbench-desktop"); program == "" {
			if _, err := os.Stat(path); err == nil {
				program = path
			}
		}
	}
	p := &player{ts: ts, cmd: exec.Command(program, args...), messages: make(chan string, 1000)}
	p.cmd.Dir = ts.MkAbs(".")
	p.cmd.Env = environment(ts)
	p.cmd.Stderr = &p.stderr
	stdin, err := p.cmd.StdinPipe()
	ts.Check(err)
	p.stdin = stdin
	stdout, err := p.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(p.cmd.Start())
	go func() {
		defer close(p.messages)
		lines := bufio.NewReader(stdout)
		for {
			line, err := lines.ReadString('\n')
			if line != "" {
				p.messages <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return p
}

// environment returns the environment that the script has set.
func environment(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"WORK", "HOME", "SHELL", "PATH", "TMPDIR", "XDG_CONFIG_HOME", "WORKBENCH_CONFIG",
		"WORKBENCH_TOOL_MODE", "TOKEN", "GOCOVERDIR", "SystemRoot",
		"EVIL_TOKEN", "CHOSEN", "LC_PAPER", "HTTPS_PROXY", "LD_LIBRARY_PATH"} {
		if value := ts.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func (p *player) step(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	if verb != ">" && verb != "" && verb != "#" {
		if err := p.flush(); err != nil {
			return err
		}
	}
	switch verb {
	case "", "#":
		return nil
	case ">":
		if !json.Valid([]byte(rest)) {
			return fmt.Errorf("not JSON; use >raw for that")
		}
		p.unsent += rest + "\n"
		return nil
	case ">raw":
		return p.send(rest)
	case "<":
		return p.expect(rest, 1)
	case "<?":
		return p.expect(rest, 1000)
	case "<*":
		allowed, err := decode(rest)
		p.allowed = append(p.allowed, allowed)
		return err
	case "initialize":
		return p.initialize(cmp.Or(rest, "{}"))
	case "close":
		p.closed = true
		return p.stdin.Close()
	case "signal":
		return p.cmd.Process.Signal(map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT}[rest])
	case "rename":
		from, to, _ := strings.Cut(rest, " ")
		return os.Rename(p.ts.MkAbs(from), p.ts.MkAbs(to))
	case "approve":
		return approveAll(p.ts, rest)
	case "approve-tools":
		return decideTools(p.ts, rest, true)
	case "wait-pins": // wait-pins CONFIG TOOLS WAITING
		return poll(func() error { return checkPins(p.ts, rest) })
	case "wait-kept": // wait-kept CONFIG
		return poll(func() error { return checkKept(p.ts, rest) })
	case "wait-changed": // wait-changed CONFIG SERVER
		name, server, _ := strings.Cut(rest, " ")
		return poll(func() error { return checkChanged(p.ts, name, server) })
	case "wait-file":
		return poll(func() error {
			_, err := os.Stat(p.ts.MkAbs(rest))
			return err
		})
	case "wait-lines":
		name, want, _ := strings.Cut(rest, " ")
		return poll(func() error {
			raw, err := os.ReadFile(p.ts.MkAbs(name))
			if got := strings.Count(string(raw), "\n"); err == nil && fmt.Sprint(got) != want {
				return fmt.Errorf("%s has %d lines", name, got)
			}
			return err
		})
	case "wait-stderr":
		return poll(func() error {
			if !strings.Contains(p.stderr.String(), rest) {
				return fmt.Errorf("standard error does not have %q", rest)
			}
			return nil
		})
	default:
		return fmt.Errorf("unknown verb %q", verb)
	}
}

// poll retries a condition until it returns no error, or patience ends.
func poll(condition func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := condition()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (p *player) send(line string) error {
	_, err := io.WriteString(p.stdin, line+"\n")
	return err
}

// flush sends what was not sent yet.
func (p *player) flush() error {
	if p.unsent == "" {
		return nil
	}
	_, err := io.WriteString(p.stdin, p.unsent)
	p.unsent = ""
	return err
}

// initialize sends initialize to the engine. Its answer comes before all other messages.
func (p *player) initialize(capabilities string) error {
	if err := p.send(`{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + capabilities + `,"clientInfo":{"name":"test","version":"1"}}}`); err != nil {
		return err
	}
	if err := p.expect(`{"jsonrpc":"2.0","id":"initialize","result":"<any>"}`, 1); err != nil {
		return err
	}
	return p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// expect finds want among the first messages that were not expected yet, and looks at no more than most of them.
func (p *player) expect(want string, most int) error {
	expected, err := decode(want)
	if err != nil {
		return fmt.Errorf("the expected message: %w", err)
	}
	deadline := time.After(patience)
	for i := 0; i < most; i++ { // what is allowed may still be expected later
		if i == len(p.pending) {
			select {
			case message, ok := <-p.messages:
				if !ok {
					return fmt.Errorf("standard output ended; not expected yet: %q", p.pending)
				}
				p.pending = append(p.pending, message)
			case <-deadline:
				return fmt.Errorf("no such message within %s; not expected yet: %q", patience, p.pending)
			}
		}
		if !strings.HasSuffix(p.pending[i], "\n") {
			return fmt.Errorf("a message is not a whole line: %q", p.pending[i])
		}
		got, err := decode(p.pending[i])
		if err != nil {
			return fmt.Errorf("the engine sent something that is not JSON: %q", p.pending[i])
		}
		if matches(expected, got) {
			p.pending = append(p.pending[:i], p.pending[i+1:]...)
			return nil
		}
		if slices.ContainsFunc(p.allowed, func(allowed any) bool { return matches(allowed, got) }) {
			most++
			continue
		}
		if most == i+1 {
			return fmt.Errorf("got %s", p.pending[i])
		}
	}
	return fmt.Errorf("too many messages")
}

func (p *player) finish(status int) error {
	if err := p.flush(); err != nil {
		return err
	}
	if !p.closed {
		if err := p.stdin.Close(); err != nil {
			return err
		}
	}
	deadline := time.After(patience)
	for {
		select {
		case message, ok := <-p.messages:
			if ok {
				p.pending = append(p.pending, message)
				continue
			}
		case <-deadline:
			return fmt.Errorf("the engine did not end within %s", patience)
		}
		break
	}
	err := p.cmd.Wait()
	p.pending = slices.DeleteFunc(p.pending, func(message string) bool {
		got, err := decode(message)
		return err == nil && slices.ContainsFunc(p.allowed, func(allowed any) bool { return matches(allowed, got) })
	})
	if len(p.pending) > 0 {
		return fmt.Errorf("messages left over: %q", p.pending)
	}
	if got := p.cmd.ProcessState.ExitCode(); got != status {
		return fmt.Errorf("exit status %d, want %d (%v)", got, status, err)
	}
	return nil
}

func (p *player) kill() {
	_ = p.cmd.Process.Kill() // it has already exited if all went well
}

func decode(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}

var uuid4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// matches compares two decoded values; see [runTranscript] for what want may contain.
func matches(want, got any) bool {
	switch want := want.(type) {
	case string:
		text, isText := got.(string)
		switch {
		case want == "<any>":
			return true
		case want == "<uuid>":
			return isText && uuid4.MatchString(text)
		case strings.HasPrefix(want, "<re:") && strings.HasSuffix(want, ">"):
			return isText && regexp.MustCompile("(?s)^(?:"+want[4:len(want)-1]+")$").MatchString(text)
		}
		return isText && want == text
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok || len(object) != len(want) {
			return false
		}
		for name, value := range want {
			if other, ok := object[name]; !ok || !matches(value, other) {
				return false
			}
		}
		return true
	case []any:
		array, ok := got.([]any)
		if !ok || len(array) != len(want) {
			return false
		}
		for i := range want {
			if !matches(want[i], array[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, got)
}
