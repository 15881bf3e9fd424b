// Package guardian ends the processes of servers if the program that started them could not, because it
// crashed or was killed, for example by the system when memory ran out.
//
// The guardian is this program, started a second time in a mode that does nothing else. It waits on a pipe
// whose other end only its engine has, so it notices the end of the engine, however it ended. It then finds
// the processes of the servers, gives them a moment to exit, sends them SIGTERM, and finally kills them.
//
// A process is ended only when it is proven to be ours:
//
//   - it is a server that the engine told of, with the same time of start, or
//   - its environment has the mark of the engine ([Variable]), which what a server starts inherits, also beyond setsid, or
//   - its parent, the leader of its group or that of its session is such a process.
//
// The mark identifies the engine by its process id, its start time and the boot of the system. So the
// guardian of another engine can also end the servers of an engine that was killed together with its
// guardian.
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

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Command is the argument that starts the program as a guardian.
const Command = "guardian"

const (
	// linger is how long a guardian is kept after the last server has ended, since the next server often
	// follows soon.
	linger = time.Second
	// writeLimit limits a write to the guardian. A guardian that does not read in time is replaced.
	writeLimit = 200 * time.Millisecond
	// closeLimit is how long [Starter.Close] waits for the guardian.
	closeLimit = 3 * time.Second
	// pause is the time between two starts if a guardian ends at once.
	pause = time.Second
)

// Options say how guardians are started. The zero value works.
type Options struct {
	// Program is started as the guardian; empty means this program. It must call [Run] before anything else.
	Program string
	Logger  *slog.Logger // nil: no logging
}

// Starter starts servers so that they end with this program, however it ends. It is safe for concurrent use. A
// nil Guard starts servers without watching them.
type Starter struct {
	options Options
	mark    string
	looks   process.Looks

	mu        sync.Mutex
	servers   map[int]uint64 // running servers with their start times
	users     int            // the number of servers that run or are being started
	pipe      *os.File       // to the guardian; nil if there is none
	guardian  *exec.Cmd
	ended     chan struct{} // closed when the guardian has ended
	idle      *time.Timer
	closed    bool
	abandoned bool // it was logged that no guardian starts or stays
}

// New returns a guard. The guardian is started together with the first server. The caller must call
// [Starter.Close]. New returns nil on systems that need no guardian.
func New(options Options) *Starter {
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
	return &Starter{options: options, mark: mark, servers: map[int]uint64{}}
}

// Start starts a server like [process.Start].
func (s *Starter) Start(spec process.Spec) (*process.Process, error) {
	if s == nil {
		return process.Start(spec)
	}
	s.begin()
	spec.Env = append(spec.Env[:len(spec.Env):len(spec.Env)], marked(spec.Env, s.mark))
	spec.Looks = &s.looks
	started, err := process.Start(spec)
	if err != nil {
		s.forget(0)
		return nil, err
	}
	s.remember(started)
	background.Go(func() {
		<-started.Done()
		s.forget(started.Pid())
	})
	return started, nil
}

// begin makes sure that there is a guardian.
func (s *Starter) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users++
	if s.idle != nil {
		s.idle.Stop()
		s.idle = nil
	}
	if s.pipe == nil && !s.closed {
		s.launch()
	}
}

// remember tells the guardian about a server.
func (s *Starter) remember(started *process.Process) {
	p, err := look(started.Pid())
	if err != nil || p.parent != os.Getpid() {
		return // it has ended already, and its id may belong to another process
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.servers[p.pid] = p.started
	s.tell(fmt.Sprintf("+ %d %d\n", p.pid, p.started))
}

// forget undoes remember or begin.
func (s *Starter) forget(pid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	if _, known := s.servers[pid]; known {
		delete(s.servers, pid)
		s.tell(fmt.Sprintf("- %d\n", pid))
	}
	if s.users == 0 && s.pipe != nil && !s.closed {
		s.idle = background.After(linger, s.release)
	}
}

// release ends the guardian if no process of ours is left.
func (s *Starter) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users > 0 || s.closed || s.pipe == nil || len(find(system{}, seeds{mark: s.mark})) > 0 {
		return
	}
	s.tell(farewell)
	s.drop()
}

// launch starts a guardian and tells it about all servers. The caller must hold mu.
func (s *Starter) launch() {
	read, write, err := os.Pipe() // both ends are closed in the programs that we start
	if err != nil {
		s.abandon(err)
		return
	}
	defer read.Close()
	// The mark is in the pipe before the guardian starts: if we are killed in the next moment, it finds the servers by
	// it.
	if _, err := write.WriteString("= " + s.mark + "\n"); err != nil {
		write.Close()
		s.abandon(err)
		return
	}
	cmd := exec.Command(cmp.Or(s.options.Program, self()), Command)
	cmd.Args[0] = cmp.Or(s.options.Program, os.Args[0])
	cmd.Stdin, cmd.Dir, cmd.Env, cmd.SysProcAttr = read, "/", environment(os.Getenv), apart()
	if err := cmd.Start(); err != nil {
		write.Close()
		s.abandon(err)
		return
	}
	ended := make(chan struct{})
	s.pipe, s.guardian, s.ended = write, cmd, ended
	s.options.Logger.Debug("Guardian started", "pid", cmd.Process.Pid)
	begun := time.Now()
	background.Go(func() { s.watch(cmd, ended, begun) })
	for pid, started := range s.servers {
		s.tell(fmt.Sprintf("+ %d %d\n", pid, started))
	}
}

// abandon logs, once, that there is no guardian.
func (s *Starter) abandon(err error) {
	if !s.abandoned {
		s.abandoned = true
		s.options.Logger.Warn("No guardian can be started: servers would outlive a crash", "error", err)
	}
}

// watch waits for the end of a guardian, and starts another one while there are servers.
func (s *Starter) watch(cmd *exec.Cmd, ended chan struct{}, begun time.Time) {
	err := cmd.Wait()
	close(ended)
	short := time.Since(begun) < pause
	if s.lost(cmd, err, short) && short {
		time.Sleep(pause) // the next one would probably not stay either
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users > 0 && s.pipe == nil && !s.closed {
		s.launch()
	}
}

// lost records that a guardian has ended by itself, and reports whether it was the current one. short is set
// if it did not run for long.
func (s *Starter) lost(cmd *exec.Cmd, err error, short bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guardian != cmd || s.pipe == nil || s.closed {
		return false
	}
	s.drop()
	if !short || !s.abandoned {
		s.options.Logger.Warn("The guardian of the servers has ended", "pid", cmd.Process.Pid, "reason", err)
	}
	s.abandoned = s.abandoned || short
	return true
}

// tell writes a line to the guardian. If the guardian does not read, it is killed and replaced. The caller
// must hold mu.
func (s *Starter) tell(line string) {
	if s.pipe == nil {
		return
	}
	_ = s.pipe.SetWriteDeadline(time.Now().Add(writeLimit)) // pipes have deadlines
	if _, err := s.pipe.WriteString(line); err != nil {
		_ = s.guardian.Process.Kill() // it may have ended
	}
}

// drop closes our end of the pipe. The caller must hold mu.
func (s *Starter) drop() {
	s.pipe.Close()
	s.pipe = nil
}

// Close makes the guardian end what is left of the servers, and returns when that is done. Servers should be
// stopped before. A guardian that is too slow continues by itself.
func (s *Starter) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.closed = true
	if s.idle != nil {
		s.idle.Stop()
	}
	var ended chan struct{}
	if s.pipe != nil {
		s.drop()
		ended = s.ended
	}
	s.mu.Unlock()
	if ended == nil {
		return
	}
	select {
	case <-ended:
	case <-time.After(closeLimit):
	}
}

// environment returns the environment of a guardian: variables that keep it small, and those that tests need.
func environment(getenv func(string) string) []string {
	env := []string{"GOMAXPROCS=1", "GOGC=20"}
	for _, name := range []string{"GORACE", "GOCOVERDIR"} {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
