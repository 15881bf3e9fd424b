package guardian

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// needed reports whether this system needs a guardian.
const needed = true

// zombie is the state of a process that has ended (SZOMB).
const zombie = 5

// system is this computer.
type system struct{}

// self returns the path of this program.
func self() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

// bootID identifies the current boot of the system.
func bootID() (string, error) {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	return strings.ReplaceAll(id, "-", ""), err
}

func (system) processes() []proc {
	entries, err := unix.SysctlKinfoProcSlice("kern.proc.uid", os.Getuid())
	if err != nil {
		return nil
	}
	own := os.Getpid()
	var all []proc
	for i := range entries {
		if p := understood(&entries[i]); p.pid != own {
			all = append(all, p)
		}
	}
	return all
}

// look returns what the system knows about a process.
func look(pid int) (proc, error) {
	entry, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return proc{}, err
	}
	return understood(entry), nil
}

func understood(entry *unix.KinfoProc) proc {
	p := proc{
		pid: int(entry.Proc.P_pid), parent: int(entry.Eproc.Ppid), group: int(entry.Eproc.Pgid),
		started: uint64(entry.Proc.P_starttime.Sec)*1_000_000 + uint64(entry.Proc.P_starttime.Usec),
		dead:    entry.Proc.P_stat == zombie,
	}
	p.session, _ = unix.Getsid(p.pid) // 0 if it has ended meanwhile
	return p
}

func (system) marks(p proc) []string {
	// The text has the number of arguments, the path of the program, zeros, the arguments and, if the system
	// shows it, the environment.
	text, err := unix.SysctlRaw("kern.procargs2", p.pid)
	if err != nil || len(text) < 4 {
		return nil
	}
	left := int(binary.NativeEndian.Uint32(text))
	_, text, _ = bytes.Cut(text[4:], []byte{0})
	text = bytes.TrimLeft(text, "\x00")
	var found []string
	for len(text) > 0 {
		var word []byte
		word, text, _ = bytes.Cut(text, []byte{0})
		if left > 0 {
			left--
			continue
		}
		if value, ok := bytes.CutPrefix(word, []byte(Variable+"=")); ok {
			found = marks(string(value)) // the last one counts
		}
	}
	return found
}

func (system) gone(_ proc, m mark) bool {
	boot, err := bootID()
	if err != nil || boot != m.boot {
		return false
	}
	if engine, err := look(m.engine); err == nil {
		return engine.dead || engine.started != m.started
	}
	return errors.Is(unix.Kill(m.engine, 0), unix.ESRCH)
}

// signal is not atomic: between look and kill the process could end and its id be reused. This system assigns
// ids in order, so that takes far longer.
func (system) signal(p proc, s syscall.Signal) {
	if now, err := look(p.pid); err == nil && now.started == p.started {
		_ = unix.Kill(p.pid, s) // it may have ended, or belong to another user now
	}
}
