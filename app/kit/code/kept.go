package code

import (
	"cmp"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Span is a part of a text: the bytes from Start up to, but not including, End.
type Span struct{ Start, End int }

// Change replaces the bytes from Start up to, but not including, End by New.
type Change struct {
	Start, End int
	New        string
}

// keptSpan is a part of a line that cannot be changed. Its first byte is at the index from, and its last byte is
// before the index to.
type keptSpan struct{ line, from, to int }

// Keep sets which parts of the text cannot be changed, such as dots that stand for a secret. The parts are in order,
// each within a line. They move with the text when something before them changes. SetText forgets them. Call Keep
// right after SetText or Follow, because the undo history must not reach into the parts.
func (e *Entry) Keep(spans []Span) {
	e.buffer.kept = e.buffer.kept[:0]
	at := e.buffer.placer()
	for _, span := range spans {
		from, to := at.place(span.Start), at.place(span.End)
		if from.line == to.line && from.at < to.at {
			e.buffer.kept = append(e.buffer.kept, keptSpan{from.line, from.at, to.at})
		}
	}
	e.redraw()
}

// Kept returns the parts that cannot be changed, where they are now.
func (e *Entry) Kept() []Span {
	spans := make([]Span, 0, len(e.buffer.kept))
	offset, line := len(e.buffer.mark), 0
	for _, kept := range e.buffer.kept {
		for ; line < kept.line; line++ {
			offset += len(e.buffer.lines[line]) + len(e.buffer.newline)
		}
		spans = append(spans, Span{offset + kept.from, offset + kept.to})
	}
	return spans
}

// Change makes changes in several places as if the user had made them: they are undone together, and OnChanged is
// called. The changes are in order and do not overlap. If a place or the whole text cannot be changed, Change does
// nothing and returns false.
func (e *Entry) Change(changes []Change) bool {
	if e.readOnly || len(changes) == 0 {
		return false
	}
	var all codeEdits
	at := e.buffer.placer()
	for _, c := range changes {
		placed := codeEdit{at.place(c.Start), at.place(c.End), strings.ReplaceAll(c.New, "\r\n", "\n")}
		if e.buffer.keeps(placed.from, placed.to) {
			return false
		}
		all = append(all, placed)
	}
	var end codePos
	for i, c := range slices.Backward(all) {
		end = e.buffer.change(c.from, c.to, c.in, false)
		if i < len(all)-1 {
			e.buffer.join()
		}
	}
	e.changed(end)
	return true
}

// placer converts byte offsets to places. It goes through the text only once, because the offsets are in order.
type placer struct {
	buffer       *codeBuffer
	line, offset int // the current line, and the offset at which it begins
}

func (b *codeBuffer) placer() *placer { return &placer{buffer: b, offset: len(b.mark)} }

// place returns the place of an offset. Offsets must not decrease from call to call.
func (p *placer) place(offset int) codePos {
	b := p.buffer
	for p.line < len(b.lines)-1 && offset >= p.offset+len(b.lines[p.line])+len(b.newline) {
		p.offset += len(b.lines[p.line]) + len(b.newline)
		p.line++
	}
	return b.clamp(codePos{p.line, offset - p.offset})
}

// keeps reports whether a change of the text between two places would reach into a part that cannot be changed.
func (b *codeBuffer) keeps(from, to codePos) bool {
	return slices.ContainsFunc(b.kept, func(k keptSpan) bool {
		return from.before(codePos{k.line, k.to}) && codePos{k.line, k.from}.before(to)
	})
}

// moveKept moves the parts that are after a change. The change has replaced the text between from and to by a text
// that ends at end.
func (b *codeBuffer) moveKept(from, to, end codePos) {
	// Parts before the change do not move. There may be very many of them, so a binary search skips them.
	first, _ := slices.BinarySearchFunc(b.kept, from, func(k keptSpan, from codePos) int {
		return cmp.Or(cmp.Compare(k.line, from.line), cmp.Compare(k.to, from.at+1))
	})
	for i := first; i < len(b.kept); i++ {
		k := &b.kept[i]
		if k.line == to.line {
			k.from += end.at - to.at
			k.to += end.at - to.at
		}
		k.line += end.line - to.line
	}
}

// keptGround is the background of a part that cannot be changed.
const keptGround = theme.ColorLine
