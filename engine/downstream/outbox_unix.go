//go:build unix

package downstream

import (
	"io"
	"syscall"
)

// directWriter writes to a pipe without blocking.
type directWriter struct {
	conn syscall.RawConn
	data []byte
	n    int
	once func(fd uintptr) bool
}

// newDirectWriter returns a directWriter for w. It writes nothing if w is not a file.
func newDirectWriter(w io.Writer) *directWriter {
	d := &directWriter{}
	if file, ok := w.(syscall.Conn); ok {
		if conn, err := file.SyscallConn(); err == nil {
			d.conn = conn
		}
	}
	d.once = func(fd uintptr) bool {
		d.n, _ = syscall.Write(int(fd), d.data)
		return true // do not wait until the pipe has room
	}
	return d
}

// tryWrite writes as much as the pipe has room for, and returns the number of bytes. It ignores errors, since the next
// write has them, too.
func (d *directWriter) tryWrite(data []byte) int {
	if d.conn == nil {
		return 0
	}
	d.data, d.n = data, 0
	err := d.conn.Write(d.once)
	d.data = nil
	if err != nil {
		return 0
	}
	return max(0, d.n)
}
