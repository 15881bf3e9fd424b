package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// PageSize is how many bytes of text a tool returns at most. Some clients show their models about 28,000 characters.
const PageSize = 25_000

// Page returns the part of a text that begins at an offset in bytes, at most as long as size (0: [PageSize]). It ends
// at the end of a line where that is near, and never inside a character. If more follows, the last line says how to go
// on.
func Page(text string, offset, size int) (string, error) {
	if size <= 0 || size > PageSize {
		size = PageSize
	}
	if offset < 0 || offset > len(text) {
		return "", fmt.Errorf("the offset %d is not in the text, which has %d bytes", offset, len(text))
	}
	offset = begin(text, offset)
	rest := text[offset:]
	part := Cut(rest, size)
	if len(part) == len(rest) {
		return part, nil
	}
	return fmt.Sprintf("%s\n[%d of %d bytes; go on with offset %d]", part, len(part), len(text), offset+len(part)), nil
}

// begin returns where the character begins that an offset is in.
func begin(text string, offset int) int {
	for start := offset - 1; start >= max(0, offset-utf8.UTFMax+1); start-- {
		if _, size := utf8.DecodeRuneInString(text[start:]); size > offset-start {
			return start
		}
	}
	return offset
}

// Cut returns the beginning of a text, size bytes at most. It ends after a line if the last one is in the second half.
func Cut(text string, size int) string {
	if len(text) <= size {
		return text
	}
	end := size
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if end == 0 { // no character begins here, so this is no text
		end = size
	}
	if line := strings.LastIndexByte(text[:end], '\n') + 1; line > end/2 {
		end = line
	}
	return text[:end]
}
