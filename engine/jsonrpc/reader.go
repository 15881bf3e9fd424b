package jsonrpc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

const (
	// readSize is how much is read at once. It is twice what a Linux pipe usually holds, so that most
	// messages need one read.
	readSize = 128 << 10
	// keptOfLong is how much of each end of a line that is too long is kept.
	keptOfLong = 4 << 10
)

// TooLongError reports a line that was longer than a [Reader] accepts. The line has been skipped.
type TooLongError struct {
	// Size is the line's length in bytes, without its end.
	Size int64
	// Head and Tail are the line's first and last bytes, up to 4 KiB each. They belong to the caller.
	Head, Tail []byte
}

// Error returns a text with the length of the line.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("the line is too long (%d bytes)", e.Size)
}

// Reader splits a stream into lines. It needs the memory of the longest line that it accepts, and about a quarter
// more. It isn't safe for concurrent use.
type Reader struct {
	in      *bufio.Reader
	maxLine int
}

// NewReader returns a Reader of lines of up to maxLine bytes, not counting the line's end.
func NewReader(r io.Reader, maxLine int) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, readSize), maxLine: maxLine}
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

// next returns the next line, including blank ones.
func (r *Reader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil, err == io.EOF && len(line) > 0:
			if line = withoutEnd(line); len(line) > r.maxLine {
				return nil, tooLong(int64(len(line)), line, line)
			}
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		case len(line) > r.maxLine+len("\r"):
			return nil, r.skip(line)
		}
	}
}

// skip reads to the end of a line that is too long, of which line is the beginning.
func (r *Reader) skip(line []byte) error {
	const kept = keptOfLong + len("\r\n")
	size, tail := int64(len(line)), bytes.Clone(line[max(0, len(line)-kept):])
	for {
		part, err := r.in.ReadSlice('\n')
		size += int64(len(part))
		tail = append(tail, part[max(0, len(part)-kept):]...)
		tail = append(tail[:0], tail[max(0, len(tail)-kept):]...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return err
		}
		end := withoutEnd(tail)
		return tooLong(size-int64(len(tail)-len(end)), line, end)
	}
}

// tooLong returns the error for a line of a size, of which head is the beginning and tail the end.
func tooLong(size int64, head, tail []byte) error {
	return &TooLongError{
		Size: size,
		Head: bytes.Clone(head[:min(keptOfLong, size, int64(len(head)))]),
		Tail: bytes.Clone(tail[max(0, len(tail)-keptOfLong):]),
	}
}

// withoutEnd returns a line without \n or \r\n at its end.
func withoutEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
