// Package guardian ends the processes of servers when the program that started them could not: it was killed, it crashed, or the
// system took its memory back.
//
// The guardian is this program, started once more in a mode that does nothing else. It waits on a pipe whose other end only its
// engine has, so it learns of the engine's end, whatever ended it. Then it looks for the processes of the servers, gives them a moment
// to leave, asks them, and kills them.
//
// A process is ended only when it is proven to be ours:
//
//   - it is a server that the engine told of, with the same time of start, or
//   - its environment has the mark of the engine ([Variable]), which what a server starts inherits, also beyond setsid, or
//   - its parent, the leader of its group or that of its session is such a process.
//
// The mark names the engine by process id, time of start and boot of the system. So the guardian of another engine also finds what is
// left of an engine that was killed together with its guardian.
//
// On Windows, the Job Object of engine/process does all of this, and there is no guardian.
package guardian

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Command is the argument that makes the program a guardian.
const Command = "guardian"

const (
	// linger is how long a guardian is kept after the last server has ended: most often the next one follows.
	linger = time.Second
	// writeLimit is how long a guardian may take to read what it is told. One that takes longer is replaced.
	writeLimit = 200 * time.Millisecond
	// closeLimit is how long [Guard.Close] waits for the guardian.
	closeLimit = 3 * time.Second
	// pause lies between two starts of a guardian that does not stay.
	pause = time.Second
)

// Options say how to start guardians. The zero value works.
type Options struct {
	// Program is what is started as guardian; empty means this program. It must call [Run] before anything else.
	Program string
	Logger  *slog.Logger // nil: says nothing
}

// Guard starts servers so that they end with this program, whatever ends it. Its methods can be called from any goroutine. A nil Guard
// starts servers, and does not watch over them.
type Guard struct {
	options Options
	mark    string
	looks   process.Looks

	mu        sync.Mutex
	servers   map[int]uint64 // those that run, with their time of start
	users     int            // servers that run or are being started
	pipe      *os.File       // to the guardian; nil when there is none
	guardian  *exec.Cmd
	ended     chan struct{} // the guardian has ended
	idle      *time.Timer
	closed    bool
	abandoned bool // it was said, once, that no guardian starts or stays
}

// New returns a guard. A guardian is started with the first server only. The caller owns the guard and must call [Guard.Close].
// It returns nil where the system needs no guardian.
func New(options Options) *Guard {
	if !needed {
		return nil
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	mark, err := newMark()
	if err != nil {
		options.Logger.Warn("Servers would outlive a crash", "error", err)
		return nil
	}
	return &Guard{options: options, mark: mark, servers: map[int]uint64{}}
}

// Start is [process.Start] for a server.
func (g *Guard) Start(spec process.Spec) (*process.Process, error) {
	if g == nil {
		return process.Start(spec)
	}
	g.begin()
	spec.Env = append(spec.Env[:len(spec.Env):len(spec.Env)], marked(spec.Env, g.mark))
	spec.Looks = &g.looks
	started, err := process.Start(spec)
	if err != nil {
		g.forget(0)
		return nil, err
	}
	g.remember(started)
	go func() {
		<-started.Done()
		g.forget(started.Pid())
	}()
	return started, nil
}

// begin makes sure that there is a guardian.
func (g *Guard) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.users++
	if g.idle != nil {
		g.idle.Stop()
		g.idle = nil
	}
	if g.pipe == nil && !g.closed {
		g.launch()
	}
}

// remember tells the guardian of a server.
func (g *Guard) remember(started *process.Process) {
	p, err := look(started.Pid())
	if err != nil || p.parent != os.Getpid() {
		return // it has ended already, and its id may be another's
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.servers[p.pid] = p.started
	g.tell(fmt.Sprintf("+ %d %d\n", p.pid, p.started))
}

// forget takes back that a server runs or is being started.
func (g *Guard) forget(pid int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.users--
	if _, known := g.servers[pid]; known {
		delete(g.servers, pid)
		g.tell(fmt.Sprintf("- %d\n", pid))
	}
	if g.users == 0 && g.pipe != nil && !g.closed {
		g.idle = time.AfterFunc(linger, g.release)
	}
}

// release lets the guardian go when no process of ours is left. While there is one, it is kept for that.
func (g *Guard) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.users > 0 || g.closed || g.pipe == nil || len(find(system{}, seeds{mark: g.mark})) > 0 {
		return
	}
	g.tell(farewell)
	g.drop()
}

// launch starts a guardian and tells it of all servers. The caller holds mu.
func (g *Guard) launch() {
	read, write, err := os.Pipe() // both ends are closed in the programs that we start
	if err != nil {
		g.abandon(err)
		return
	}
	defer read.Close()
	cmd := exec.Command(cmp.Or(g.options.Program, self()), Command)
	cmd.Args[0] = cmp.Or(g.options.Program, os.Args[0])
	cmd.Stdin, cmd.Dir, cmd.Env, cmd.SysProcAttr = read, "/", environment(os.Getenv), apart()
	if err := cmd.Start(); err != nil {
		write.Close()
		g.abandon(err)
		return
	}
	ended := make(chan struct{})
	g.pipe, g.guardian, g.ended = write, cmd, ended
	g.options.Logger.Debug("Guardian started", "pid", cmd.Process.Pid)
	go g.watch(cmd, ended, time.Now())
	g.tell("= " + g.mark + "\n")
	for pid, started := range g.servers {
		g.tell(fmt.Sprintf("+ %d %d\n", pid, started))
	}
}

// abandon says, once, that there is no guardian.
func (g *Guard) abandon(err error) {
	if !g.abandoned {
		g.abandoned = true
		g.options.Logger.Warn("No guardian can be started: servers would outlive a crash", "error", err)
	}
}

// watch waits for the end of a guardian, and starts another one while there are servers.
func (g *Guard) watch(cmd *exec.Cmd, ended chan struct{}, begun time.Time) {
	err := cmd.Wait()
	close(ended)
	short := time.Since(begun) < pause
	if g.lost(cmd, err, short) && short {
		time.Sleep(pause) // the next one would not stay either
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.users > 0 && g.pipe == nil && !g.closed {
		g.launch()
	}
}

// lost forgets a guardian that has ended by itself, and reports whether it was ours. short tells that it was not there for long.
func (g *Guard) lost(cmd *exec.Cmd, err error, short bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.guardian != cmd || g.pipe == nil || g.closed {
		return false
	}
	g.drop()
	if !short || !g.abandoned {
		g.options.Logger.Warn("The guardian of the servers has ended", "pid", cmd.Process.Pid, "reason", err)
	}
	g.abandoned = g.abandoned || short
	return true
}

// tell writes a line to the guardian. One that does not read is ended, and another one takes its place. The caller holds mu.
func (g *Guard) tell(line string) {
	if g.pipe == nil {
		return
	}
	_ = g.pipe.SetWriteDeadline(time.Now().Add(writeLimit)) // pipes have deadlines
	if _, err := g.pipe.WriteString(line); err != nil {
		_ = g.guardian.Process.Kill() // it may have ended
	}
}

// drop closes our end of the pipe. The caller holds mu.
func (g *Guard) drop() {
	g.pipe.Close()
	g.pipe = nil
}

// Close has the guardian end what is left of the servers, and returns when it has. Servers are to be ended before. A guardian that does
// not get done goes on by itself.
func (g *Guard) Close() {
	if g == nil {
		return
	}
	g.mu.Lock()
	g.closed = true
	if g.idle != nil {
		g.idle.Stop()
	}
	var ended chan struct{}
	if g.pipe != nil {
		g.drop()
		ended = g.ended
	}
	g.mu.Unlock()
	if ended == nil {
		return
	}
	select {
	case <-ended:
	case <-time.After(closeLimit):
	}
}

// environment is that of a guardian: what keeps it small, and what tests want to know of programs.
func environment(getenv func(string) string) []string {
	env := []string{"GOMAXPROCS=1", "GOGC=20"}
	for _, name := range []string{"GORACE", "GOCOVERDIR"} {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
