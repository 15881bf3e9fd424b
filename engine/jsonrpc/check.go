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

// visitor gets the quoted name and the value of each member of an object, and,
// before the value is checked, may return a visitor for the value's own members.
type visitor struct {
	member func(name, value []byte)
	enter  func(name []byte) *visitor // nil: never
}

// checkObject shows v the members of the object that makes up the whole input,
// and reports whether it is one. When it isn't, v may have seen some members.
func checkObject(d []byte, v *visitor) bool {
	i := skipSpace(d, 0)
	if i >= len(d) || d[i] != '{' {
		return false
	}
	i = checkMembers(d, i, 1, v)
	return i >= 0 && skipSpace(d, i) == len(d)
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
		return checkMembers(d, i, depth+1, nil)
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

// checkMembers checks the object at i, which is the depth-th around its members.
func checkMembers(d []byte, i, depth int, v *visitor) int {
	i = skipSpace(d, i+1)
	if i < len(d) && d[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(d) || d[i] != '"' {
			return -1
		}
		start := i
		if i = checkString(d, i); i < 0 {
			return -1
		}
		name := d[start:i:i]
		if i = skipSpace(d, i); i >= len(d) || d[i] != ':' {
			return -1
		}
		i = skipSpace(d, i+1)
		start = i
		var inner *visitor
		if v != nil && v.enter != nil && i < len(d) && d[i] == '{' && depth < maxDepth {
			inner = v.enter(name)
		}
		if inner != nil {
			i = checkMembers(d, i, depth+1, inner)
		} else {
			i = checkValue(d, i, depth)
		}
		if i < 0 {
			return -1
		}
		if v != nil {
			v.member(name, d[start:i:i])
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
			if special != 0 {
				i += bits.TrailingZeros64(special) / 8
				break
			}
			i += 8
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

// checkEscape checks the escape sequence at i.
func checkEscape(d []byte, i int) int {
	if i+1 >= len(d) {
		return -1
	}
	switch d[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
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
