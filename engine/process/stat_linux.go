package process

import (
	"bytes"
	"io"
	"os"
	"strconv"
)

// Stat is what Linux says of a process.
type Stat struct {
	PID, Parent, Group, Session int
	// Started is in ticks since the boot. With the PID, it tells a process from all others of this boot.
	Started uint64
	Dead    bool // only its entry in the table is left
}

// ReadStat returns what /proc says of a process.
func ReadStat(pid int) (Stat, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
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
