package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/order"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Kind says what a piece of a text stands for.
type Kind int

// The kinds of pieces.
const (
	Plain  Kind = iota // what it says
	Masked             // a secret
	Unseen             // characters that cannot be seen, or would turn the direction of others, by their numbers
	Break              // the end of a line in a value
)

// Piece is a part of a text.
type Piece struct {
	Kind Kind
	Text string
}

// Text is a text that can be shown anywhere: nothing in it is invisible, ends a line, or is obeyed by a terminal.
type Text []Piece

// String returns the text in one line.
func (t Text) String() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.Text)
	}
	return b.String()
}

// unseen reports whether something in the text cannot be seen by itself, line breaks aside.
func (t Text) unseen() bool {
	return slices.ContainsFunc(t, func(p Piece) bool { return p.Kind == Unseen })
}

// Visible returns a text with everything in it visible.
func Visible(value string) Text { return show(nil, value) }

// text is a value with its secrets masked. The spans may overlap.
func text(value string, spans []secret.Span) Text {
	order.By(spans, func(a, b secret.Span) int { return cmp.Compare(a.Start, b.Start) })
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

// Bounds on what is written as it is. Longer runs of the same are counted instead, so that nobody pushes the rest of a text out of sight.
const (
	maxSpaces = 12
	maxBreaks = 2
	maxBlank  = 64
)

// show adds a text to others.
func show(t Text, value string) Text {
	start := 0 // of what is plain
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
		run := size // of the same
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

// blankRun is how many bytes of spaces, tabs and line breaks a text begins with.
func blankRun(value string) int {
	n := 0
	for n < len(value) && strings.IndexByte(" \t\r\n", value[n]) >= 0 {
		n++
	}
	return n
}

// number names a character by its number, and says how often it stands there.
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

// odd reports whether a character needs a look: spaces, which may be too many, and all that cannot be seen.
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

// invisible reports whether a character that counts as printable is shown as nothing, or changes only how its neighbour looks. In a command
// that is never welcome, whatever stands before.
func invisible(r rune) bool {
	return visible.Hidden(r) || unicode.Is(unicode.Variation_Selector, r) || r == '\u2800' // the Braille pattern without dots
}

// join puts plain pieces that follow each other together.
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
