package runtimes

import (
	"os"

	"golang.org/x/sys/unix"
)

// processes returns the program path, arguments and environment of each process of the user, as text. ok is
// false if the system does not show them.
func processes() (all [][]byte, ok bool) {
	entries, err := unix.SysctlKinfoProcSlice("kern.proc.uid", os.Getuid())
	if err != nil {
		return nil, false
	}
	for i := range entries {
		if text, err := unix.SysctlRaw("kern.procargs2", int(entries[i].Proc.P_pid)); err == nil { // otherwise it has ended
			all = append(all, text)
		}
	}
	return all, len(all) > 0
}
