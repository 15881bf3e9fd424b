package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// process is one process of this computer. Its start time distinguishes it from a later process with the same
// id.
type process struct {
	pid, parent int
	state       string
	started     string
	command     string
}

// processes returns the processes that /proc lists.
func processes(t *testing.T) []process {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var all []process
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		// The format is "pid (command) state parent …". The command may contain any text, so look for its end
		// from the right.
		text := string(raw)
		open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
		fields := strings.Fields(text[end+1:])
		p := process{command: text[open+1 : end], state: fields[0], started: fields[19]}
		fmt.Sscan(text[:open], &p.pid)
		fmt.Sscan(fields[1], &p.parent)
		all = append(all, p)
	}
	return all
}

// descendants returns the children of pid, their children, and so on.
func descendants(t *testing.T, pid int) []process {
	t.Helper()
	all := processes(t)
	var found []process
	for next := []int{pid}; len(next) > 0; next = next[1:] {
		for _, p := range all {
			if p.parent == next[0] {
				found = append(found, p)
				next = append(next, p.pid)
			}
		}
	}
	return found
}

// alive returns the known processes that are still running. A zombie is not running.
func alive(t *testing.T, known []process) []process {
	t.Helper()
	var left []process
	for _, p := range processes(t) {
		for _, k := range known {
			if p.pid == k.pid && p.started == k.started && p.state != "Z" && p.state != "X" {
				left = append(left, p)
			}
		}
	}
	return left
}

// TestNothingStaysBehind ends the engine in every possible way and checks that no server is left. Some of the servers
// are started through wrappers, as npx does.
func TestNothingStaysBehind(t *testing.T) {
	needNPM(t)
	if runtime.GOOS != "linux" {
		t.Skip("this test reads /proc")
	}
	for _, tt := range []struct {
		name string
		end  func(t *testing.T, c *client)
	}{
		{"the client closes", func(t *testing.T, c *client) { c.close() }},
		{"the client is killed", func(t *testing.T, c *client) {
			if err := c.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}},
		{"SIGTERM", func(t *testing.T, c *client) { signal(t, c.pid, syscall.SIGTERM) }},
		{"SIGINT", func(t *testing.T, c *client) { signal(t, c.pid, syscall.SIGINT) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t)
			npx := func(server string, args ...string) object {
				return object{"command": "npx", "args": append([]string{"--no", "mcp-server-" + server}, args...),
					"cwd": npmPath(), "startupTimeout": 120}
			}
			// The other servers end when their stdin ends. This one has a child that does not.
			everything := w.direct("everything")
			stubborn := object{"command": "sh",
				"args": append([]string{"-c", `sleep 600 & exec "$0" "$@"`, everything.command}, everything.args...)}
			c := libraries()[0].connect(t, w.save(ordered{
				{"dev", object{"mcpServers": ordered{
					{"everything", w.entry("dev", "everything")},
					{"npx", npx("filesystem", w.files)},
				}}},
				{"other", object{"mcpServers": ordered{
					{"memory", w.entry("other", "memory")},
					{"stubborn", stubborn},
				}}},
			}))
			if got := descendants(t, c.pid); len(got) > 0 {
				t.Errorf("the engine has children before a toolbox is open: %v", got)
			}
			for toolbox, servers := range map[string]int{"dev": 2, "other": 2} {
				if got := c.open(toolbox); got.ServersConnected != servers {
					t.Fatalf("%s: %d servers are connected, want %d: %q", toolbox, got.ServersConnected, servers, got.Errors)
				}
			}
			// There are at least two recorders with one server each, npx with its server, and the stubborn
			// server with its child.
			known := descendants(t, c.pid)
			if len(known) < 8 {
				t.Fatalf("the engine has too few descendants: %v", known)
			}
			for _, p := range processes(t) {
				if p.pid == c.pid {
					known = append(known, p)
				}
			}
			if got := alive(t, known); len(got) != len(known) {
				t.Fatalf("of the processes %v, only %v run", known, got)
			}
			tt.end(t, c)
			var left []process
			defer func() {
				if t.Failed() {
					t.Logf("these processes still run: %v", left)
				}
			}()
			eventually(t, "all processes are gone", func() bool {
				left = alive(t, known)
				return len(left) == 0
			})
		})
	}
}

// TestCloseToolboxEndsServers: closing a toolbox ends its processes, and no processes of other toolboxes.
func TestCloseToolboxEndsServers(t *testing.T) {
	needNPM(t)
	if runtime.GOOS != "linux" {
		t.Skip("this test reads /proc")
	}
	t.Parallel()
	w := newWorkshop(t)
	c := libraries()[0].connect(t, w.standard())
	c.open("files")
	files := descendants(t, c.pid)
	c.open("dev")
	c.call("close_toolbox", object{"toolbox_name": "dev"})
	var left []process
	eventually(t, "only the other toolbox has processes", func() bool {
		left = descendants(t, c.pid)
		return len(left) == len(files)
	})
	if got := alive(t, files); len(got) != len(files) {
		t.Errorf("of the processes %v of the other toolbox, only %v run", files, got)
	}
}

func signal(t *testing.T, pid int, sig os.Signal) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Signal(sig); err != nil {
		t.Fatal(err)
	}
}
