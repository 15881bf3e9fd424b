//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// polled returns in as a file whose reads wait in the runtime's poller, as those from servers do. A read that blocks
// keeps a thread, and each call would wait until the runtime has noticed that. It is for a pipe or a socket that only
// this program reads and that is not its output as well; any other input is returned as it is. restore must be called
// at the end.
func polled(in io.Reader) (_ io.Reader, restore func()) {
	none := func() {}
	file, ok := in.(*os.File)
	if !ok {
		return in, none
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return in, none
	}
	for _, out := range []*os.File{os.Stdout, os.Stderr} {
		if other, err := out.Stat(); err == nil && os.SameFile(info, other) {
			return in, none // it must not return from a write before everything is written
		}
	}
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return in, none
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		_ = unix.Close(fd)
		return in, none
	}
	// whoever has started us may have it, too
	return os.NewFile(uintptr(fd), file.Name()), func() { _ = unix.SetNonblock(fd, false) }
}
