package config

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// decode returns what a string of the file says. It must be a valid JSON string.
func decode(literal hujson.Literal) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	var s string
	if err := json.Unmarshal(literal, &s); err != nil {
		return string(literal[1 : len(literal)-1])
	}
	return s
}

// What the kinds of values are called, for people who have never heard of JSON and look at the file.
const (
	anObject = "a group { … }"
	anArray  = "a list [ … ]"
	aString  = "text in double quotes"
)

// butIs says what kind of value there is instead of another, as the rest of a sentence.
func butIs(v hujson.ValueTrimmed) string {
	if v.Kind() == 'n' {
		return ", but there is nothing (null)"
	}
	return ", not " + kindName(v)
}

// kindName says what kind of value there is, with its article.
func kindName(v hujson.ValueTrimmed) string {
	switch v.Kind() {
	case '{':
		return anObject
	case '[':
		return anArray
	case '"':
		return aString
	case '0':
		return "a number"
	case 't':
		return "true"
	case 'f':
		return "false"
	}
	return "nothing (null)"
}

// offsets finds the places of characters of a decoded string in the file, from left to right.
type offsets struct {
	raw     []byte // the string as it is in the file, with its quotes
	base    int    // the place of raw in the file
	at      int    // how far we are in raw
	decoded int    // and in the decoded string
}

func newOffsets(raw []byte, base int) *offsets {
	return &offsets{raw: raw, base: base, at: len(`"`)}
}

// source returns the place of a byte of the decoded string. It must not be asked backwards.
func (o *offsets) source(decoded int) int {
	last := len(o.raw) - len(`"`)
	for o.decoded < decoded && o.at < last {
		if o.raw[o.at] != '\\' {
			o.at++
			o.decoded++
			continue
		}
		n, width := escape(o.raw[o.at:last])
		o.at += n
		o.decoded += width
	}
	return o.base + o.at
}

// escape measures the escape sequence at the start of raw: its length, and that of what it means.
func escape(raw []byte) (length, width int) {
	unit, ok := codeUnit(raw)
	if !ok {
		return min(2, len(raw)), 1
	}
	if utf16.IsSurrogate(unit) {
		if second, ok := codeUnit(raw[6:]); ok {
			if r := utf16.DecodeRune(unit, second); r != utf8.RuneError {
				return 12, utf8.RuneLen(r)
			}
		}
		unit = utf8.RuneError // as encoding/json does it
	}
	return 6, utf8.RuneLen(unit)
}

// codeUnit reads the \uXXXX at the start of raw.
func codeUnit(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(unit), err == nil
}
