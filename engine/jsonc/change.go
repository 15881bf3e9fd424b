package jsonc

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Change replaces the bytes from Start to End of a text by New.
type Change struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// ErrChanges is the error for changes that are not in order, overlap, or do not fit the text.
var ErrChanges = errors.New("the changes do not fit the text")

// Apply returns a text with changes made. They must be in order and must not overlap.
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

// added returns how many bytes the changes insert.
func added(changes []Change) (n int) {
	for _, c := range changes {
		n += len(c.New)
	}
	return n
}

// Invert returns the changes that undo changes of a text: applied to the result, they give exactly the
// original bytes.
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

// Difference returns the single, shortest change that turns one text into another; none if they are equal.
func Difference(before, after string) []Change {
	if c, changed := trim(before, Change{0, len(before), after}); changed {
		return []Change{c}
	}
	return nil
}

// trim removes from a change the parts that change nothing. It does not cut characters.
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

// ordered sorts changes. Changes at the same place are joined in the order in which they were given.
func ordered(changes []Change) []Change {
	slices.SortStableFunc(changes, func(a, b Change) int { return a.Start - b.Start })
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
