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

// list returns the parents of all processes, and a function that returns the resident memory of one. These systems
// have no files that say it, and what they have instead differs between them; ps is on each of them, and may ask what
// other programs may not.
func list() (parents map[int]int, memory func(pid int) int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), listTime)
	defer cancel()
	text, err := exec.CommandContext(ctx, "/bin/ps", "-axo", "pid=,ppid=,rss=").Output()
	if err != nil {
		return nil, nil, err
	}
	parents = map[int]int{}
	resident := map[int]int64{}
	for line := range bytes.Lines(text) {
		if pid := numberIn(line, 0); pid > 0 {
			parents[int(pid)], resident[int(pid)] = int(numberIn(line, 1)), numberIn(line, 2)<<10
		}
	}
	return parents, func(pid int) int64 { return resident[pid] }, nil
}
