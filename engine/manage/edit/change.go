package edit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Change replaces the bytes from Start to End of a text by New.
type Change struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// ApplyChanges returns a text with changes made to it. They must be in order and not overlap.
func ApplyChanges(source []byte, changes []Change) ([]byte, error) {
	out := make([]byte, 0, len(source))
	at := 0
	for _, c := range changes {
		if c.Start < at || c.End < c.Start || c.End > len(source) {
			return nil, fmt.Errorf("the change of bytes %d to %d does not fit a text of %d bytes", c.Start, c.End, len(source))
		}
		out = append(out, source[at:c.Start]...)
		out = append(out, c.New...)
		at = c.End
	}
	return append(out, source[at:]...), nil
}

// invert returns the changes that undo changes of source.
func invert(source []byte, changes []Change) []Change {
	inverse := make([]Change, len(changes))
	shift := 0
	for i, c := range changes {
		start := c.Start + shift
		inverse[i] = Change{start, start + len(c.New), string(source[c.Start:c.End])}
		shift += len(c.New) - (c.End - c.Start)
	}
	return inverse
}

// piece is a stretch of a text that is being edited: bytes of the original, or new ones.
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

// pieces is how an edited text is made of the original, so that several edits in a row become one
// list of changes.
type pieces []piece

func (ps pieces) replace(c Change) pieces {
	var out pieces
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
func (ps pieces) changes(original []byte) []Change {
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

// trim takes from a change what it wouldn't change, leaving characters whole.
func trim(source []byte, c Change) (_ Change, changed bool) {
	old := string(source[c.Start:c.End])
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
