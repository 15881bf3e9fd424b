package clients

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// processes reads the processes of this user from /proc. Those of other users do not use this user's files.
func processes() ([]Process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var found []Process
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		folder := filepath.Join("/proc", entry.Name())
		info, err := os.Stat(folder)
		if err != nil {
			continue // it has ended
		}
		if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Getuid() {
			continue
		}
		name, err := os.Readlink(filepath.Join(folder, "exe"))
		if err != nil {
			comm, err := os.ReadFile(filepath.Join(folder, "comm"))
			if err != nil {
				continue
			}
			name = strings.TrimSpace(string(comm))
		}
		found = append(found, Process{pid, strings.TrimSuffix(name, " (deleted)")})
	}
	return found, nil
}
