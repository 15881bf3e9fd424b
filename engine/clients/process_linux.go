package clients

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// processes reads /proc. Of processes of other users there is only the name.
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
		name, err := os.Readlink(filepath.Join(folder, "exe"))
		if err != nil {
			comm, err := os.ReadFile(filepath.Join(folder, "comm"))
			if err != nil {
				continue // it has ended
			}
			name = strings.TrimSpace(string(comm))
		}
		found = append(found, Process{pid, strings.TrimSuffix(name, " (deleted)")})
	}
	return found, nil
}
