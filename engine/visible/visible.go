// Package visible protects people from characters that they cannot see: control characters that a terminal
// interprets, those that change the direction of text, and those without width, which can hide text for a
// model.
//
// Text from a server, a file or another program passes through [Without] or [Line] before a window shows it,
// and through a [Writer] before a terminal does.
package visible

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Joiners, which some scripts and emoji need.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// Hidden reports whether a character is invisible in any context. This includes line ends and tabs. It does
// not include joiners and variation selectors, since they depend on the character before them: see [Map].
func Hidden(r rune) bool {
	switch {
	case ' ' <= r && r <= '~':
		return false
	case r == joiner || r == nonJoiner || unicode.Is(unicode.Variation_Selector, r):
		return false
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// seenAfter reports whether a joiner or a variation selector changes the look of the character before it.
func seenAfter(before, r rune) bool {
	switch {
	case r == joiner && before == '\ufe0f':
		return true
	case r == joiner || r == nonJoiner:
		// Letters of European and East Asian scripts are not joined.
		return unicode.In(before, unicode.So, unicode.Sk) || unicode.In(before, unicode.L, unicode.M) &&
			!unicode.Is(unicode.Variation_Selector, before) &&
			!unicode.In(before, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana,
				unicode.Hangul, unicode.Inherited, unicode.Common)
	case r == '\ufe0e' || r == '\ufe0f':
		return unicode.In(before, unicode.So, unicode.Sm, unicode.Po, unicode.Nd)
	case unicode.Is(unicode.Mongolian, r):
		return unicode.Is(unicode.Mongolian, before) && !unicode.Is(unicode.Variation_Selector, before)
	}
	return unicode.Is(unicode.Han, before)
}

// Map returns the text with each invisible character replaced by the result of change, and each byte that is
// not UTF-8 by U+FFFD. change is also called for line ends and tabs.
func Map(text string, change func(r rune) string) string {
	if ascii(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	before := rune(0)
	for _, r := range text {
		mark := r == joiner || r == nonJoiner || unicode.Is(unicode.Variation_Selector, r)
		if Hidden(r) || mark && !seenAfter(before, r) {
			out.WriteString(change(r))
			before = 0
			continue
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

// ascii reports whether the text is printable ASCII.
func ascii(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// Without returns the text without invisible characters. It keeps line ends, and turns a tab into a space.
func Without(text string) string {
	return Map(text, func(r rune) string {
		switch r {
		case '\n':
			return "\n"
		case '\t':
			return " "
		}
		return ""
	})
}

// Line returns the text on one line: without invisible characters, and with one space instead of each run of
// spaces, tabs and line ends.
func Line(text string) string {
	if ascii(text) && !strings.Contains(text, "  ") {
		return strings.TrimSpace(text)
	}
	text = Map(text, func(r rune) string {
		if unicode.IsSpace(r) {
			return " "
		}
		return ""
	})
	return strings.Join(strings.Fields(text), " ")
}

// Cut returns no more than most characters of a text. A longer text ends in "…".
func Cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:most-1]), " ") + "…"
}

// CutBytes is [Cut] for a number of bytes. It does not split characters.
func CutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

// Short returns a text from outside on one line and with no more than most characters. If the text is far
// longer, only its beginning is examined.
func Short(text string, most int) string {
	return Cut(Line(strings.ToValidUTF8(text[:min(len(text), 16*most)], "")), most)
}

// Mark returns the replacement for something invisible: ‹U+202E›.
func Mark(name string) string { return "‹" + name + "›" }

// Number returns the [Mark] of a character with its code point. For text that may be JSON, use [Escape].
func Number(r rune) string { return Mark(fmt.Sprintf("U+%04X", r)) }

// Escape returns a character as an escape sequence of JSON: \u202e.
func Escape(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Escaped returns the text with each invisible character replaced by its [Escape], so that people see it and
// JSON keeps its meaning. Line ends and tabs stay.
func Escaped(text string) string {
	return Map(text, func(r rune) string {
		if r == '\n' || r == '\t' {
			return string(r)
		}
		return Escape(r)
	})
}

// Writer passes text on to a terminal after [Escaped].
type Writer struct{ to io.Writer }

// NewWriter returns a Writer to another writer. Each Write must have whole characters.
func NewWriter(to io.Writer) Writer { return Writer{to} }

// Write implements [io.Writer].
func (w Writer) Write(p []byte) (int, error) {
	text := strings.ReplaceAll(string(p), "\r\n", "\n")
	if _, err := io.WriteString(w.to, Escaped(text)); err != nil {
		return 0, err
	}
	return len(p), nil
}
