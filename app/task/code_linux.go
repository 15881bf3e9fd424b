package task

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// forgetCode gives back the memory that holds code: our own code, and that of the libraries that draw the window. The system reads code that
// runs again from its cache of files. Without a graphics card, this frees some 60 MiB, most of it LLVM, which compiles the shaders.
//
// The system itself gives code back only when memory is short. Nothing is lost, because forgetCode takes only memory that is an exact copy of
// a file: it cannot be written to, and the system says that none of its pages has changed. Data stays in memory.
func forgetCode() {
	mappings, err := os.Open("/proc/self/smaps")
	if err != nil {
		return // the code stays in memory
	}
	defer mappings.Close()
	var from, to uintptr // the mapping that the current lines describe; 0 if it does not hold code of a file
	for lines := bufio.NewScanner(mappings); lines.Scan(); {
		var start, end uintptr
		var access, offset, device string
		var file uint64 // the number of the file; 0 for code that was compiled while the program ran
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s %s %s %d", &start, &end, &access, &offset, &device, &file); n == 6 {
			from, to = 0, 0
			if file != 0 && strings.HasPrefix(access, "r-x") {
				from, to = start, end
			}
			continue
		}
		changed, found := strings.CutPrefix(lines.Text(), "Anonymous:") // how much of the mapping differs from the file
		if found && from != to && strings.TrimSpace(changed) == "0 kB" {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED) // if this fails, the code stays in memory
		}
	}
}
