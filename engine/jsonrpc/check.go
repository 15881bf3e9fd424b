package jsonrpc

import (
	"encoding/binary"
	"math/bits"
)

// This file checks JSON without decoding it: the functions return the index
// after what they have checked, or -1. They stand in front of jsontext, which
// finds and words the error where they give up, because a proxy spends most of
// its time here: long strings pass eight bytes at a time. The fuzz tests hold
// them against encoding/json.

// maxDepth is how deep values may be nested, as in jsontext.
const maxDepth = 10_000

// walk goes through the members of an object and checks it on the way:
//
//	for w.next() {
//		value := w.value()
//	}
//
// Afterwards i is the index behind the object, or -1.
type walk struct {
	d     []byte
	i     int    // where it stands; at first, at the opening brace
	depth int    // of the members: how many objects and arrays are around them
	name  []byte // of the member, quoted
	begun bool
}

// newWalk returns a walk through the object that makes up the whole of d. It
// ends at once when d is none.
func newWalk(d []byte) walk {
	i := skipSpace(d, 0)
	if i >= len(d) || d[i] != '{' {
		i = -1
	}
	return walk{d: d, i: i, depth: 1}
}

// next goes on to the value of the next member, if there is one.
func (w *walk) next() bool {
	d, i := w.d, w.i
	if i < 0 {
		return false
	}
	if !w.begun {
		w.begun = true
		i = skipSpace(d, i+1)
		if i < len(d) && d[i] == '}' {
			w.i = i + 1
			return false
		}
	} else {
		if i = skipSpace(d, i); i >= len(d) {
			return w.broken()
		}
		switch d[i] {
		case '}':
			w.i = i + 1
			return false
		case ',':
			i = skipSpace(d, i+1)
		default:
			return w.broken()
		}
	}
	if i >= len(d) || d[i] != '"' {
		return w.broken()
	}
	start := i
	if i = checkString(d, i); i < 0 {
		return w.broken()
	}
	w.name = d[start:i:i]
	if i = skipSpace(d, i); i >= len(d) || d[i] != ':' {
		return w.broken()
	}
	w.i = skipSpace(d, i+1)
	return true
}

func (w *walk) broken() bool {
	w.i = -1
	return false
}

// value checks the member's value and returns it, nil when it is broken.
func (w *walk) value() []byte {
	start := w.i
	if w.i = checkValue(w.d, start, w.depth); w.i < 0 {
		return nil
	}
	return w.d[start:w.i:w.i]
}

// inner returns a walk through the members of the member's value, if it is an
// object. The walk around it goes on with skip.
func (w *walk) inner() (walk, bool) {
	return walk{d: w.d, i: w.i, depth: w.depth + 1}, w.i < len(w.d) && w.d[w.i] == '{' && w.depth < maxDepth
}

// skip goes on behind a value that inner has walked through, and returns it.
func (w *walk) skip(inner walk) []byte {
	start := w.i
	if w.i = inner.i; w.i < 0 {
		return nil
	}
	return w.d[start:w.i:w.i]
}

// whole reports, at the end, whether the object makes up all of the input.
func (w *walk) whole() bool {
	return w.i >= 0 && skipSpace(w.d, w.i) == len(w.d)
}

// checkValue checks the value at i, inside of so many others.
func checkValue(d []byte, i, depth int) int {
	if i >= len(d) {
		return -1
	}
	switch c := d[i]; {
	case c == '"':
		return checkString(d, i)
	case c == '{' && depth < maxDepth:
		return checkMembers(d, i, depth+1)
	case c == '[' && depth < maxDepth:
		return checkElements(d, i, depth+1)
	case c == '-' || c >= '0' && c <= '9':
		return checkNumber(d, i)
	case c == 't':
		return checkWord(d, i, "true")
	case c == 'f':
		return checkWord(d, i, "false")
	case c == 'n':
		return checkWord(d, i, "null")
	}
	return -1
}

// checkMembers checks the object at i, which is the depth-th around its
// members. It is a [walk] on which nobody looks, in a third less time.
func checkMembers(d []byte, i, depth int) int {
	i = skipSpace(d, i+1)
	if i < len(d) && d[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(d) || d[i] != '"' {
			return -1
		}
		if i = checkString(d, i); i < 0 {
			return -1
		}
		if i = skipSpace(d, i); i >= len(d) || d[i] != ':' {
			return -1
		}
		if i = checkValue(d, skipSpace(d, i+1), depth); i < 0 {
			return -1
		}
		if i = skipSpace(d, i); i >= len(d) {
			return -1
		}
		switch d[i] {
		case '}':
			return i + 1
		case ',':
			i = skipSpace(d, i+1)
		default:
			return -1
		}
	}
}

// checkElements checks the array at i, which is the depth-th around its elements.
func checkElements(d []byte, i, depth int) int {
	i = skipSpace(d, i+1)
	if i < len(d) && d[i] == ']' {
		return i + 1
	}
	for {
		if i = checkValue(d, i, depth); i < 0 {
			return -1
		}
		if i = skipSpace(d, i); i >= len(d) {
			return -1
		}
		switch d[i] {
		case ']':
			return i + 1
		case ',':
			i = skipSpace(d, i+1)
		default:
			return -1
		}
	}
}

// checkString checks the string at i. Invalid UTF-8 is let through.
func checkString(d []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for i++; ; {
		for i+8 <= len(d) {
			// The lowest high bit marks the first byte that is a quote, a backslash or
			// a control character; see "Bit Twiddling Hacks", hasless and haszero.
			w := binary.LittleEndian.Uint64(d[i:])
			quote := w ^ ones*'"'
			backslash := w ^ ones*'\\'
			special := ((w-ones*' ')&^w | (quote-ones)&^quote | (backslash-ones)&^backslash) & highs
			if special == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(special) / 8
			if d[i] != '\\' || i+1 >= len(d) || !plainEscape(d[i+1]) {
				break
			}
			i += 2
		}
		if i >= len(d) {
			return -1
		}
		switch c := d[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = checkEscape(d, i); i < 0 {
				return -1
			}
		case c < ' ':
			return -1
		default:
			i++
		}
	}
}

// plainEscape reports whether c behind a backslash makes up an escape sequence
// of two bytes.
func plainEscape(c byte) bool {
	const low = 1<<'"' | 1<<'/'
	const high = 1<<('\\'-64) | 1<<('b'-64) | 1<<('f'-64) | 1<<('n'-64) | 1<<('r'-64) | 1<<('t'-64)
	return c < 64 && uint64(low)>>c&1 != 0 || c >= 64 && c < 128 && uint64(high)>>(c-64)&1 != 0
}

// checkEscape checks the escape sequence at i.
func checkEscape(d []byte, i int) int {
	if i+1 >= len(d) {
		return -1
	}
	switch {
	case plainEscape(d[i+1]):
		return i + 2
	case d[i+1] == 'u':
		if i+6 > len(d) {
			return -1
		}
		for _, c := range d[i+2 : i+6] {
			if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
				return -1
			}
		}
		return i + 6
	}
	return -1
}

// checkNumber checks the number at i.
func checkNumber(d []byte, i int) int {
	if i < len(d) && d[i] == '-' {
		i++
	}
	if i < len(d) && d[i] == '0' {
		i++
	} else if i = checkDigits(d, i); i < 0 {
		return -1
	}
	if i < len(d) && d[i] == '.' {
		if i = checkDigits(d, i+1); i < 0 {
			return -1
		}
	}
	if i < len(d) && (d[i] == 'e' || d[i] == 'E') {
		i++
		if i < len(d) && (d[i] == '+' || d[i] == '-') {
			i++
		}
		return checkDigits(d, i)
	}
	return i
}

// checkDigits checks that there are digits at i.
func checkDigits(d []byte, i int) int {
	start := i
	for i < len(d) && d[i] >= '0' && d[i] <= '9' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func checkWord(d []byte, i int, word string) int {
	if end := i + len(word); end <= len(d) && string(d[i:end]) == word {
		return end
	}
	return -1
}
