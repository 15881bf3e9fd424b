//go:build unix && !linux

package process

import (
	"bytes"
	"context"
	"os/exec"
	"time"
)

// listTime limits how long the list of processes may take.
const listTime = 5 * time.Second

// list returns all processes with their resident memory. These systems have no files that say it, and what they have
// instead differs between them; ps is on each of them, and may ask what other programs may not.
func list() (map[int]listed, error) {
	ctx, cancel := context.WithTimeout(context.Background(), listTime)
	defer cancel()
	text, err := exec.CommandContext(ctx, "/bin/ps", "-axo", "pid=,ppid=,rss=").Output()
	if err != nil {
		return nil, err
	}
	all := map[int]listed{}
	for line := range bytes.Lines(text) {
		if pid := numberIn(line, 0); pid > 0 {
			all[int(pid)] = listed{parent: int(numberIn(line, 1)), bytes: numberIn(line, 2) << 10}
		}
	}
	return all, nil
}

// memoryOf returns the memory of a process.
func memoryOf(_ int, p listed) int64 { return p.bytes }
