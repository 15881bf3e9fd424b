package task

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// forgetCode gives back the memory that holds code: ours, and that of the libraries that draw the window. Code that runs again is read back
// from the system's cache of files. Without a graphics card that is some 60 MiB, most of it LLVM, which compiles the shaders.
//
// The system does that too, but only when memory is short. Nothing is lost, because the memory is a copy of a file: it cannot be
// written to, and the system says that no page of it was changed before. Data is left alone, also the data in files.
func forgetCode() {
	mappings, err := os.Open("/proc/self/smaps")
	if err != nil {
		return // everything stays where it is
	}
	defer mappings.Close()
	var from, to uintptr // the last mapping that holds code of a file
	for lines := bufio.NewScanner(mappings); lines.Scan(); {
		var start, end uintptr
		var access, offset, device string
		var file uint64 // zero for code that was compiled while the program ran
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s %s %s %d", &start, &end, &access, &offset, &device, &file); n == 6 {
			from, to = 0, 0
			if file != 0 && strings.HasPrefix(access, "r-x") {
				from, to = start, end
			}
			continue
		}
		changed, found := strings.CutPrefix(lines.Text(), "Anonymous:") // pages that are no copy of the file any more
		if found && from != to && strings.TrimSpace(changed) == "0 kB" {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED) // it may stay
		}
	}
}
