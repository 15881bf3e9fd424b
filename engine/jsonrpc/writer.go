package jsonrpc

import (
	"fmt"
	"io"
	"sync"
)

// maxJoined is the size up to which a line is assembled in memory and written with one call. Waking the
// receiver for the first part of a message costs more than copying this much.
const maxJoined = 256 << 10

// Writer writes whole lines. It is safe for concurrent use.
type Writer struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte // reused, up to roughly maxJoined bytes
	err error  // the first failure
}

// NewWriter returns a Writer to w. Nobody else should write to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w}
}

// WriteLine writes the parts one after the other, and a newline. It does not keep the parts. They must not
// contain a newline, or the receiver sees two lines: values that were read from a line never do, and others
// must go through [AppendCompact] first.
//
// If writing fails, part of a line may have been written. Nothing is written after that: every later call
// returns the first error.
func (w *Writer) WriteLine(parts ...[]byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	size := 1
	for _, part := range parts {
		size += len(part)
	}
	if size > maxJoined {
		for _, part := range parts {
			w.write(part)
		}
		w.write([]byte{'\n'})
		return w.err
	}
	w.buf = w.buf[:0]
	for _, part := range parts {
		w.buf = append(w.buf, part...)
	}
	w.buf = append(w.buf, '\n')
	w.write(w.buf)
	return w.err
}

// write writes p unless an earlier write failed.
func (w *Writer) write(p []byte) {
	if w.err != nil || len(p) == 0 {
		return
	}
	n, err := w.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		w.err = fmt.Errorf("writing a message: %w", err)
	}
}
