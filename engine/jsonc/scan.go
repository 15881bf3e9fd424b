package jsonc

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const byteOrderMark = "\ufeff"

// token is a word of the grammar. Its kind is one of those below.
type token struct {
	kind    tokenKind
	start   int
	end     int
	newLine bool // there is a line end between the previous token and this one
}

type tokenKind byte

// Punctuation characters are their own kinds. Strings, true, false, null and numbers have the kind of the
// value.
const (
	endOfText tokenKind = 0
	word      tokenKind = 'w' // something that is no value
	quoted    tokenKind = 'q' // a text in other quotes
)

// scanner splits a text into tokens. It never fails: it records mistakes and continues after them.
type scanner struct {
	text     string
	at       int
	ended    int    // where the previous token ended
	lineEnd  int    // of the last line that was searched for other quotes
	closers  [3]int // the offset of the next closing quote of each kind, or the end of the line
	errors   []Error
	comments []Span
}

func (s *scanner) fail(code Code, start, end int) {
	if len(s.errors) < MaxErrors {
		s.errors = append(s.errors, Error{code, start, end, s.ended, -1})
	}
}

// scan returns the next token.
func (s *scanner) scan() token {
	newLine := s.skipSpace()
	t := token{start: s.at, newLine: newLine}
	if s.at == len(s.text) {
		t.end = s.at
		return t
	}
	switch c := s.text[s.at]; c {
	case '{', '}', '[', ']', ':', ',':
		t.kind = tokenKind(c)
		s.at++
	case '"':
		t.kind = tokenKind(String)
		s.str()
	default:
		t.kind = s.word()
	}
	t.end, s.ended = s.at, s.at
	return t
}

// skipSpace skips white space and comments, and reports whether they contain a line end.
func (s *scanner) skipSpace() (newLine bool) {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '\n':
			newLine = true
			s.at++
		case c == ' ' || c == '\t' || c == '\r':
			s.at++
		case c == '/' && s.at+1 < len(s.text) && (s.text[s.at+1] == '/' || s.text[s.at+1] == '*'):
			newLine = s.comment() || newLine
		case c == '#':
			end := lineEnd(s.text, s.at)
			s.fail(InvalidSymbol, s.at, end)
			s.at = end
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s.text[s.at:])
			if !unicode.IsSpace(r) && !strings.ContainsRune("\u200b\u2060\ufeff", r) {
				return newLine
			}
			s.fail(InvalidSymbol, s.at, s.at+size)
			s.at += size
		default:
			return newLine
		}
	}
	return newLine
}

// comment skips a comment, and reports whether it contains a line end.
func (s *scanner) comment() (newLine bool) {
	start, end := s.at, skipComment(s.text, s.at)
	body := s.text[start:end]
	s.at = end
	s.comments = append(s.comments, Span{start, end})
	if body[1] == '*' {
		if len(body) < len("/**/") || !strings.HasSuffix(body, "*/") {
			s.fail(UnexpectedEndOfComment, start, end)
		}
		newLine = strings.IndexByte(body, '\n') >= 0
	} else if strings.IndexByte(body, 0xe2) >= 0 {
		// JavaScript ends the comment here, other languages do not.
		for _, separator := range []string{"\u2028", "\u2029"} {
			if i := strings.Index(body, separator); i >= 0 {
				s.fail(InvalidCharacter, start+i, start+i+len(separator))
			}
		}
	}
	for i := strings.IndexByte(body, 0); i >= 0; i = next(body, 0, i) {
		s.fail(InvalidCharacter, start+i, start+i+1)
	}
	return newLine
}

// next returns the next offset of a byte after an offset, or -1.
func next(text string, c byte, after int) int {
	if i := strings.IndexByte(text[after+1:], c); i >= 0 {
		return after + 1 + i
	}
	return -1
}

// str scans a string. One that is not closed ends with its line, or before the comma there.
func (s *scanner) str() {
	start := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return
		case c == '\n' || c == '\r':
			s.unclosed(start)
			return
		case c == '\\':
			s.escape()
		case c < ' ':
			s.fail(InvalidCharacter, s.at, s.at+1)
		}
	}
	s.at = min(s.at, len(s.text))
	s.unclosed(start)
}

func (s *scanner) unclosed(start int) {
	if text := strings.TrimRight(s.text[start:s.at], " \t"); strings.HasSuffix(text, ",") {
		s.at = start + len(text) - 1
	}
	s.fail(UnexpectedEndOfString, start, s.at)
}

// escape scans an escape sequence except its last byte.
func (s *scanner) escape() {
	start := s.at
	if start+1 >= len(s.text) {
		return // the string is not closed either
	}
	switch c := s.text[start+1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at++
	case 'u':
		unit, ok := codeUnit(s.text[start:])
		if !ok {
			s.fail(InvalidEscape, start, start+2)
			s.at++
			return
		}
		s.at += 5
		if !utf16.IsSurrogate(unit) {
			return
		}
		if second, ok := codeUnit(s.text[start+6:]); ok && utf16.DecodeRune(unit, second) != utf8.RuneError {
			s.at += 6
			return
		}
		s.fail(LoneSurrogate, start, start+6)
	case '\n', '\r':
	default:
		_, size := utf8.DecodeRuneInString(s.text[start+1:])
		s.fail(InvalidEscape, start, start+1+size)
		s.at += size
	}
}

// codeUnit reads the \uXXXX at the start of text.
func codeUnit(text string) (unit rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range []byte(text[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}

// word scans a number, true, false, null, a text in other quotes, or anything else up to where a token would
// end.
func (s *scanner) word() tokenKind {
	start := s.at
	if end := s.otherQuotes(); end > 0 {
		s.at = end
		s.fail(InvalidQuotes, start, end)
		return quoted
	}
	for s.at < len(s.text) && !endsWord(s.text, s.at) {
		s.at++
	}
	s.at = max(s.at, start+1)
	switch text := s.text[start:s.at]; {
	case text == "true" || text == "false" || text == "null":
		return tokenKind(text[0])
	case validNumber(text):
		return tokenKind(Number)
	}
	return word
}

func endsWord(text string, at int) bool {
	switch text[at] {
	case ' ', '\t', '\r', '\n', ',', ':', '{', '}', '[', ']', '"', ';':
		return true
	case '/':
		return at+1 < len(text) && (text[at+1] == '/' || text[at+1] == '*')
	}
	return false
}

// otherQuotes returns the end of a text in other quotes that begins here, or 0. It ends on its line. Each
// line is searched only once, however many quotes it has.
func (s *scanner) otherQuotes() int {
	open, size := utf8.DecodeRuneInString(s.text[s.at:])
	kind, closing := 0, ""
	switch {
	case open == '\'':
		kind, closing = 0, "'’"
	case open == '`':
		kind, closing = 1, "`"
	case strings.ContainsRune("“”„‟‘’‚«»", open):
		kind, closing = 2, "“”„‘’«»\""
	default:
		return 0
	}
	from := s.at + size
	if s.lineEnd < from {
		s.lineEnd = lineEnd(s.text, from)
	}
	if s.closers[kind] < from {
		s.closers[kind] = s.lineEnd
		if i := strings.IndexAny(s.text[from:s.lineEnd], closing); i >= 0 {
			s.closers[kind] = from + i
		}
	}
	end := s.closers[kind]
	if end == s.lineEnd {
		return 0
	}
	_, width := utf8.DecodeRuneInString(s.text[end:])
	if end += width; end < len(s.text) && !endsWord(s.text, end) {
		return 0
	}
	return end
}

// validNumber reports whether a word is a number according to RFC 8259, section 6.
func validNumber(word string) bool {
	digits := func() bool {
		n := 0
		for n < len(word) && word[n] >= '0' && word[n] <= '9' {
			n++
		}
		word = word[n:]
		return n > 0
	}
	word = strings.TrimPrefix(word, "-")
	switch {
	case len(word) > 0 && word[0] == '0':
		word = word[1:]
	case !digits():
		return false
	}
	if len(word) > 0 && word[0] == '.' {
		word = word[1:]
		if !digits() {
			return false
		}
	}
	if len(word) > 0 && (word[0] == 'e' || word[0] == 'E') {
		word = word[1:]
		if len(word) > 0 && (word[0] == '+' || word[0] == '-') {
			word = word[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(word) == 0
}

// lineEnd returns the end of the line that contains an offset, before its line end.
func lineEnd(text string, at int) int {
	n := strings.IndexByte(text[at:], '\n')
	if n < 0 {
		return len(text)
	}
	if n > 0 && text[at+n-1] == '\r' {
		n--
	}
	return at + n
}

// skipComment returns the end of the comment at an offset. The line end is not part of it.
func skipComment(text string, at int) int {
	if text[at+1] == '*' {
		n := strings.Index(text[at+2:], "*/")
		if n < 0 {
			return len(text)
		}
		return at + 2 + n + 2
	}
	n := strings.IndexByte(text[at:], '\n')
	if n < 0 {
		return len(text)
	}
	return at + n
}
