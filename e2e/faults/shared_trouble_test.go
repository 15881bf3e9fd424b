//go:build linux

package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// alone checks that an engine runs its server for itself, and has said so once.
func (s *sharing) alone(t *testing.T, c *client) {
	t.Helper()
	for range 2 {
		c.open(t)
		c.echo(t, "server-000", `{"a":1}`)
		c.close(t)
	}
	if said := c.said.String(); strings.Count(said, "Server is not shared") != 1 {
		t.Errorf("the engine does not say once that it shares nothing:\n%s", said)
	}
	if hosts := s.hosts(); len(hosts) != 0 {
		t.Errorf("these hosts run: %s", describe(hosts))
	}
}

// endHosts tells the hosts to end.
func (s *sharing) endHosts(t *testing.T) {
	t.Helper()
	for _, host := range s.hosts() {
		signalTo(t, host, syscall.SIGTERM)
	}
	eventually(t, "the hosts have ended", patience, func() bool { return len(s.hosts()) == 0 })
}

// TestSharedUpdate replaces the program by another build while two engines have 50 calls. All are answered, an engine
// of the new build runs beside them, and the old engines go on to share, also if their host is started afterwards.
func TestSharedUpdate(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	s := share(t, servers{"server-000": fake(fakeserver.Script{CallLog: calls})})
	text, err := os.ReadFile(os.Getenv(executableVariable))
	if err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(t.TempDir(), "workbench-engine")
	install := func(text []byte) {
		next := installed + ".new"
		if err := errors.Join(os.WriteFile(next, text, 0o700), os.Rename(next, installed)); err != nil {
			t.Fatal(err)
		}
	}
	engine := func() *client {
		cmd := s.command(t)
		cmd.Path, cmd.Args[0] = installed, installed
		return connect(t, cmd)
	}
	install(text)
	old := []*client{engine(), engine()}
	var came []<-chan answer
	for _, c := range old {
		c.open(t)
		for range 25 {
			answer, err := c.send("tools/call", useTool("server-000", "echo", map[string]any{"delayMs": 3000}))
			if err != nil {
				t.Fatal(err)
			}
			came = append(came, answer)
		}
	}
	eventually(t, "the server has all calls", patience, func() bool {
		text, _ := os.ReadFile(calls)
		return bytes.Count(text, []byte("\n")) == 50
	})
	const version = "0.1.0-dev"
	if !bytes.Contains(text, []byte(version)) {
		t.Fatal("the program does not have its version; has it changed?")
	}
	install(bytes.ReplaceAll(text, []byte(version), []byte("0.1.1-dev")))
	updated := engine()
	updated.open(t)
	updated.echo(t, "server-000", `{"new":1}`)
	if said := updated.said.String(); strings.Count(said, "another version of Workbench") != 1 {
		t.Errorf("the new build says %s", said)
	}
	for _, answered := range came {
		if a := wait(t, answered); a.isError() {
			t.Errorf("a call was answered with %s%s", a.Error, a.Result)
		}
	}
	updated.close(t)
	for _, c := range old { // what was started before the update goes on as before it
		c.close(t)
	}
	s.endHosts(t)
	for _, c := range old {
		c.open(t)
		c.echo(t, "server-000", `{"old":1}`)
		if said := c.said.String(); strings.Contains(said, "Server is not shared") {
			t.Errorf("an engine from before the update says %s", said)
		}
	}
	if pids := s.run.processes(); len(pids) != 1 {
		t.Errorf("the processes are %s", describe(pids))
	}
	for _, c := range append(old, updated) {
		c.once(t)
	}
}

// TestSharedOtherUser: a folder or a socket of another user is not used, and a folder that everybody may write becomes
// private.
func TestSharedOtherUser(t *testing.T) {
	const other = 65534
	t.Run("folder", func(t *testing.T) {
		s := share(t, fakes(1))
		s.endpoint = "/host.sock"
		if os.Getuid() == 0 {
			folder := filepath.Join(t.TempDir(), "run")
			if err := errors.Join(os.Mkdir(folder, 0o777), os.Chown(folder, other, other)); err != nil {
				t.Fatal(err)
			}
			s.endpoint = filepath.Join(folder, "host.sock")
		}
		s.alone(t, s.engine(t))
	})
	t.Run("folder for everybody", func(t *testing.T) {
		s := share(t, fakes(1))
		folder := filepath.Dir(s.endpoint)
		if err := errors.Join(os.Mkdir(folder, 0o700), os.Chmod(folder, 0o777)); err != nil {
			t.Fatal(err)
		}
		c := s.engine(t)
		c.open(t)
		c.echo(t, "server-000", `{"a":1}`)
		s.host(t)
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder has %v, %v", info, err)
		}
	})
	if os.Getuid() != 0 {
		return // only root can make a socket of somebody else
	}
	t.Run("socket", func(t *testing.T) {
		s := share(t, fakes(1))
		if err := os.Mkdir(filepath.Dir(s.endpoint), 0o700); err != nil {
			t.Fatal(err)
		}
		listenAs(t, s.endpoint, other)
		s.alone(t, s.engine(t))
	})
}

// listenAs listens at a socket as another user: what counts is who calls listen.
func listenAs(t *testing.T, path string, uid int) {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(socket) })
	if err := syscall.Bind(socket, &syscall.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	go func() {
		runtime.LockOSThread() // the thread ends with this function, and with it the other user
		const same = ^uintptr(0)
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, same, uintptr(uid), same); errno != 0 {
			failed <- errno
			return
		}
		failed <- syscall.Listen(socket, 10)
	}()
	if err := <-failed; err != nil {
		t.Fatal(err)
	}
}

// TestSharedFullDisk: on a disk that is full, servers are shared if the socket can still be made, and otherwise run
// for each engine.
func TestSharedFullDisk(t *testing.T) {
	const noMoreFiles = `mount -o remount,nr_inodes=40 none "$HOME";
		n=0; while touch "$HOME/fill$n"; do n=$((n+1)); done 2>/dev/null;`
	for name, fill := range map[string]string{"full": fillDisk, "no more files": noMoreFiles, "read-only": lockDisk} {
		t.Run(name, func(t *testing.T) {
			s := share(t, fakes(1))
			cmd := inHome(t, s.file, fill+` exec "$PROGRAM" stdio --link=off --host "$HOME/run/host.sock"`)
			home, _ := strings.CutPrefix(cmd.Env[1], "HOME=")
			s.endpoint = filepath.Join(home, "run", "host.sock")
			c := connect(t, cmd)
			for range 2 {
				c.open(t)
				c.echo(t, "server-000", `{"a":1}`)
				c.close(t)
			}
			said := strings.Count(c.said.String(), "Server is not shared")
			if name != "full" && said != 1 || said > 1 {
				t.Errorf("it says %d times that it does not share:\n%s", said, c.said.String())
			}
			c.once(t)
			if err := c.leave(t); err != nil {
				t.Error(err)
			}
			if left := s.run.processes(); len(left) > 0 {
				t.Errorf("these processes still run: %s", describe(left))
			}
			s.endHosts(t)
		})
	}
}

// TestSharedWrongIDs: a server that answers requests of other apps, and requests that nobody has made, ends no request
// twice, and none that it does not name.
func TestSharedWrongIDs(t *testing.T) {
	var wrong []string
	for id := range 30 {
		wrong = append(wrong, fmt.Sprintf(
			`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"stolen"}]}}`, id))
	}
	for _, id := range []string{`"1"`, `null`, `-1`, `1e99`, `"a"`, `{}`} {
		wrong = append(wrong, `{"jsonrpc":"2.0","id":`+id+`,"result":{"content":[]}}`)
	}
	s := share(t, servers{"server-000": fake(fakeserver.Script{Echo: true,
		Tools: []json.RawMessage{fakeserver.Tool("wrong")},
		Lines: map[string]string{"wrong": strings.Join(append(wrong, wrong...), "\n")}})})
	a, b := s.engine(t), s.engine(t)
	a.open(t)
	b.open(t)
	lasting, err := a.send("tools/call", useTool("server-000", "echo", map[string]any{"delayMs": 300}))
	if err != nil {
		t.Fatal(err)
	}
	b.ask(t, "tools/call", useTool("server-000", "wrong", map[string]any{}))
	wait(t, lasting)
	for i, c := range []*client{a, b} {
		c.echo(t, "server-000", fmt.Sprintf(`{"engine":%d}`, i))
		c.once(t)
	}
	if pids := s.run.processes(); len(pids) != 1 {
		t.Errorf("the processes are %s", describe(pids))
	}
}

// TestSharedQuestions: what a server asks during a call goes to the app whose call it is, and is refused while calls
// of two apps are in progress.
func TestSharedQuestions(t *testing.T) {
	for method, params := range map[string]string{
		"elicitation/create":     `{"message":"Yes?","requestedSchema":{"type":"object","properties":{}}}`,
		"sampling/createMessage": `{"maxTokens":1,"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}`,
	} {
		t.Run(method, func(t *testing.T) {
			calls := filepath.Join(t.TempDir(), "calls")
			s := share(t, servers{"server-000": fake(fakeserver.Script{AskOnCall: method, AskParams: json.RawMessage(params),
				CallLog: calls})})
			engine := func(name string) *client {
				c := s.answering(t, map[string]string{
					"elicitation/create":     `{"action":"accept","content":{"by":"` + name + `"}}`,
					"sampling/createMessage": `{"role":"assistant","model":"m","content":{"type":"text","text":"by ` + name + `"}}`})
				c.open(t)
				return c
			}
			asks := func(c *client, arguments string) <-chan answer {
				came, err := c.send("tools/call", useTool("server-000", "echo", json.RawMessage(arguments)))
				if err != nil {
					t.Fatal(err)
				}
				return came
			}
			a, b := engine("anna"), engine("bert")
			for name, c := range map[string]*client{"anna": a, "bert": b} {
				if got := wait(t, asks(c, "{}")); !bytes.Contains(got.Result, []byte(name)) {
					t.Errorf("%s got %s%s", name, got.Error, got.Result)
				}
			}
			first := asks(a, `{"delayMs":3600000}`)
			eventually(t, "the first call", patience, func() bool {
				text, _ := os.ReadFile(calls)
				return bytes.Count(text, []byte("\n")) == 3
			})
			if got := wait(t, asks(b, "{}")); !bytes.Contains(got.Result, []byte("several apps share this server")) {
				t.Errorf("with two calls in progress, the answer is %s%s", got.Error, got.Result)
			}
			a.kill(t) // its call is cancelled, and the other app is asked again
			eventually(t, "the question reaches the app that is left", patience, func() bool {
				return bytes.Contains(wait(t, asks(b, "{}")).Result, []byte("bert"))
			})
			select {
			case got := <-first:
				t.Errorf("the call of the app that was killed got %s%s", got.Error, got.Result)
			default:
			}
			b.once(t)
		})
	}
}

// TestSharedFolders: when the app works in other folders, its engine uses a server with these at once: that is no
// crash, after which it would wait.
func TestSharedFolders(t *testing.T) {
	entry := fake(fakeserver.Script{AskOnCall: "roots/list"})
	entry["args"] = []string{"@modelcontextprotocol/server-filesystem"} // which is known to ask
	s := share(t, servers{"server-000": entry})
	roots := func(folder string) string { return `{"roots":[{"uri":"file:///` + folder + `"}]}` }
	c := s.answering(t, map[string]string{"roots/list": roots("before")})
	c.open(t)
	asks := func(folder string) bool {
		a := c.ask(t, "tools/call", useTool("server-000", "echo", map[string]any{}))
		return bytes.Contains(a.Result, []byte("file:///"+folder))
	}
	if !asks("before") {
		t.Error("the server does not know the folder")
	}
	c.mu.Lock()
	c.app = map[string]string{"roots/list": roots("afterwards")}
	c.mu.Unlock()
	if _, err := fmt.Fprintln(c.in, `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server knows the new folder", patience, func() bool { return asks("afterwards") })
	if said := c.said.String(); strings.Contains(said, "ended by itself") || strings.Contains(said, "is not shared") {
		t.Errorf("the engine says %s", said)
	}
}

// TestSharedComesAndGoes opens and closes a shared server many times. Afterwards the host has no more than before, and
// ends with all that it has made.
func TestSharedComesAndGoes(t *testing.T) {
	s := share(t, fakes(1))
	stays, c := s.engine(t), s.engine(t)
	stays.open(t) // so that the host and the server stay
	cycle := func(times int) {
		for i := range times {
			c.open(t)
			c.echo(t, "server-000", fmt.Sprintf(`{"n":%d}`, i))
			c.close(t)
		}
	}
	cycle(5)
	host := s.host(t)
	before, beforeEngine := useOf(t, host), useOf(t, c.cmd.Process.Pid)
	cycle(some(50, 1000))
	after, afterEngine := useOf(t, host), useOf(t, c.cmd.Process.Pid)
	t.Logf("the host: before %v; after %v\nthe engine: before %v; after %v", before, after, beforeEngine, afterEngine)
	room := 12 << 10 // in KiB, as what is used
	if built.WithRaceDetector() {
		room *= 4 // it keeps something about each piece of memory
	}
	for _, of := range [][2]use{{before, after}, {beforeEngine, afterEngine}} {
		if of[1].files > of[0].files+2 || of[1].children != of[0].children || of[1].threads > of[0].threads+8 ||
			of[1].memory > of[0].memory+room {
			t.Error("each open and close leaves something")
		}
	}
	if pids := s.run.processes(); len(pids) != 1 || s.host(t) != host {
		t.Errorf("the processes are %s", describe(pids))
	}
	stays.close(t)
	c.once(t)
	stays.once(t)
	if left := s.run.processes(); len(left) > 0 {
		t.Errorf("these processes still run: %s", describe(left))
	}
	s.endHosts(t)
	left, err := os.ReadDir(filepath.Dir(s.endpoint))
	if err != nil || len(left) != 1 || left[0].Name() != "host.lock" {
		t.Errorf("beside the lock, which stays, there are %v, %v", left, err)
	}
	if conn, err := net.Dial("unix", s.endpoint); err == nil {
		_ = conn.Close()
		t.Error("somebody listens")
	}
}
