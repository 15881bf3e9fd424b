// Package visible keeps characters that nobody sees away from people: those that a terminal obeys instead of showing them, those that turn
// the direction of writing, and those without a width, in which text for a model can be hidden.
//
// Text that came from a server, a file or another program passes through [Without] or [Line] before a window shows it, and through a [Writer]
// before a terminal does.
package visible

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Joiners, which scripts and emoji need.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// Hidden reports whether a character cannot be seen wherever it stands. Line ends and tabs are among these characters. Joiners and variation
// selectors are not, since it depends on the character before them: see [Map].
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

// seenAfter reports whether a joiner or a variation selector changes how the character before it looks.
func seenAfter(before, r rune) bool {
	switch {
	case r == joiner && before == '\ufe0f':
		return true
	case r == joiner || r == nonJoiner:
		// Letters of the scripts of Europe and East Asia are not joined.
		return unicode.In(before, unicode.So, unicode.Sk) || unicode.In(before, unicode.L, unicode.M) && !unicode.Is(unicode.Variation_Selector, before) &&
			!unicode.In(before, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Inherited, unicode.Common)
	case r == '\ufe0e' || r == '\ufe0f':
		return unicode.In(before, unicode.So, unicode.Sm, unicode.Po, unicode.Nd)
	case unicode.Is(unicode.Mongolian, r):
		return unicode.Is(unicode.Mongolian, before) && !unicode.Is(unicode.Variation_Selector, before)
	}
	return unicode.Is(unicode.Han, before)
}

// Map returns the text with the result of change in the place of each character that cannot be seen, and U+FFFD in the place of each byte that is
// not UTF-8. Line ends and tabs go to change as well.
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

// Without returns the text without the characters that cannot be seen, for several lines: line ends stay, and a tab becomes a space.
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

// Line returns the text as one line: without the characters that cannot be seen, and with one space in the place of spaces, tabs and line ends.
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

// Cut returns at most so many characters of a text. One that is longer ends in "…".
func Cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:most-1]), " ") + "…"
}

// CutBytes is [Cut] for a number of bytes. No character is cut through.
func CutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

// Short returns a text from elsewhere as one line of at most so many characters. Of a text that is far longer, only the beginning is looked at.
func Short(text string, most int) string {
	return Cut(Line(strings.ToValidUTF8(text[:min(len(text), 16*most)], "")), most)
}

// Mark returns what stands in a text in the place of something that cannot be seen: ‹U+202E›.
func Mark(name string) string { return "‹" + name + "›" }

// Number returns the [Mark] of a character: its number. [Escape] is for text that may be JSON.
func Number(r rune) string { return Mark(fmt.Sprintf("U+%04X", r)) }

// Escape returns a character as JSON writes it in a string when it is not to stand there itself: \u202e.
func Escape(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Escaped returns the text with [Escape] of it in the place of each character that cannot be seen, so that people see that something is there, and
// JSON stays the same JSON. Line ends and tabs stay.
func Escaped(text string) string {
	return Map(text, func(r rune) string {
		if r == '\n' || r == '\t' {
			return string(r)
		}
		return Escape(r)
	})
}

// Writer passes text on to a terminal, as [Escaped] returns it.
type Writer struct{ to io.Writer }

// NewWriter returns a Writer to another writer. Each Write must be whole characters.
func NewWriter(to io.Writer) Writer { return Writer{to} }

// Write implements [io.Writer].
func (w Writer) Write(p []byte) (int, error) {
	text := strings.ReplaceAll(string(p), "\r\n", "\n")
	if _, err := io.WriteString(w.to, Escaped(text)); err != nil {
		return 0, err
	}
	return len(p), nil
}
