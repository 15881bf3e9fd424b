package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// PipeSize is how many bytes [WidenPipe] asks for. Linux grants up to 1 MiB to
// everybody.
const PipeSize = 256 << 10

// WidenPipe lets more bytes wait in a pipe than the usual 64 KiB, so that a
// message of that size passes in one go, without waking its writer and its
// reader by turns. Where that can't be had nothing changes; what is no pipe is
// left alone.
func WidenPipe(file *os.File) {
	conn, err := file.SyscallConn()
	if err != nil {
		return
	}
	// Refused for what is no pipe, and when a user's pipes take too much memory.
	_ = conn.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, PipeSize) })
}
