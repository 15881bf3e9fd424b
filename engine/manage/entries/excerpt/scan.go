package excerpt

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// Limits of a scanner.
const (
	maxKept    = 128       // the longest value that is kept although nobody asked for it, in bytes
	maxNesting = 1000      // of objects and arrays within a value that is left out
	buffered   = 256 << 10 // how much is read at once
)

// scanner copies a JSON text, possibly with comments, and leaves out long values. What it leaves out is only scanned
// for its end: a mistake in it is not noticed.
type scanner struct {
	in        *bufio.Reader
	at        int64 // how much was read
	line      int
	lineStart int64

	out     []byte
	holes   []hole
	cutting bool
	held    []byte // the beginning of the value that is being left out
}

func newScanner(in io.Reader) *scanner {
	return &scanner{in: bufio.NewReaderSize(in, buffered), line: 1}
}

// wrong returns a mistake at the next byte.
func (s *scanner) wrong() error { return &SyntaxError{s.line, int(s.at-s.lineStart) + 1} }

// wrongAfter consumes the beginning of a window, and returns a mistake at the next byte.
func (s *scanner) wrongAfter(text []byte) error {
	if err := s.take(text); err != nil {
		return err
	}
	return s.wrong()
}

// window returns what can be looked at without reading more, at least one byte. At the end of the text the error is a
// mistake.
func (s *scanner) window() ([]byte, error) {
	if _, err := s.in.Peek(1); errors.Is(err, io.EOF) {
		return nil, s.wrong()
	} else if err != nil {
		return nil, err
	}
	return s.in.Peek(s.in.Buffered())
}

// take consumes the beginning of a window.
func (s *scanner) take(text []byte) error {
	if n := bytes.Count(text, []byte("\n")); n > 0 {
		s.line += n
		s.lineStart = s.at + int64(bytes.LastIndexByte(text, '\n')) + 1
	}
	s.at += int64(len(text))
	if s.cutting {
		s.held = append(s.held, text[:min(len(text), maxKept+1-len(s.held))]...)
	} else {
		s.out = append(s.out, text...)
	}
	if len(s.out) > MaxText {
		return atomicfile.ErrTooLarge
	}
	_, err := s.in.Discard(len(text))
	return err
}

// next returns the next byte without consuming it.
func (s *scanner) next() (byte, error) {
	text, err := s.window()
	if err != nil {
		return 0, err
	}
	return text[0], nil
}

// one consumes one byte, which must be there.
func (s *scanner) one() error {
	text, err := s.window()
	if err != nil {
		return err
	}
	return s.take(text[:1])
}

// document copies the whole text.
func (s *scanner) document(keep [][]string) error {
	if mark, _ := s.in.Peek(3); string(mark) == "\ufeff" {
		if err := s.take(mark); err != nil {
			return err
		}
	}
	if err := s.space(); err != nil {
		return err
	}
	if err := s.value(keep); err != nil {
		return err
	}
	if err := s.space(); err != nil {
		return err
	}
	if _, err := s.in.Peek(1); err == nil {
		return s.wrong()
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// value copies a value, and leaves out what is not on one of the paths.
func (s *scanner) value(paths [][]string) error {
	for _, path := range paths {
		if len(path) == 0 {
			return s.skip()
		}
	}
	c, err := s.next()
	switch {
	case err != nil:
		return err
	case c == '{' && len(paths) > 0:
		return s.object(paths)
	}
	from := s.at
	s.cutting, s.held = true, s.held[:0]
	err = s.skip()
	s.cutting = false
	if err != nil {
		return err
	}
	if size := s.at - from; size > maxKept {
		start := len(s.out)
		s.out = fmt.Appendf(s.out, `"(%d bytes)"`, size)
		s.holes = append(s.holes, hole{start, len(s.out), from, s.at})
	} else {
		s.out = append(s.out, s.held...)
	}
	if len(s.out) > MaxText {
		return atomicfile.ErrTooLarge
	}
	return nil
}

// object copies an object whose members may be on the paths.
func (s *scanner) object(paths [][]string) error {
	if err := s.one(); err != nil {
		return err
	}
	for {
		if err := s.space(); err != nil {
			return err
		}
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == '}' || c == ',':
			if err := s.one(); err != nil || c == '}' {
				return err
			}
			continue
		case c != '"':
			return s.wrong()
		}
		start := len(s.out)
		if err := s.nested(); err != nil {
			return err
		}
		key := jsonc.Unquote(string(s.out[start:]))
		if err := s.space(); err != nil {
			return err
		}
		if c, err := s.next(); err != nil || c != ':' {
			return cmp.Or(err, s.wrong())
		}
		if err := s.one(); err != nil {
			return err
		}
		if err := s.space(); err != nil {
			return err
		}
		if err := s.value(below(paths, key)); err != nil {
			return err
		}
	}
}

// below returns the rest of the paths that lead through a key.
func below(paths [][]string, key string) (rest [][]string) {
	for _, path := range paths {
		if path[0] == key || path[0] == "*" {
			rest = append(rest, path[1:])
		}
	}
	return rest
}

// skip consumes a value.
func (s *scanner) skip() error {
	c, err := s.next()
	if err != nil {
		return err
	}
	switch c {
	case '"', '{', '[':
		return s.nested()
	case '}', ']', ',', ':':
		return s.wrong()
	}
	return s.until(" \t\r\n,:{}[]\"/")
}

// within is what a byte of a value stands in.
type within int

const (
	structure within = iota
	text             // a string
	escape           // after a backslash in a string
	slash            // after a slash, which may begin a comment
	line             // a comment up to the end of the line
	block            // a comment up to */
	star             // after a star in such a comment
)

// nested consumes a string, an object or an array, each byte of which is looked at once.
func (s *scanner) nested() error {
	var open []byte // the brackets that close what is open
	state := structure
	for {
		window, err := s.window()
		if err != nil {
			return err
		}
		for i, c := range window {
			switch state {
			case text:
				if c == '\\' {
					state = escape
				}
				if c != '"' {
					continue
				}
				if state = structure; len(open) == 0 {
					return s.take(window[:i+1])
				}
			case escape:
				state = text
			case line:
				if c == '\n' {
					state = structure
				}
			case block, star:
				switch {
				case c == '*':
					state = star
				case c == '/' && state == star:
					state = structure
				default:
					state = block
				}
			case slash:
				switch c {
				case '/':
					state = line
				case '*':
					state = block
				default:
					return s.wrongAfter(window[:i])
				}
			default:
				switch c {
				case '"':
					state = text
				case '/':
					state = slash
				case '{', '[':
					open = append(open, c+2) // the bracket that closes it
				case '}', ']':
					last := len(open) - 1
					if open[last] != c {
						return s.wrongAfter(window[:i])
					}
					if open = open[:last]; last == 0 {
						return s.take(window[:i+1])
					}
				}
				if len(open) > maxNesting {
					return s.wrongAfter(window[:i])
				}
			}
		}
		if err := s.take(window); err != nil {
			return err
		}
	}
}

// until consumes text up to one of some bytes, or to the end. It is not empty.
func (s *scanner) until(stops string) error {
	for {
		text, err := s.window()
		if err != nil {
			if _, end := errors.AsType[*SyntaxError](err); end {
				return nil
			}
			return err
		}
		n := bytes.IndexAny(text, stops)
		if n < 0 {
			n = len(text)
		}
		if n == 0 {
			return nil
		}
		if err := s.take(text[:n]); err != nil {
			return err
		}
	}
}

// space consumes white space and comments.
func (s *scanner) space() error {
	for {
		c, err := s.in.Peek(1)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch c[0] {
		case ' ', '\t', '\r', '\n':
			err = s.one()
		case '/':
			err = s.comment()
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// comment consumes a comment.
func (s *scanner) comment() error {
	start, _ := s.in.Peek(2)
	switch string(start) {
	case "//":
		return s.until("\n")
	case "/*":
	default:
		return s.wrong()
	}
	if err := s.take(start); err != nil {
		return err
	}
	for {
		if err := s.until("*"); err != nil {
			return err
		}
		end, _ := s.in.Peek(2)
		if len(end) < 2 {
			return s.wrong()
		}
		if string(end) == "*/" {
			return s.take(end)
		}
		if err := s.take(end[:1]); err != nil {
			return err
		}
	}
}
