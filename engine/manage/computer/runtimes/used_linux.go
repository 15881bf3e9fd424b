package runtimes

import (
	"os"
	"path/filepath"
)

// processes returns the program path, arguments and environment of each process of the user, as text. ok is
// false if the system does not show them.
func processes() (all [][]byte, ok bool) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is valid
	for _, folder := range folders {
		program, err := os.Readlink(folder + "/exe")
		if err != nil {
			continue // another user's process, or it has ended
		}
		text := append([]byte(program), 0)
		for _, name := range []string{"/cmdline", "/environ"} {
			more, _ := os.ReadFile(folder + name) // as above
			text = append(append(text, more...), 0)
		}
		all = append(all, text)
	}
	return all, len(all) > 0
}
