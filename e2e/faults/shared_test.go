//go:build linux

package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// sharing is a configuration of servers that engines share, with a host of their own.
type sharing struct {
	home, endpoint, file string
	run                  runID
}

// share lets engines share these servers.
func share(t testing.TB, of servers) *sharing {
	t.Helper()
	folder, err := os.MkdirTemp("", "wb") // the path from t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	s := &sharing{home: t.TempDir(), endpoint: filepath.Join(folder, "run", "host.sock")}
	t.Cleanup(func() {
		for _, pid := range s.hosts() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = os.RemoveAll(folder)
	})
	for _, entry := range of {
		entry["share"] = true
	}
	s.file, s.run = of.save(t)
	return s
}

// engine starts an engine.
func (s *sharing) engine(t testing.TB, args ...string) *client {
	t.Helper()
	return connect(t, s.command(t, args...))
}

func (s *sharing) command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, s.file, append(args, "--host", s.endpoint)...)
	cmd.Env = surroundings(s.home)
	return cmd
}

// answering starts an engine for an app that answers what servers ask, by method.
func (s *sharing) answering(t testing.TB, app map[string]string) *client {
	t.Helper()
	c := begin(t, s.command(t))
	c.mu.Lock()
	c.app = app
	c.mu.Unlock()
	c.greet(t)
	return c
}

// hosts returns the processes of the host.
func (s *sharing) hosts() (pids []int) {
	for _, pid := range allProcesses() {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if bytes.Contains(line, []byte("\x00--stay\x00"+s.endpoint+"\x00")) && state(pid) != "Z" {
			pids = append(pids, pid)
		}
	}
	return pids
}

// host returns the process of the host. Others that were started at the same moment have ended then.
func (s *sharing) host(t testing.TB) int {
	t.Helper()
	var pids []int
	eventually(t, "there is one host", patience, func() bool {
		pids = s.hosts()
		return len(pids) == 1
	})
	return pids[0]
}

// echo calls the tool echo of a server and checks the answer.
func (c *client) echo(t testing.TB, server, arguments string) {
	t.Helper()
	a := c.ask(t, "tools/call", useTool(server, "echo", json.RawMessage(arguments)))
	if !bytes.Contains(a.Result, []byte(`"structuredContent":`+arguments)) {
		t.Errorf("the answer is %s%s\n%s", a.Error, a.Result, c.said.String())
	}
}

// TestSharedServers: five engines use one process for each shared server, which ends with the last of them.
func TestSharedServers(t *testing.T) {
	three := servers{}
	for i := range 3 {
		three[fmt.Sprintf("server-%d", i)] = fake(fakeserver.Script{Name: fmt.Sprint(i)})
	}
	s := share(t, three)
	var engines []*client
	for range 5 {
		engines = append(engines, s.engine(t))
	}
	var opening []<-chan answer // all at once, so that several engines start the host
	for _, c := range engines {
		came, err := c.send("tools/call", toolCall("open_toolbox", map[string]any{"toolbox_name": "dev"}))
		if err != nil {
			t.Fatal(err)
		}
		opening = append(opening, came)
	}
	for _, came := range opening {
		if a := wait(t, came); a.isError() {
			t.Fatalf("open_toolbox: %s%s", a.Error, a.Result)
		}
	}
	if pids := s.run.processes(); len(pids) != 3 {
		t.Errorf("the processes of three shared servers are %s", describe(pids))
	}
	for i, c := range engines {
		for server := range 3 {
			c.echo(t, fmt.Sprintf("server-%d", server), fmt.Sprintf(`{"engine":%d,"server":%d}`, i, server))
		}
	}
	host := s.host(t)
	if parent := stat(host)[1]; parent == fmt.Sprint(engines[0].cmd.Process.Pid) {
		t.Error("the host is a child of an engine, and ends with the app of that engine")
	}
	engines[0].kill(t) // the host stays
	for _, c := range engines[1:4] {
		c.close(t)
	}
	engines[4].echo(t, "server-0", `{"last":true}`)
	engines[4].close(t)
	if pids := s.run.processes(); len(pids) != 0 {
		t.Errorf("after the last engine has closed the toolbox, there are %s", describe(pids))
	}
	for _, c := range engines[1:] {
		if err := c.leave(t); err != nil {
			t.Error(err)
		}
		c.once(t)
	}
	if s.host(t) != host {
		t.Error("the host was started again")
	}
}

// TestSharedHostGone ends the host in several ways while 50 calls of two engines are in progress. Each is answered
// once, by the sentence that its outcome is not known. Then each engine runs the server for itself, and shares it
// again when the toolbox is opened once more.
func TestSharedHostGone(t *testing.T) {
	ways := map[string]func(host int){
		"killed":     func(host int) { signalTo(t, host, syscall.SIGKILL) },
		"terminated": func(host int) { signalTo(t, host, syscall.SIGTERM) },
	}
	if *long > 0 { // it takes half a minute until it is given up
		ways["stopped"] = func(host int) { signalTo(t, host, syscall.SIGSTOP) }
	}
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			calls := filepath.Join(t.TempDir(), "calls")
			s := share(t, servers{"slow": fake(fakeserver.Script{CallLog: calls})})
			engines := []*client{s.engine(t), s.engine(t)}
			var came []<-chan answer
			for _, c := range engines {
				c.open(t)
				for range 25 {
					answer, err := c.send("tools/call", useTool("slow", "echo", map[string]any{"delayMs": 3600_000}))
					if err != nil {
						t.Fatal(err)
					}
					came = append(came, answer)
				}
			}
			count := func() int {
				text, _ := os.ReadFile(calls)
				return bytes.Count(text, []byte("\n"))
			}
			eventually(t, "the server has all calls", patience, func() bool { return count() == 50 })
			host := s.host(t)
			end(host)
			for _, answered := range came {
				a := wait(t, answered)
				if !bytes.Contains(a.Result, []byte("the outcome is not known")) ||
					!bytes.Contains(a.Result, []byte(`"outcome":"unknown"`)) {
					t.Errorf("a call was answered with %s%s", a.Error, a.Result)
				}
			}
			for i, c := range engines {
				c.echo(t, "slow", fmt.Sprintf(`{"alone":%d}`, i))
				if n := strings.Count(c.said.String(), "Server is not shared"); n != 1 {
					t.Errorf("the engine says %d times that it runs the server for itself\n%s", n, c.said.String())
				}
			}
			if n := count(); n != 52 {
				t.Errorf("the server got %d calls, want 52: none is made again", n)
			}
			_ = syscall.Kill(host, syscall.SIGKILL) // where it was only stopped
			eventually(t, "the shared server has ended", orphanLimit, func() bool { return len(s.run.processes()) == 2 })
			for _, c := range engines {
				c.close(t)
				c.open(t)
				c.echo(t, "slow", `{"shared":true}`)
			}
			if pids := s.run.processes(); len(pids) != 1 {
				t.Errorf("shared again, the processes are %s", describe(pids))
			}
			for _, c := range engines {
				c.once(t)
			}
		})
	}
}

// TestSharedSeen: the app learns from each engine that a server is shared, with the same process, also after the host
// was lost, and from one that runs it for itself, why.
func TestSharedSeen(t *testing.T) {
	s := share(t, fakes(1))
	link := filepath.Join(filepath.Dir(filepath.Dir(s.endpoint)), "link.sock")
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: link, Program: "faults"})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = hub.Run(t.Context()) }()
	engines := []*client{s.engine(t, "--link", link), s.engine(t, "--link", link)}
	seen := func() (servers []status.Server) {
		for _, engine := range hub.Engines() {
			for _, server := range engine.Servers {
				if server.State == status.Connected {
					servers = append(servers, server)
				}
			}
		}
		return servers
	}
	for _, c := range engines {
		c.open(t)
	}
	eventually(t, "both engines say that they share a process", patience, func() bool {
		servers := seen()
		return len(servers) == 2 && servers[0].Process.Shared && servers[1].Process.Shared && servers[0].Process.Pid > 0 &&
			servers[0].Process.Pid == servers[1].Process.Pid
	})
	signalTo(t, s.host(t), syscall.SIGKILL)
	eventually(t, "both engines have lost it", patience, func() bool {
		return !slices.ContainsFunc(seen(), func(server status.Server) bool { return server.Process.Shared })
	})
	for _, c := range engines {
		c.echo(t, "server-000", `{"a":1}`)
	}
	eventually(t, "both engines say why they run it alone", patience, func() bool {
		servers := seen()
		return len(servers) == 2 && !servers[0].Process.Shared && servers[0].Process.Alone.Code == "pool.ended" &&
			servers[1].Process.Alone.Code == "pool.ended"
	})
	for _, c := range engines {
		c.close(t)
		c.open(t)
	}
	eventually(t, "they share it again", patience, func() bool {
		servers := seen()
		return len(servers) == 2 && servers[0].Process.Shared && servers[1].Process.Shared &&
			servers[0].Process.Alone.IsZero() && servers[0].Process.Pid == servers[1].Process.Pid
	})
}

// TestSharedNowhere: if the socket cannot be made, each engine runs the servers for itself, and says why.
func TestSharedNowhere(t *testing.T) {
	for name, spoil := range map[string]func(s *sharing){
		"no folder": func(s *sharing) {
			if err := os.WriteFile(filepath.Dir(s.endpoint), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"too long a path": func(s *sharing) {
			s.endpoint = filepath.Join(filepath.Dir(s.endpoint), strings.Repeat("x", 200), "host.sock")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := share(t, fakes(1))
			spoil(s)
			c := s.engine(t)
			c.open(t)
			c.echo(t, "server-000", `{"a":1}`)
			if said := c.said.String(); strings.Count(said, "Server is not shared") != 1 {
				t.Errorf("the engine says %s", said)
			}
		})
	}
}

// TestSharedStale: a socket that a host has left behind keeps nobody from sharing.
func TestSharedStale(t *testing.T) {
	s := share(t, fakes(1))
	if err := os.Mkdir(filepath.Dir(s.endpoint), 0o700); err != nil {
		t.Fatal(err)
	}
	left, err := net.Listen("unix", s.endpoint)
	if err != nil {
		t.Fatal(err)
	}
	left.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = left.Close()
	for range 2 {
		c := s.engine(t)
		c.open(t)
		c.echo(t, "server-000", `{"a":1}`)
	}
	if pids := s.run.processes(); len(pids) != 1 {
		t.Errorf("the processes are %s", describe(pids))
	}
}
