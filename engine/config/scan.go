package config

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep objects and arrays may be nested. A configuration needs five levels; the
// limit keeps the functions that go down the tree from exhausting the stack.
const maxDepth = 200

// syntaxProblem is where and why a text is not JSON with comments.
type syntaxProblem struct {
	start, end    int
	at            *place
	message, hint string

	// repair, when there is one, makes good what is wrong at the place, so that the rest of the text can
	// be diagnosed as well. It is offered as a fix when it has a title; else it is only a guess.
	repair []Change
	title  string
	again  bool // the whole text has to be scanned again
}

// scanner looks for the first syntax error, remembering enough to explain it. It does not recurse,
// so it can be given anything. hujson would find the same errors, but in words for programmers and
// at the place where it gave up.
type scanner struct {
	text   []byte
	source []byte   // the text before it was repaired
	edits  []Change // the repairs, in the order in which they were made, each a change of the text as it was then
	trial  bool     // only whether there is a problem matters
	trials int      // how often the whole text has been scanned to try a repair
	budget int      // bytes that may still be scanned in search of a repair
	at     int      // the next byte
	begin  int      // where the last token that was understood begins
	last   int      // and where it ends
	stack  []frame
	state  state
}

// frame is an object or array that is open.
type frame struct {
	open   int // the place of its bracket
	object bool
	comma  int    // the place of the last comma in it, 0 when there is none
	key    []byte // of the current member, as it is in the text
	before []byte // of the one before
	index  int    // of the current element
}

// state is what may come next.
type state int

const (
	wantValue      state = iota // after a colon, or at the start
	wantElement                 // after "[" or after a comma in an array: a value or "]"
	wantKey                     // after "{" or after a comma in an object: a name or "}"
	wantColon                   // after a name
	wantCommaOrEnd              // after a value in an object or array
	wantNothing                 // after the whole
)

// scanSyntax returns the first syntax error, or nil.
func scanSyntax(text []byte) *syntaxProblem {
	s := scanner{text: text, source: text}
	return s.next()
}

// next goes on to the next syntax error.
func (s *scanner) next() *syntaxProblem {
	for {
		if problem := s.skipExtra(); problem != nil {
			return s.place(problem)
		}
		if s.at == len(s.text) {
			if s.state == wantNothing {
				return nil
			}
			return s.place(s.explainEnd())
		}
		begin := s.at
		if problem := s.token(); problem != nil {
			return s.place(problem)
		}
		s.begin, s.last = begin, s.at
	}
}

// skipExtra passes over white space and comments.
func (s *scanner) skipExtra() *syntaxProblem {
	for s.at < len(s.text) {
		switch rest := s.text[s.at:]; {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n':
			s.at++
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			for _, separator := range []string{"\u2028", "\u2029"} {
				if i := bytes.Index(rest[:n], []byte(separator)); i >= 0 {
					return &syntaxProblem{start: s.at + i, end: s.at + i + len(separator), title: "Remove the invisible character", repair: []Change{{s.at + i, s.at + i + len(separator), " "}},
						message: "there is an invisible line separator in this comment", hint: "delete the character, or press Enter there to begin a new line"}
				}
			}
			s.at += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return s.endlessComment()
			}
			s.at += 2 + n + 2
		default:
			return nil
		}
	}
	return nil
}

// token passes over the next token, if it is one that may come here.
func (s *scanner) token() *syntaxProblem {
	c := s.text[s.at]
	switch s.state {
	case wantNothing:
		return s.explainRest()
	case wantColon:
		if c != ':' {
			return s.explainColon()
		}
		s.at++
		s.state = wantValue
		return nil
	case wantCommaOrEnd:
		switch top := s.top(); {
		case c == ',':
			top.comma = s.at
			s.at++
			if top.object {
				s.state = wantKey
			} else {
				s.state = wantElement
				top.index++
			}
			return nil
		case c == top.closer():
			s.close()
			return nil
		}
		return s.explainComma()
	case wantKey:
		top := s.top()
		switch c {
		case '"':
			end, problem := s.str()
			if problem != nil {
				return problem
			}
			top.before, top.key = top.key, s.text[s.at:end]
			s.at = end
			s.state = wantColon
			return nil
		case '}':
			s.close()
			return nil
		}
		return s.explainKey()
	case wantElement:
		if c == ']' {
			s.close()
			return nil
		}
	}
	return s.value(c)
}

func (s *scanner) value(c byte) *syntaxProblem {
	switch c {
	case '{', '[':
		if len(s.stack) == maxDepth {
			return &syntaxProblem{start: s.at, end: s.at + 1, message: "objects and arrays are nested too deeply here", hint: "a configuration needs no more than five levels; check that this is the right file"}
		}
		s.stack = append(s.stack, frame{open: s.at, object: c == '{'})
		s.at++
		s.state = wantElement
		if c == '{' {
			s.state = wantKey
		}
		return nil
	case '"':
		end, problem := s.str()
		if problem != nil {
			return problem
		}
		s.at = end
	default:
		end := s.at
		for end < len(s.text) && wordByte(s.text[end]) {
			end++
		}
		if !validWord(s.text[s.at:end]) {
			return s.explainValue(end)
		}
		s.at = end
	}
	s.after()
	return nil
}

// str returns the end of the string that begins here.
func (s *scanner) str() (int, *syntaxProblem) {
	for i := s.at + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			return i + 1, nil
		case c < ' ':
			return 0, s.explainControl(i)
		case c == '\\':
			n := escapeLength(s.text[i:])
			if n == 0 {
				return 0, s.explainEscape(i)
			}
			i += n - 1
		}
	}
	return 0, s.unclosedAtEnd()
}

// escapeLength returns the length of the escape sequence at the start of text, or 0 if it is none.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	if text[1] != 'u' {
		if bytes.IndexByte([]byte(`"\/bfnrt`), text[1]) >= 0 {
			return 2
		}
		return 0
	}
	unit, ok := codeUnit(text)
	if !ok {
		return 0
	}
	if utf16.IsSurrogate(unit) {
		// One half of a character above U+FFFF; encoding/json would make a question mark of it.
		if second, ok := codeUnit(text[6:]); !ok || utf16.DecodeRune(unit, second) == utf8.RuneError {
			return 0
		}
		return 12
	}
	return 6
}

func (s *scanner) top() *frame {
	return &s.stack[len(s.stack)-1]
}

func (f *frame) closer() byte {
	if f.object {
		return '}'
	}
	return ']'
}

func (s *scanner) close() {
	s.at++
	s.stack = s.stack[:len(s.stack)-1]
	s.after()
}

// after sets the state after a whole value.
func (s *scanner) after() {
	s.state = wantCommaOrEnd
	if len(s.stack) == 0 {
		s.state = wantNothing
	}
}

// place gives a problem its path.
func (s *scanner) place(problem *syntaxProblem) *syntaxProblem {
	for i, f := range s.stack {
		inside := i < len(s.stack)-1
		switch {
		case f.object && (inside || s.state == wantColon || s.state == wantValue || s.state == wantCommaOrEnd):
			if len(f.key) > 0 {
				problem.at = problem.at.member(decode(f.key))
			}
		case !f.object && (inside || s.state == wantElement || s.state == wantCommaOrEnd):
			problem.at = problem.at.element(f.index)
		}
	}
	return problem
}

// wordByte tells whether a byte can be part of a number, true, false or null, or of a word that
// somebody forgot to quote.
func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.'
}

func validWord(word []byte) bool {
	switch string(word) {
	case "true", "false", "null":
		return true
	}
	return validNumber(word)
}

// validNumber tells whether a word is a number as RFC 8259, section 6 has it.
func validNumber(word []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(word) && word[n] >= '0' && word[n] <= '9' {
			n++
		}
		word = word[n:]
		return n > 0
	}
	word = bytes.TrimPrefix(word, []byte("-"))
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

// word returns the text at a place up to where a token would end: at white space, or at a character
// that means something in JSON. At least one character.
func (s *scanner) word(at int) []byte {
	rest := s.text[at:]
	n := bytes.IndexAny(rest, " \t\r\n,:{}[]\"'")
	if n < 0 {
		n = len(rest)
	}
	if n == 0 {
		_, n = utf8.DecodeRune(rest)
	}
	return rest[:n]
}
