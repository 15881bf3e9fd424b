package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// PipeSize is the size that [WidenPipe] sets, in bytes. Linux grants up to 1 MiB to everybody.
const PipeSize = 256 << 10

// WidenPipe enlarges a pipe from the usual 64 KiB, so that a message of that size can be written at once,
// without waking writer and reader by turns. If that is not possible, or the file is no pipe, it does
// nothing.
func WidenPipe(file *os.File) {
	conn, err := file.SyscallConn()
	if err != nil {
		return
	}
	// This fails for a file that is no pipe, and if the user's pipes take too much memory.
	_ = conn.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, PipeSize) })
}
