package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Kind says what a piece of a text means.
type Kind int

// The kinds of pieces.
const (
	Plain  Kind = iota // shown as it is
	Masked             // a secret
	Unseen             // the code points of characters that are invisible or change the direction of text
	Break              // a line break in the value
)

// Piece is a part of a text.
type Piece struct {
	Kind Kind
	Text string
}

// Text can be shown anywhere: it has no invisible character, no line break, and nothing that a terminal would
// interpret.
type Text []Piece

// String returns the text on one line.
func (t Text) String() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.Text)
	}
	return b.String()
}

// unseen reports whether the text has invisible characters other than line breaks.
func (t Text) unseen() bool {
	return slices.ContainsFunc(t, func(p Piece) bool { return p.Kind == Unseen })
}

// Visible returns a text in which every character is visible.
func Visible(value string) Text { return show(nil, value) }

// text returns a value with its secrets masked. The spans may overlap.
func text(value string, spans []secret.Span) Text {
	slices.SortStableFunc(spans, func(a, b secret.Span) int { return cmp.Compare(a.Start, b.Start) })
	var t Text
	at := 0
	for _, span := range spans {
		if span.End <= at {
			continue
		}
		if span.Start > at || at == 0 {
			t = show(t, value[at:max(at, span.Start)])
			t = append(t, Piece{Masked, secret.Masked})
		}
		at = span.End
	}
	return show(t, value[at:])
}

// Limits on repeated characters that are shown. Longer runs are replaced by their number, so that they cannot hide the
// rest of a text.
const (
	maxSpaces = 12 // spaces
	maxBreaks = 2  // line breaks
	maxBlank  = 64 // bytes of white space of all kinds
)

// show appends a value to a text.
func show(t Text, value string) Text {
	start := 0 // of the plain part
	flush := func(end int) {
		if end > start {
			t = append(t, Piece{Plain, value[start:end]})
		}
	}
	for i := 0; i < len(value); {
		r, size := utf8.DecodeRuneInString(value[i:])
		if !odd(r, size) {
			i += size
			continue
		}
		run := size // of the same character
		for i+run < len(value) && strings.HasPrefix(value[i+run:], value[i:i+size]) {
			run += size
		}
		blank := blankRun(value[i:])
		count := run / size
		switch {
		case r == ' ' && count <= maxSpaces && blank <= maxBlank:
			i += run
			continue
		case blank > maxBlank && blank > run:
			flush(i)
			t = append(t, Piece{Unseen, visible.Mark(fmt.Sprintf("blank ×%d", blank))})
			run = blank
		case r == '\n' && count <= maxBreaks:
			flush(i)
			for range count {
				t = append(t, Piece{Break, "↵"})
			}
		default:
			flush(i)
			t = append(t, Piece{Unseen, number(r, value[i:i+size], count)})
		}
		i += run
		start = i
	}
	flush(len(value))
	return t
}

// blankRun returns how many bytes of spaces, tabs and line breaks a text begins with.
func blankRun(value string) int {
	n := 0
	for n < len(value) && strings.IndexByte(" \t\r\n", value[n]) >= 0 {
		n++
	}
	return n
}

// number returns the code point of a character, and how often it is repeated.
func number(r rune, bytes string, count int) string {
	name := fmt.Sprintf("U+%04X", r)
	if r == utf8.RuneError && len(bytes) == 1 {
		name = fmt.Sprintf("0x%02X", bytes[0])
	}
	if count > 1 {
		name += fmt.Sprintf(" ×%d", count)
	}
	return visible.Mark(name)
}

// odd reports whether a character needs a check: spaces, which may be too many, and all invisible characters.
func odd(r rune, size int) bool {
	switch {
	case r == ' ':
		return true
	case r > ' ' && r < 0x7f:
		return false
	case r == utf8.RuneError && size <= 1, !unicode.IsPrint(r):
		return true
	}
	return invisible(r)
}

// invisible reports whether a character that counts as printable shows nothing, or only changes how its
// neighbour looks. A command never needs such a character.
func invisible(r rune) bool {
	// the Braille pattern without dots
	return visible.Hidden(r) || unicode.Is(unicode.Variation_Selector, r) || r == '\u2800'
}

// join merges adjacent plain pieces.
func join(t Text) Text {
	out := make(Text, 0, len(t))
	for i := 0; i < len(t); {
		end := i + 1
		for t[i].Kind == Plain && end < len(t) && t[end].Kind == Plain {
			end++
		}
		if end == i+1 {
			out = append(out, t[i])
		} else {
			out = append(out, Piece{Plain, t[i:end].String()})
		}
		i = end
	}
	return out
}
