package process

import (
	"bytes"
	"os"
	"strconv"
)

// list returns the parents of all running processes, and a function that returns the memory of one.
func list() (parents map[int]int, memory func(pid int) int64, err error) {
	stats, err := ReadStats()
	if err != nil {
		return nil, nil, err
	}
	parents = make(map[int]int, len(stats))
	for _, s := range stats {
		if !s.Dead {
			parents[s.PID] = s.Parent
		}
	}
	return parents, memoryOf, nil
}

// memoryOf returns the memory of a process, with its share of what it has in common with others. If that cannot be
// read, it returns all that is in use; 0 if the process has ended.
func memoryOf(pid int) int64 {
	folder := "/proc/" + strconv.Itoa(pid)
	text, err := os.ReadFile(folder + "/smaps_rollup")
	if err == nil {
		if _, rest, found := bytes.Cut(text, []byte("\nPss:")); found {
			return numberIn(rest, 0) << 10
		}
	}
	text, err = os.ReadFile(folder + "/statm") // size resident …, in pages
	if err != nil {
		return 0
	}
	return numberIn(text, 1) * int64(os.Getpagesize())
}
