package jsonrpc

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// This file checks JSON without decoding it. Its functions return the index after what they have checked, or
// -1. They are used before jsontext, which finds and describes the error if they fail, because a proxy spends
// most of its time here: they check long strings sixteen bytes at a time. Fuzz tests compare them with
// encoding/json.

// maxDepth is the deepest nesting of values, as in jsontext.
const maxDepth = 10_000

// checker checks the bytes d.
type checker struct {
	d       []byte
	notUTF8 bool // a string is not valid UTF-8; it was accepted
}

// walk visits the members of an object and checks it on the way:
//
//	for w.next() {
//		value := w.value()
//	}
//
// After that, i is the index after the object, or -1.
type walk struct {
	checker
	i     int    // the current index; at first, that of the opening brace
	depth int    // the number of objects and arrays around the members
	name  []byte // the quoted name of the current member
	begun bool
}

// newWalk returns a walk through the object that is the whole of d. If d is no object, the walk ends at once.
func newWalk(d []byte) walk {
	i := skipSpace(d, 0)
	if i >= len(d) || d[i] != '{' {
		i = -1
	}
	return walk{checker: checker{d: d}, i: i, depth: 1}
}

// next advances to the value of the next member, and reports whether there is one.
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
	if i = w.checkString(i); i < 0 {
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

// value checks the member's value and returns it; nil if it is invalid.
func (w *walk) value() []byte {
	start := w.i
	if w.i = w.checkValue(start, w.depth); w.i < 0 {
		return nil
	}
	return w.d[start:w.i:w.i]
}

// inner returns a walk through the members of the member's value, and reports whether that is an object. The
// outer walk continues with skip.
func (w *walk) inner() (walk, bool) {
	return walk{checker: w.checker, i: w.i, depth: w.depth + 1}, w.i < len(w.d) && w.d[w.i] == '{' && w.depth < maxDepth
}

// skip advances past a value through which inner has walked, and returns it.
func (w *walk) skip(inner walk) []byte {
	start := w.i
	w.notUTF8 = inner.notUTF8
	if w.i = inner.i; w.i < 0 {
		return nil
	}
	return w.d[start:w.i:w.i]
}

// whole reports, after the walk, whether the object is all of the input.
func (w *walk) whole() bool {
	return w.i >= 0 && skipSpace(w.d, w.i) == len(w.d)
}

// checkValue checks the value at i, which is nested depth levels deep.
func (c *checker) checkValue(i, depth int) int {
	d := c.d
	if i >= len(d) {
		return -1
	}
	switch b := d[i]; {
	case b == '"':
		return c.checkString(i)
	case b == '{' && depth < maxDepth:
		return c.checkMembers(i, depth+1)
	case b == '[' && depth < maxDepth:
		return c.checkElements(i, depth+1)
	case b == '-' || b >= '0' && b <= '9':
		return checkNumber(d, i)
	case b == 't':
		return checkWord(d, i, "true")
	case b == 'f':
		return checkWord(d, i, "false")
	case b == 'n':
		return checkWord(d, i, "null")
	}
	return -1
}

// checkMembers checks the object at i, which is on level depth. It does the same as a [walk] in a third less
// time.
func (c *checker) checkMembers(i, depth int) int {
	d := c.d
	i = skipSpace(d, i+1)
	if i < len(d) && d[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(d) || d[i] != '"' {
			return -1
		}
		if i = c.checkString(i); i < 0 {
			return -1
		}
		if i = skipSpace(d, i); i >= len(d) || d[i] != ':' {
			return -1
		}
		if i = c.checkValue(skipSpace(d, i+1), depth); i < 0 {
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

// checkElements checks the array at i, which is on level depth.
func (c *checker) checkElements(i, depth int) int {
	d := c.d
	i = skipSpace(d, i+1)
	if i < len(d) && d[i] == ']' {
		return i + 1
	}
	for {
		if i = c.checkValue(i, depth); i < 0 {
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

// checkString checks the string at i, and records whether it is valid UTF-8.
func (c *checker) checkString(i int) int {
	d := c.d
	for i++; i < len(d); i++ {
		for i+16 <= len(d) {
			block := (*[16]byte)(d[i:])
			stops := stopsIn(binary.LittleEndian.Uint64(block[:8]))
			if stops == 0 {
				i += 8
				stops = stopsIn(binary.LittleEndian.Uint64(block[8:]))
			}
			if stops == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(stops) / 8
			break
		}
	stops: // there are often several in a row
		for i < len(d) {
			switch b := d[i]; {
			case b == '"':
				return i + 1
			case b == '\\':
				if i+1 < len(d) && plainEscape(d[i+1]) {
					i += 2
				} else if i = checkHexEscape(d, i); i < 0 {
					return -1
				}
			case b >= utf8.RuneSelf:
				i = c.checkRunes(i)
			case b < ' ':
				return -1
			default:
				break stops
			}
		}
	}
	return -1
}

// stopsIn marks, by their highest bits, the bytes of a word that need a closer look: quotes, backslashes,
// control characters and all bytes that are not ASCII. Above the lowest mark there may be a few wrong ones.
// See "Bit Twiddling Hacks", hasless and haszero; the 2 swaps the quote and the space.
func stopsIn(word uint64) uint64 {
	const ones = 0x0101010101010101
	return (word | (word ^ ones*2 - ones*('"'^2+1)) | (word ^ ones*'\\' - ones)) & (ones << 7)
}

// checkRunes returns the index after the runes at i that are not ASCII, and records whether they are valid
// UTF-8.
func (c *checker) checkRunes(i int) int {
	d := c.d
	for i < len(d) && d[i] >= utf8.RuneSelf {
		if i+4 <= len(d) {
			// Most runes have three bytes. Those that begin with E0 or ED are not always valid.
			word := binary.LittleEndian.Uint32(d[i:])
			if lead := byte(word); word&0xc0c0f0 == 0x8080e0 && lead != 0xe0 && lead != 0xed {
				i += 3
				continue
			}
		}
		r, size := utf8.DecodeRune(d[i:])
		c.notUTF8 = c.notUTF8 || r == utf8.RuneError && size == 1
		i += size
	}
	return i
}

// plainEscape reports whether a backslash and c are an escape sequence of two bytes.
func plainEscape(c byte) bool {
	const low = 1<<'"' | 1<<'/'
	const high = 1<<('\\'-64) | 1<<('b'-64) | 1<<('f'-64) | 1<<('n'-64) | 1<<('r'-64) | 1<<('t'-64)
	return c < 64 && uint64(low)>>c&1 != 0 || c >= 64 && c < 128 && uint64(high)>>(c-64)&1 != 0
}

// checkHexEscape checks the escape sequence at i, which is not plain.
func checkHexEscape(d []byte, i int) int {
	if i+6 > len(d) || d[i+1] != 'u' {
		return -1
	}
	for _, c := range d[i+2 : i+6] {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return -1
		}
	}
	return i + 6
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
