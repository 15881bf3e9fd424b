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
)

// needed reports whether this system needs a guardian.
const needed = true

// maxEnviron is how much of an environment is read, in bytes. Linux grants 6 MiB at most to arguments and environment together.
const maxEnviron = 6 << 20

// system is the machine that we run on, as /proc shows it.
type system struct{}

// self is our own program, also when its file has been replaced meanwhile.
func self() string { return "/proc/self/exe" }

// bootID tells this boot of the system from all others.
func bootID() (string, error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.ReplaceAll(strings.TrimSpace(string(text)), "-", ""), err
}

func (system) processes() []proc {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil
	}
	own := os.Getpid()
	var all []proc
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == own {
			continue
		}
		if p, err := look(pid); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// look returns what the system says of a process.
func look(pid int) (proc, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return proc{}, err
	}
	// pid (name) state ppid pgrp session … starttime; the name may contain anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return proc{}, io.ErrUnexpectedEOF
	}
	p := proc{pid: pid, dead: fields[0][0] == 'Z' || fields[0][0] == 'X'}
	for i, into := range []*int{&p.parent, &p.group, &p.session} {
		if *into, err = strconv.Atoi(string(fields[i+1])); err != nil {
			return proc{}, err
		}
	}
	p.started, err = strconv.ParseUint(string(fields[19]), 10, 64)
	return p, err
}

func (system) marks(p proc) []string {
	file, err := os.Open("/proc/" + strconv.Itoa(p.pid) + "/environ")
	if err != nil {
		return nil // of another user, or ended meanwhile
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

// gone judges only processes that see the same ids as we do: those in a container have an engine of their own there.
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
	// The descriptor stands for the process that has the id now. When that is ours, no other one can be hit.
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
		_ = unix.PidfdSendSignal(handle, s, nil, 0) // it may have ended, or become another user's
	} else {
		_ = unix.Kill(p.pid, s) // a system older than Linux 5.3
	}
}
