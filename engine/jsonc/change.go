package jsonc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/order"
)

// Change replaces the bytes from Start to End of a text by New.
type Change struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// ErrChanges is the error of changes that are not in order, overlap, or do not fit the text.
var ErrChanges = errors.New("the changes do not fit the text")

// Apply returns a text with changes made to it. They must be in order and not overlap.
func Apply(text []byte, changes []Change) ([]byte, error) {
	out := make([]byte, 0, len(text)+added(changes))
	at := 0
	for _, c := range changes {
		if c.Start < at || c.End < c.Start || c.End > len(text) {
			return nil, fmt.Errorf("replacing the bytes %d to %d of %d: %w", c.Start, c.End, len(text), ErrChanges)
		}
		out = append(out, text[at:c.Start]...)
		out = append(out, c.New...)
		at = c.End
	}
	return append(out, text[at:]...), nil
}

// added returns how many bytes changes bring in.
func added(changes []Change) (n int) {
	for _, c := range changes {
		n += len(c.New)
	}
	return n
}

// Invert returns the changes that undo changes of a text: applied to the outcome, they make the very bytes of before.
// The program takes edits back by the texts that it has kept; what this is for is tests, which hold by it that an edit changes nothing but what it says.
func Invert(text []byte, changes []Change) []Change {
	inverse := make([]Change, len(changes))
	shift := 0
	for i, c := range changes {
		start := c.Start + shift
		inverse[i] = Change{start, start + len(c.New), string(text[c.Start:c.End])}
		shift += len(c.New) - (c.End - c.Start)
	}
	return inverse
}

// piece is a stretch of a text that is being changed: bytes of the original, or new ones.
type piece struct {
	original   bool
	start, end int // of the original
	text       string
}

func (p piece) length() int {
	if p.original {
		return p.end - p.start
	}
	return len(p.text)
}

// cut splits a piece at a number of its bytes.
func (p piece) cut(n int) (left, right piece) {
	if p.original {
		return piece{original: true, start: p.start, end: p.start + n}, piece{original: true, start: p.start + n, end: p.end}
	}
	return piece{text: p.text[:n]}, piece{text: p.text[n:]}
}

// pieces is how a changed text is made of the original, so that several changes in a row become one list.
type pieces []piece

func newPieces(length int) pieces { return pieces{{original: true, end: length}} }

// apply makes changes that are in order.
func (ps pieces) apply(changes []Change) pieces {
	for _, c := range slices.Backward(changes) { // from the end, so that places stay right
		ps = ps.replace(c)
	}
	return ps
}

func (ps pieces) replace(c Change) pieces {
	out := make(pieces, 0, len(ps)+2)
	at, placed := 0, false
	add := func(p piece) {
		if p.length() > 0 {
			out = append(out, p)
		}
	}
	place := func() {
		if !placed {
			placed = true
			add(piece{text: c.New})
		}
	}
	for _, p := range ps {
		n := p.length()
		if at+n <= c.Start {
			add(p)
			at += n
			continue
		}
		if at < c.Start {
			var left piece
			left, p = p.cut(c.Start - at)
			add(left)
			at, n = c.Start, p.length()
		}
		place()
		if at+n <= c.End {
			at += n
			continue
		}
		if at < c.End {
			_, p = p.cut(c.End - at)
			at += n - p.length()
		}
		add(p)
		at += p.length()
	}
	place()
	return out
}

// changes returns what makes the text out of the original.
func (ps pieces) changes(original string) []Change {
	var out []Change
	at := 0
	var added strings.Builder
	flush := func(end int) {
		if c, changed := trim(original, Change{at, end, added.String()}); changed {
			out = append(out, c)
		}
		added.Reset()
	}
	for _, p := range ps {
		if !p.original {
			added.WriteString(p.text)
			continue
		}
		flush(p.start)
		at = p.end
	}
	flush(len(original))
	return out
}

// trim takes from a change what it would not change, leaving characters whole.
func trim(source string, c Change) (_ Change, changed bool) {
	old := source[c.Start:c.End]
	if old == c.New {
		return c, false
	}
	n := 0
	for n < len(old) && n < len(c.New) && old[n] == c.New[n] {
		n++
	}
	for n > 0 && (n < len(old) && !utf8.RuneStart(old[n]) || n < len(c.New) && !utf8.RuneStart(c.New[n])) {
		n--
	}
	c.Start += n
	old, c.New = old[n:], c.New[n:]
	n = 0
	for n < len(old) && n < len(c.New) && old[len(old)-1-n] == c.New[len(c.New)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(old[len(old)-n]) {
		n--
	}
	c.End -= n
	c.New = c.New[:len(c.New)-n]
	return c, true
}

// ordered sorts changes and joins those at one place, in the order in which they were given.
func ordered(changes []Change) []Change {
	order.By(changes, func(a, b Change) int { return a.Start - b.Start })
	var out []Change
	for _, c := range changes {
		if n := len(out); n > 0 && out[n-1].Start == out[n-1].End && out[n-1].Start == c.Start {
			out[n-1].End = c.End
			out[n-1].New += c.New
			continue
		}
		out = append(out, c)
	}
	return out
}
