package process

import (
	"bytes"
	"os"
	"strconv"
)

// list returns all running processes.
func list() (map[int]listed, error) {
	stats, err := ReadStats()
	if err != nil {
		return nil, err
	}
	all := make(map[int]listed, len(stats))
	for _, s := range stats {
		if !s.Dead {
			all[s.PID] = listed{parent: s.Parent}
		}
	}
	return all, nil
}

// memoryOf returns the memory of a process, with its share of what it has in common with others. If that cannot be read,
// it returns all that is in use; 0 if the process has ended.
func memoryOf(pid int, _ listed) int64 {
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
