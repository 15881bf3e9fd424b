//go:build unix

package pool

import "os"

// namesIn returns the names of the sockets in a folder, and of what else is there.
func namesIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names, err
}
