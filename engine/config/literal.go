package config

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// offsets finds the places in the file of characters of a decoded string, from left to right.
type offsets struct {
	raw     string // the string in the file, with its quotes
	base    int    // the offset of raw in the file
	at      int    // the current offset in raw
	decoded int    // the current offset in the decoded string
}

func newOffsets(raw string, base int) *offsets {
	return &offsets{raw: raw, base: base, at: len(`"`)}
}

// source returns the offset in the file of a byte of the decoded string. Offsets must not decrease from call
// to call.
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

// escape returns the length of the escape sequence at the start of raw, and of the text that it stands for.
func escape(raw string) (length, width int) {
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
		unit = utf8.RuneError // as encoding/json does
	}
	return 6, utf8.RuneLen(unit)
}

// escapeLength returns the length of the escape sequence at the start of text, or 0 if it is none.
func escapeLength(text string) int {
	if len(text) < 2 {
		return 0
	}
	if text[1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, text[1]) >= 0 {
			return 2
		}
		return 0
	}
	if _, ok := codeUnit(text); !ok {
		return 0
	}
	length, _ := escape(text)
	return length
}

// codeUnit reads the \uXXXX at the start of raw.
func codeUnit(raw string) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(raw[2:6], 16, 16)
	return rune(unit), err == nil
}

// doubleBackslashes returns the changes that double each backslash in a text that begins no escape sequence.
// In a Windows path that is every single backslash: there, \t is no tab.
func doubleBackslashes(text string, base int) []Change {
	path := windowsPath(text)
	var changes []Change
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		n := escapeLength(text[i:])
		if n == 2 && path && strings.IndexByte("bfnrt", text[i+1]) >= 0 || n == 0 {
			changes = append(changes, put(base+i, base+i, `\`))
			continue
		}
		i += n - 1
	}
	return changes
}

// windowsPath reports whether a text begins like C:\Users with single backslashes.
func windowsPath(text string) bool {
	return len(text) > 3 && (text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z') && text[1] == ':' && text[2] == '\\' &&
		text[3] != '\\'
}

// textLength returns the length of the content of a string, up to its closing quote or the end of the line.
func textLength(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n', '\r', '"':
			return i
		case '\\':
			// This backslash, before a quote that ends a value, is the end of a folder's path.
			if i+1 < len(text) && text[i+1] == '"' && windowsPath(text) && endsToken(lineOf(text[i+2:])) {
				return i + 1
			}
			i++
		}
	}
	return len(text)
}

// lineOf returns a text up to its first line end.
func lineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r")
}

// endsToken reports whether a token can end before the rest of a line.
func endsToken(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r")
	return rest == "" || strings.IndexByte(",:]}/#", rest[0]) >= 0
}
