// Package process runs one child process in a group of its own, and makes sure
// that the whole group is gone afterwards.
//
// MCP servers are often started through wrappers (npx, uvx, sh), so that the
// real server is a grandchild. Ending only the child would leave it behind.
//
//   - On Unix the child leads a new process group. Signals go to the group.
//   - On Windows the child, with all it starts, is in a Job Object that ends
//     with its last handle, and it gets no console window. Programs that it
//     has opened for the person, such as a browser, stay when it is stopped.
//
// A grandchild that leaves the group on purpose (setsid, a breakaway from the
// job) is beyond reach of this package. When this program is killed outright,
// Windows ends the job; elsewhere engine/guardian does. Linux's parent-death signal isn't used: it fires when
// the thread that started the child ends, and Go ends threads at will.
package process

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Default values of the graces in [Spec].
const (
	DefaultStdinGrace = 2 * time.Second
	DefaultTermGrace  = 2 * time.Second
)

// Spec says what to start.
type Spec struct {
	// Command is a name to be searched in the PATH of Env, or a path; a relative path starts at Dir.
	Command string
	Args    []string
	// Env is the complete environment, as "NAME=value".
	Env []string
	// Dir is the folder to start in; if empty, our own.
	Dir string
	// Session gives the process its own session, so that it cannot access our terminal. Shells need this: an
	// interactive shell would take over the terminal, or be stopped.
	Session bool
	// StdinGrace is how long [Process.Stop] waits after it has closed stdin. TermGrace is how long it waits
	// after SIGTERM; on Windows, which has no such signal, it is added to StdinGrace. Zero means the default,
	// negative none.
	StdinGrace, TermGrace time.Duration
	// Looks are shared by processes that may end together; nil: each looks for itself.
	Looks *Looks
	// Logger gets normal events at level Debug and unexpected ones at Warn; nil means no logging.
	Logger *slog.Logger
}

// Process is a started process. The caller must read stdout and stderr until they end, since the process
// blocks otherwise.
type Process struct {
	spec   Spec
	log    *slog.Logger
	cmd    *exec.Cmd
	group  *group
	stdin  *os.File
	stdout *output
	stderr *output

	exited  chan struct{} // the leader has ended
	done    chan struct{} // the group has ended too, and everything is cleaned up
	killNow chan struct{} // the group is to be killed at once
	killing sync.Once

	mu   sync.Mutex
	gone bool // the group's number may belong to other processes now

	exit error // set before done is closed
}

// Start starts a process. Its error can be shown to people. It wraps [ErrNotFound], [ErrNotExecutable] or
// [ErrNoFolder] if that is the reason.
func Start(spec Spec) (*Process, error) { return startIn(newGroup(), spec) }

// startIn starts a process in a group.
func startIn(g *group, spec Spec) (*Process, error) {
	if spec.Dir != "" {
		if info, err := os.Stat(spec.Dir); errors.Is(err, fs.ErrNotExist) {
			return nil, words.NewError("process.folder_missing", "Folder", spec.Dir).Because(ErrNoFolder)
		} else if err != nil {
			return nil, words.NewError("process.folder_unusable", "Folder", spec.Dir, "Why", paths.Cause(err))
		} else if !info.IsDir() {
			return nil, words.NewError("process.folder_is_file", "Folder", spec.Dir).Because(ErrNoFolder)
		}
	}
	path, err := LookPath(spec.Command, spec.Env, spec.Dir)
	if errors.Is(err, ErrNotFound) {
		if name, found, ok := NameAlone(spec.Command, spec.Env); ok {
			err = words.NewError("process.name_alone", "Command", spec.Command, "Name", name, "Path",
				found).Because(ErrNotFound)
		}
	}
	if err != nil {
		return nil, err
	}
	p := &Process{
		spec:    spec,
		log:     spec.Logger,
		cmd:     spec.command(path, spec.Command, spec.Args),
		group:   g,
		exited:  make(chan struct{}),
		done:    make(chan struct{}),
		killNow: make(chan struct{}),
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	err = p.start()
	if errors.Is(err, errNotAProgram) && shellScript(path) {
		p.cmd = spec.command(scriptShell, scriptShell, append([]string{path}, spec.Args...))
		err = p.start()
	}
	if err != nil {
		return nil, startError(spec.Command, path, err)
	}
	p.log.Debug("Process started", "command", spec.Command, "pid", p.Pid())
	if err := p.group.trouble(); err != nil {
		p.log.Warn("What a server starts may stay when it ends", "pid", p.Pid(), "error", err)
	}
	background.Go(p.supervise)
	return p, nil
}

// command returns the command for a program, which sees name as its own name.
func (spec Spec) command(path, name string, args []string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Args[0] = name
	cmd.Dir = spec.Dir
	cmd.Env = append([]string{}, spec.Env...) // never nil, which would mean our environment
	return cmd
}

// scriptShell runs scripts that do not begin with "#!", as execvp does, with which shells and Node.js start
// programs.
const scriptShell = "/bin/sh"

// shellScript reports whether a file that the system does not run may be a script. A program for another kind
// of computer is none: it has bytes that no text has.
func shellScript(path string) bool {
	if runtime.GOOS == "windows" {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, 256)
	n, _ := io.ReadFull(file, start)
	return n > 0 && !bytes.ContainsFunc(start[:n], func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f'
	})
}

// start makes the pipes and starts the command. The pipes are our own, since Wait closes those of exec.Cmd
// even if they were not read.
func (p *Process) start() (err error) {
	var files []*os.File
	pipe := func() (r, w *os.File) {
		if err == nil {
			if r, w, err = os.Pipe(); err == nil {
				files = append(files, r, w)
			}
		}
		return r, w
	}
	inR, inW := pipe()
	outR, outW := pipe()
	errR, errW := pipe()
	if err == nil {
		WidenPipe(outR)
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, errW
		err = p.group.start(p.cmd, p.spec.Session)
	}
	if err != nil {
		for _, file := range files {
			file.Close()
		}
		return err
	}
	for _, file := range []*os.File{inR, outW, errW} {
		file.Close()
	}
	p.stdin, p.stdout, p.stderr = inW, &output{file: outR}, &output{file: errR}
	return nil
}

// Stdin returns the write end of the process's stdin. On Unix it is an *os.File with support for deadlines.
// Closing it ends a running write.
func (p *Process) Stdin() io.WriteCloser { return p.stdin }

// Stdout returns the output of the process. The stream ends when all writers are gone, and at the latest soon
// after the process and its group have ended: a process outside the group that still holds it is not waited
// for. Only one goroutine may read it.
func (p *Process) Stdout() io.Reader { return p.stdout }

// Stderr is like [Process.Stdout].
func (p *Process) Stderr() io.Reader { return p.stderr }

// Pid returns the process id, which on Unix is also the id of its group.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done returns a channel that is closed when the process has ended, its group is gone, and nothing of them is
// left in the system's tables.
func (p *Process) Done() <-chan struct{} { return p.done }

// ExitError returns nil before [Process.Done] is closed. After that it returns how the process ended, such as
// "exited with status 1". It is an error even for status 0, since a server is not expected to end.
func (p *Process) ExitError() error {
	select {
	case <-p.done:
		return p.exit
	default:
		return nil
	}
}

// drainTime is how long a stream is read after the group is gone, if a process outside the group keeps it
// open.
const drainTime = 250 * time.Millisecond

// output is the read end of a pipe. It closes itself at the end of the stream.
type output struct {
	file   *os.File
	waited bool
}

// Read reads from the pipe. Every end is io.EOF: the different errors depend on the system and help nobody.
func (o *output) Read(p []byte) (int, error) {
	for {
		n, err := o.file.Read(p)
		if n > 0 {
			o.waited = false
			return n, nil
		}
		// The deadline set by release has passed, perhaps while nobody was reading. What is in the pipe must
		// not be lost.
		if errors.Is(err, os.ErrDeadlineExceeded) && !o.waited {
			o.waited = true
			if o.file.SetReadDeadline(time.Now().Add(drainTime)) == nil {
				continue
			}
		}
		if err != nil {
			o.file.Close()
			return 0, io.EOF
		}
		if len(p) == 0 {
			return 0, nil
		}
	}
}

// release makes sure that the stream ends, even if a process still holds it.
func (o *output) release() {
	if err := o.file.SetReadDeadline(time.Now().Add(drainTime)); errors.Is(err, os.ErrNoDeadline) {
		background.After(drainTime, func() { o.file.Close() })
	}
}
