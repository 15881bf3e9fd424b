package runtimes

import (
	"os"

	"golang.org/x/sys/unix"
)

// processes returns what the system shows of the user's processes: of each the path of its program, its arguments and its environment. It is
// false when the system shows nothing.
func processes() (all [][]byte, ok bool) {
	entries, err := unix.SysctlKinfoProcSlice("kern.proc.uid", os.Getuid())
	if err != nil {
		return nil, false
	}
	for i := range entries {
		if text, err := unix.SysctlRaw("kern.procargs2", int(entries[i].Proc.P_pid)); err == nil { // else it has ended
			all = append(all, text)
		}
	}
	return all, len(all) > 0
}
