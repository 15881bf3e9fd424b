//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// use is what processes use.
type use struct {
	processes int
	bytes     int64 // what is shared between processes counts once
}

// use returns what the processes use that engines have started, themselves included.
func (p place) use() (use, error) {
	var all use
	for _, pid := range p.processes() {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			return all, err
		}
		for line := range strings.Lines(string(text)) {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
				kib, err := strconv.ParseInt(fields[1], 10, 64)
				if err != nil {
					return all, err
				}
				all.bytes += kib << 10
			}
		}
		all.processes++
	}
	return all, nil
}

// end ends the host.
func (p place) end() {
	for _, pid := range p.processes() {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if bytes.Contains(line, []byte("\x00--stay\x00")) {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
}

// processes returns the processes that have the mark, and those that they have started.
func (p place) processes() []int {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	parents, ours := map[int]int{}, map[int]bool{}
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		stat, _ := os.ReadFile(filepath.Join(folder, "stat"))
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if err != nil || len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		parents[pid], _ = strconv.Atoi(fields[1])
		environ, _ := os.ReadFile(filepath.Join(folder, "environ"))
		ours[pid] = bytes.Contains(environ, []byte(mark+"="+p.folder+"\x00"))
	}
	var found []int
	for pid := range parents {
		for at := pid; at > 1; at = parents[at] {
			if ours[at] {
				found = append(found, pid)
				break
			}
		}
	}
	return found
}
