package downstream

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeLine returns a line of output as UTF-8. On Windows, wsl.exe writes UTF-16, and cmd.exe and its programs write
// the code page of consoles.
func decodeLine(line []byte) string {
	switch {
	case bytes.IndexByte(line, 0) >= 0 && 3*bytes.Count(line, []byte{0}) >= len(line):
		return fromUTF16(line)
	case utf8.Valid(line):
		return string(line)
	}
	for cut := 1; cut < utf8.UTFMax && cut < len(line); cut++ { // a long line may be cut within a character
		if tail := line[len(line)-cut:]; utf8.RuneStart(tail[0]) && !utf8.FullRune(tail) &&
			utf8.Valid(line[:len(line)-cut]) {
			return string(line[:len(line)-cut])
		}
	}
	if text, ok := fromCodePage(line); ok {
		return text
	}
	return strings.ToValidUTF8(string(line), "\ufffd")
}

// fromUTF16 decodes a line of UTF-16 (little endian). The line was cut at bytes that are line ends in UTF-8, so it may
// begin with the second byte of one.
func fromUTF16(line []byte) string {
	line = bytes.TrimPrefix(bytes.TrimPrefix(line, []byte{0}), []byte{0xff, 0xfe})
	units := make([]uint16, len(line)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(line[2*i:])
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\r\n")
}
