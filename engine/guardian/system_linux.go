package guardian

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// needed reports whether this system needs a guardian.
const needed = true

// maxEnviron is how much of an environment is read, in bytes. Linux allows at most 6 MiB for arguments and
// environment together.
const maxEnviron = 6 << 20

// system is this computer, as /proc shows it.
type system struct{}

// self returns the path of this program, which works even if its file was replaced meanwhile.
func self() string { return "/proc/self/exe" }

// bootID identifies the current boot of the system.
func bootID() (string, error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.ReplaceAll(strings.TrimSpace(string(text)), "-", ""), err
}

func (system) processes() []proc {
	stats, err := process.ReadStats()
	if err != nil {
		return nil
	}
	own := os.Getpid()
	var all []proc
	for _, s := range stats {
		if s.PID != own {
			all = append(all, understood(s))
		}
	}
	return all
}

// look returns what the system knows about a process.
func look(pid int) (proc, error) {
	s, err := process.ReadStat(pid)
	return understood(s), err
}

func understood(s process.Stat) proc {
	return proc{pid: s.PID, parent: s.Parent, group: s.Group, session: s.Session, started: s.Started, dead: s.Dead}
}

func (system) marks(p proc) []string {
	file, err := os.Open("/proc/" + strconv.Itoa(p.pid) + "/environ")
	if err != nil {
		return nil // it belongs to another user, or has ended
	}
	defer file.Close()
	environ, err := io.ReadAll(io.LimitReader(file, maxEnviron))
	if err != nil {
		return nil
	}
	var found []string
	for len(environ) > 0 {
		variable, rest, _ := bytes.Cut(environ, []byte{0})
		if value, ok := bytes.CutPrefix(variable, []byte(Variable+"=")); ok {
			found = marks(string(value)) // the last one counts
		}
		environ = rest
	}
	return found
}

// gone judges only processes in our own PID namespace: those in a container have an engine of their own
// there.
func (system) gone(p proc, m mark) bool {
	boot, err := bootID()
	if err != nil || boot != m.boot {
		return false
	}
	own, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return false
	}
	if theirs, err := os.Readlink("/proc/" + strconv.Itoa(p.pid) + "/ns/pid"); err != nil || theirs != own {
		return false
	}
	engine, err := look(m.engine)
	if err == nil {
		return engine.dead || engine.started != m.started
	}
	return errors.Is(unix.Kill(m.engine, 0), unix.ESRCH) // or it is hidden from us
}

func (system) signal(p proc, s syscall.Signal) {
	// The descriptor refers to the process that has the id now. If that process is ours, no other one can be
	// hit.
	handle, err := unix.PidfdOpen(p.pid, 0)
	if err == nil {
		defer unix.Close(handle)
	} else if errors.Is(err, unix.ESRCH) {
		return
	}
	if now, lookErr := look(p.pid); lookErr != nil || now.started != p.started {
		return
	}
	if err == nil {
		_ = unix.PidfdSendSignal(handle, s, nil, 0) // it may have ended, or belong to another user now
	} else {
		_ = unix.Kill(p.pid, s) // systems older than Linux 5.3
	}
}
