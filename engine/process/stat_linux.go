package process

import (
	"bytes"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Stat is what Linux says of a process.
type Stat struct {
	PID, Parent, Group, Session int
	// in ticks since the boot; with the PID it tells a process from all others of this boot
	Started uint64
	Dead    bool // only its entry in the table is left
}

// ReadStat returns what /proc says of a process.
func ReadStat(pid int) (Stat, error) {
	var room [1024]byte // far more than comes before the last field that is read
	text, err := readStart("/proc/"+strconv.Itoa(pid)+"/stat", room[:])
	if err != nil {
		return Stat{}, err
	}
	// pid (name) state ppid pgrp session … starttime; the name may contain anything.
	s, i := Stat{PID: pid}, 0
	for field := range bytes.FieldsSeq(text[bytes.LastIndexByte(text, ')')+1:]) {
		switch i {
		case 0:
			s.Dead = field[0] == 'Z' || field[0] == 'X'
		case 1:
			s.Parent, err = strconv.Atoi(string(field))
		case 2:
			s.Group, err = strconv.Atoi(string(field))
		case 3:
			s.Session, err = strconv.Atoi(string(field))
		case 19:
			s.Started, err = strconv.ParseUint(string(field), 10, 64)
			return s, err
		}
		if err != nil {
			return Stat{}, err
		}
		i++
	}
	return Stat{}, io.ErrUnexpectedEOF
}

// readStart reads the beginning of a file of /proc, with three system calls. [os.ReadFile] takes ten: it offers the
// file to the poller, asks for its size, and reads to the end.
func readStart(path string, room []byte) ([]byte, error) {
	fd, err := retried(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	n, err := retried(func() (int, error) { return unix.Read(fd, room) })
	_ = unix.Close(fd)
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	return room[:n], nil
}

// retried repeats a system call as long as a signal interrupts it.
func retried(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}

// ReadStats returns what /proc says of all processes that can be seen. Those that end meanwhile may be missing.
func ReadStats() ([]Stat, error) {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var all []Stat
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // no process
		}
		if s, err := ReadStat(pid); err == nil {
			all = append(all, s)
		}
	}
	return all, nil
}
