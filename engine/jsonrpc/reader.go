package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// readSize is how much is read at once. It is a little more than a Linux pipe usually holds, so that most
	// messages need one read.
	readSize = 128 << 10
	// minSpare and maxSpare limit how much memory is kept for later lines: less is not worth keeping, and
	// more would be too much for each server.
	minSpare = 16 << 10
	maxSpare = 1 << 20
	// minLent is the length from which a line is returned without copying it from the buffer of readSize
	// bytes. This is done only after a line was given back, since a caller that keeps lines would otherwise
	// keep whole buffers.
	minLent = readSize / 4
	// keptOfLong is how much of each end of a line that is too long is kept.
	keptOfLong = 4 << 10
)

// TooLongError reports a line that was longer than a [Reader] accepts. The line
// has been skipped.
type TooLongError struct {
	// Size is the line's length in bytes, without its end.
	Size int64
	// Head and Tail are the line's first and last bytes, up to 4 KiB each. They
	// belong to the caller.
	Head, Tail []byte
}

// Error returns a text with the length of the line.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("the line is too long (%d bytes)", e.Size)
}

// Reader splits a stream into lines. It needs no more memory than the longest
// line it accepts, plus a constant. It isn't safe for concurrent use.
type Reader struct {
	r       io.Reader
	maxLine int
	buf     []byte // readSize bytes
	pending []byte // unread part of buf
	lent    int    // the number of lines in buf that belong to callers
	last    bool   // the last line returned by Next is one of them
	lends   bool   // the caller gives lines back
	spare   []byte // the memory of a line that was given back
	err     error  // what r returned at its end
}

// NewReader returns a Reader of lines of up to maxLine bytes, not counting the
// line's end.
func NewReader(r io.Reader, maxLine int) *Reader {
	return &Reader{r: r, maxLine: maxLine, buf: make([]byte, readSize)}
}

// Next returns the next line that is not blank, without its end (\n or \r\n). The line belongs to the caller.
// A last line without an end counts if the stream ends without an error. After the last line, the error is
// [io.EOF] or the error that ended the stream. For a line over the limit, the error is a [*TooLongError], and
// the next call continues after it.
func (r *Reader) Next() ([]byte, error) {
	for {
		line, err := r.next()
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimLeft(line, " \t\r")) > 0 {
			return line, nil
		}
	}
}

// Buffered reports whether Next will return without reading, because another line was read together with the
// last one.
func (r *Reader) Buffered() bool {
	return len(r.pending) > 0 && r.pending[0] == '{' && bytes.IndexByte(r.pending, '\n') >= 0
}

// next returns the next line, including blank ones.
func (r *Reader) next() ([]byte, error) {
	if len(r.pending) == 0 {
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
	r.last = false
	if i := bytes.IndexByte(r.pending, '\n'); i >= 0 {
		part := r.pending[:i:i]
		r.pending = r.pending[i+1:]
		if i >= minLent && r.lends {
			r.lent, r.last = r.lent+1, true
			return r.finish(part)
		}
		return r.finish(append(r.memory(len(part)), part...))
	}
	// The line continues after what was read. From here on it is read into its own memory, and copied only
	// when that has to grow.
	line := append(r.memory(len(r.pending)+readSize), r.pending...)
	r.pending = nil
	for len(line) <= r.maxLine+1 { // one more for \r
		if cap(line)-len(line) < readSize {
			line = r.grow(line)
		}
		start := len(line)
		n, err := r.read(line[start : start+readSize])
		line = line[:start+n]
		if i := bytes.IndexByte(line[start:], '\n'); i >= 0 {
			r.own()
			r.pending = append(r.buf[:0], line[start+i+1:]...)
			return r.finish(line[:start+i])
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return r.finish(line)
			}
			return nil, err
		}
	}
	return nil, r.skip(line)
}

// memory returns an empty slice with room for size bytes.
func (r *Reader) memory(size int) []byte {
	if size >= minSpare && size <= cap(r.spare) {
		spare := r.spare
		r.spare = nil
		return spare[:0]
	}
	return make([]byte, 0, size)
}

// Recycle gives back the line that Next returned last. Neither the line nor anything that aliases it may be
// used any more. A later line of similar size then needs no new memory, which for results of many kilobytes
// costs more than reading them.
func (r *Reader) Recycle(line []byte) {
	r.lends = true
	if r.last {
		r.lent, r.last = r.lent-1, false
		return
	}
	if cap(line) > cap(r.spare) && cap(line) >= minSpare && cap(line) <= maxSpare {
		r.spare = line[:0]
	}
}

// grow doubles the line's memory, up to what the longest line needs.
func (r *Reader) grow(line []byte) []byte {
	size := min(2*cap(line), r.maxLine+2) + readSize
	return append(make([]byte, 0, size), line...)
}

// finish removes a \r and applies the limit.
func (r *Reader) finish(line []byte) ([]byte, error) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) > r.maxLine {
		return nil, &TooLongError{
			Size: int64(len(line)),
			Head: bytes.Clone(line[:min(keptOfLong, len(line))]),
			Tail: bytes.Clone(line[max(0, len(line)-keptOfLong):]),
		}
	}
	return line, nil
}

// skip reads to the end of a line that is too long, and keeps its ends.
func (r *Reader) skip(line []byte) error {
	size := int64(len(line))
	head := bytes.Clone(line[:min(keptOfLong, len(line))])
	tail := bytes.Clone(line[max(0, len(line)-keptOfLong-1):]) // one more for \r
	for end := false; !end; {
		if err := r.fill(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		part := r.pending
		if i := bytes.IndexByte(part, '\n'); i >= 0 {
			part, r.pending, end = part[:i], part[i+1:], true
		} else {
			r.pending = nil
		}
		size += int64(len(part))
		head = append(head, part[:min(keptOfLong-len(head), len(part))]...)
		tail = append(tail, part[max(0, len(part)-keptOfLong-1):]...)
		tail = append(tail[:0], tail[max(0, len(tail)-keptOfLong-1):]...)
	}
	if trimmed := bytes.TrimSuffix(tail, []byte("\r")); len(trimmed) < len(tail) {
		tail = trimmed
		size--
	}
	head = head[:min(size, int64(len(head)))]
	return &TooLongError{Size: size, Head: head, Tail: tail[max(0, len(tail)-keptOfLong):]}
}

// own makes sure that the buffer, whose bytes have all been read, belongs to nobody else.
func (r *Reader) own() {
	if r.lent > 0 {
		r.buf, r.lent, r.last = make([]byte, readSize), 0, false
	}
}

// fill reads into the empty buffer. It returns at least one byte or an error.
func (r *Reader) fill() error {
	r.own()
	n, err := r.read(r.buf)
	r.pending = r.buf[:n]
	return err
}

// read reads at least one byte or returns an error, and then always the same error.
func (r *Reader) read(p []byte) (int, error) {
	for empty := 0; r.err == nil; empty++ {
		n, err := r.r.Read(p)
		r.err = err
		if n > 0 {
			return n, nil
		}
		if err == nil && empty == 100 {
			r.err = io.ErrNoProgress
		}
	}
	return 0, r.err
}
