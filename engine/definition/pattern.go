package definition

import (
	"regexp/syntax"
	"strings"
)

// runs reports whether a pattern is a regular expression in JavaScript with the flag u, which the TypeScript SDKs use.
// It accepts only a common subset of JavaScript and Go.
func runs(pattern string) bool {
	plain := strings.NewReplacer("(?:", "(", "(?=", "(", "(?!", "(").Replace(pattern)
	looks := strings.Contains(pattern, "(?=") || strings.Contains(pattern, "(?!")
	if strings.Contains(plain, "(?") {
		return false // flags and names of groups are written differently
	}
	inClass := false
	again := true // a repetition such as * may follow
	for i := 0; i < len(plain); i++ {
		next := byte(0)
		if i+1 < len(plain) {
			next = plain[i+1]
		}
		switch c := plain[i]; {
		case c == '\\':
			if !escapes(next, inClass) {
				return false
			}
			again = next != 'b' && next != 'B'
			if i++; inClass && strings.IndexByte("dDwWsS", next) >= 0 && i+1 < len(plain) && plain[i+1] == '-' {
				return false // perhaps a range that begins with a class
			}
		case inClass:
			if c == '[' && next != 0 && strings.IndexByte(":.=", next) >= 0 {
				return false // a class of POSIX
			}
			inClass = c != ']'
		case c == '[':
			if inClass, again = true, true; next == ']' || strings.HasPrefix(plain[i+1:], "^]") {
				return false // an empty class in JavaScript, and the beginning of one in Go
			}
		case c == ']' || c == '}':
			return false
		case c == '{':
			inner, _, closed := strings.Cut(plain[i+1:], "}")
			if !again || !closed || inner == "" || inner[0] == ',' || strings.Trim(inner, "0123456789,") != "" {
				return false
			}
			i += len(inner) + 1
		case c == '*' || c == '+' || c == '?':
			if !again {
				return false
			}
		case c == ')':
			again = !looks // JavaScript does not allow repetition of a lookahead
		default:
			again = c != '^' && c != '$'
		}
	}
	_, err := syntax.Parse(plain, syntax.Perl)
	return err == nil
}

// escapes reports whether a character can follow a backslash in both languages, with the same meaning.
func escapes(c byte, inClass bool) bool {
	switch {
	case c == 0:
		return false
	case c == '-':
		return inClass
	case c == 'b' || c == 'B':
		return !inClass
	}
	return strings.IndexByte(`dDwWsStnrfv^$\.*+?()[]{}|/`, c) >= 0
}
