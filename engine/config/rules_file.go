package config

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The rules in this file are about the bytes of a file. Except for the byte order mark, their problems keep
// the file from being parsed.

var (
	byteOrderMark = []byte("\ufeff")

	utf16Marks = [][]byte{[]byte("\xff\xfe"), []byte("\xfe\xff")}
)

// fileText is the content of a file after its byte order mark.
type fileText struct {
	body []byte
}

// UnusableFile is the code for a file that cannot be read or saved at all. It is for programs, in cases in
// which [Read] returns an error.
const UnusableFile = "unusable-file"

var unusableFile = Rule{Code: UnusableFile,
	About: "The file is missing, is not a file, may not be read, or cannot be saved. Only validate --json reports " +
		"this as a problem; people get an error."}

var fileTooLarge = Rule{Code: "file-too-large",
	About: "The file is far larger than any configuration, so it is probably another file. It is not read.",
	file: func(d *diagnoser, r Rule, f fileText) {
		if len(d.src.source) > MaxSize {
			d.say(r, 0, 0, nil, words.New("config.file_too_large", "Size", MaxSize>>20),
				words.New("config.file_too_large.hint"))
		}
	}}

var fileIsUTF16 = Rule{Code: "file-is-utf16",
	About:   "The file is saved as UTF-16, as some programs on Windows do it. It has to be UTF-8.",
	Example: "\xff\xfe{\x00}\x00",
	file: func(d *diagnoser, r Rule, f fileText) {
		if slices.ContainsFunc(utf16Marks, func(mark []byte) bool { return bytes.HasPrefix(d.src.source, mark) }) {
			d.say(r, 0, 2, nil, words.New("config.file_is_utf16"),
				words.New("config.file_is_utf16.hint"))
		}
	}}

var markAtStart = Rule{Code: "byte-order-mark", Severity: SeverityWarning,
	About: "The file begins with an invisible character that some editors put there. Workbench ignores it; other " +
		"programs may not.",
	Example: "\ufeff{\"toolboxes\": {}}",
	file: func(d *diagnoser, r Rule, f fileText) {
		if d.src.shift == 0 {
			return
		}
		problem := d.say(r, 0, d.src.shift, nil, words.New("config.byte_order_mark"),
			words.New("config.byte_order_mark.hint"))
		if problem != nil {
			end := d.src.shift
			for bytes.HasPrefix(d.src.source[end:], byteOrderMark) { // some programs add another one each time
				end += len(byteOrderMark)
			}
			problem.Fix = &Fix{Title: words.New("config.fix.remove_mark"), Changes: []Change{{Start: 0, End: end}}}
		}
	}}

var notText = Rule{Code: "not-text",
	About: "The file has a zero byte near its start, so it is UTF-16 without a byte order mark, or a program, a " +
		"picture or the like.",
	Example: "{\x00}\x00",
	file: func(d *diagnoser, r Rule, f fileText) {
		if i := bytes.IndexByte(f.body, 0); i >= 0 && i < earlyZero {
			d.say(r, d.src.shift+i, d.src.shift+i+1, nil, words.New("config.not_text"),
				words.New("config.not_text.hint"))
		}
	}}

// earlyZero is how far into a file a zero byte can be a sign of UTF-16.
const earlyZero = 4

var zeroByte = Rule{Code: "zero-byte",
	About:   "The file has a zero byte, which text never has. It may have been damaged by a crash while it was saved.",
	Example: "{\"toolboxes\": {\x00}}",
	file: func(d *diagnoser, r Rule, f fileText) {
		if i := bytes.IndexByte(f.body, 0); i >= earlyZero {
			d.say(r, d.src.shift+i, d.src.shift+i+1, nil, words.New("config.zero_byte"),
				words.New("config.zero_byte.hint"))
		}
	}}

var notUTF8 = Rule{Code: "not-utf8",
	About: "The file is not UTF-8 text, so nobody can tell which character is meant. Often it was saved in an older " +
		"encoding.",
	Example: "{\"toolboxes\": {\"caf\xe9\": {\"mcpServers\": {}}}}",
	file: func(d *diagnoser, r Rule, f fileText) {
		if i := invalidUTF8(f.body); i >= 0 && bytes.IndexByte(f.body, 0) < 0 {
			d.say(r, d.src.shift+i, d.src.shift+i+1, nil, words.New("config.not_utf8", "Byte", fmt.Sprintf("%02X", f.body[i])),
				words.New("config.not_utf8.hint"))
		}
	}}

var emptyFile = Rule{Code: "empty-file",
	About:   "The file is empty. A configuration without toolboxes is written {\"toolboxes\": {}}.",
	Example: " \n",
	file: func(d *diagnoser, r Rule, f fileText) {
		if len(bytes.TrimSpace(f.body)) == 0 {
			d.say(r, 0, 0, nil, words.New("config.empty_file"), words.New("config.smallest"))
		}
	}}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
