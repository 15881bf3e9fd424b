//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// errNotAProgram is the system's error for a file that it cannot run.
const (
	errNotAProgram = syscall.ENOEXEC
	notAProgram    = words.Code("process.no_script_or_program")
)

// group is a process group; its number is the leader's process id.
type group struct{ id int }

func newGroup() *group { return &group{} }

// start starts the command as the leader of a new group, or of a new session, which is also a new group.
func (g *group) start(cmd *exec.Cmd, session bool) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !session, Setsid: session}
	if err := cmd.Start(); err != nil {
		return err
	}
	g.id = cmd.Process.Pid
	return nil
}

func (g *group) terminate() error { return g.signal(unix.SIGTERM) }
func (g *group) kill() error      { return g.signal(unix.SIGKILL) }
func (g *group) close()           {}
func (g *group) trouble() error   { return nil }

// signal sends a signal to all processes of the group. It is no error if the group is empty or only has
// processes that have ended (EPERM on macOS).
func (g *group) signal(signal unix.Signal) error {
	err := unix.Kill(-g.id, signal)
	if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EPERM) {
		return nil
	}
	return err
}

// exitError returns how a process ended.
func exitError(state *os.ProcessState, err error) error {
	if state == nil {
		return errors.Join(errNoState, err)
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return words.NewError("process.killed", "Signal", unix.SignalName(status.Signal()))
	}
	return words.NewError("process.exited", "Status", state.ExitCode())
}
