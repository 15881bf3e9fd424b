package jsonrpc

import (
	"bytes"
	"strconv"
)

// WholeCharacters replaces escaped halves of a character (\ud83d without \ude00) in JSON. A server that cuts a text
// after a number of UTF-16 units writes them. Programs in Python and Rust, and AI services, refuse the whole
// message then. It returns data itself if there is nothing to replace.
func WholeCharacters(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\u`)) {
		return data
	}
	out := data
	for i := 0; i+1 < len(out); i++ {
		if out[i] != '\\' {
			continue
		}
		first, second := half(out[i:]), rune(-1)
		if first >= 0 && i+12 <= len(out) {
			second = half(out[i+6:])
		}
		switch {
		case first >= 0xd800 && first < 0xdc00 && second >= 0xdc00:
			i += 11
		case first >= 0:
			if &out[0] == &data[0] {
				out = bytes.Clone(data)
			}
			copy(out[i:], `\ufffd`)
			i += 5
		default:
			i++ // what is escaped may be a backslash
		}
	}
	return out
}

// half returns the escaped half of a character at the beginning of a text; -1 if there is none.
func half(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	code, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	if err != nil || code < 0xd800 || code > 0xdfff {
		return -1
	}
	return rune(code)
}
