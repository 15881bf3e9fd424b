package kit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// CodeSpan is a part of a text: the bytes from Start up to End.
type CodeSpan struct{ Start, End int }

// CodeChange puts New in the place of the bytes from Start up to End.
type CodeChange struct {
	Start, End int
	New        string
}

// keptSpan is a part of a line that cannot be changed.
type keptSpan struct{ line, from, to int }

// Keep says which parts of the text cannot be changed, since something else is meant by them than what stands there. They are
// bytes of Text, in order, each within a line; they move with what is typed around them until SetText. What can be undone
// must not reach into them, so it is called right after SetText or Follow.
func (e *CodeEntry) Keep(spans []CodeSpan) {
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

// Kept are the parts that cannot be changed, where they are now.
func (e *CodeEntry) Kept() []CodeSpan {
	spans := make([]CodeSpan, 0, len(e.buffer.kept))
	offset, line := len(e.buffer.mark), 0
	for _, kept := range e.buffer.kept {
		for ; line < kept.line; line++ {
			offset += len(e.buffer.lines[line]) + len(e.buffer.newline)
		}
		spans = append(spans, CodeSpan{offset + kept.from, offset + kept.to})
	}
	return spans
}

// Change changes the text in several places as the user would: it can be undone as one, and OnChanged is called. The changes
// are bytes of Text, in order and apart from each other. Nothing happens, and it says so, when the text cannot be changed
// there.
func (e *CodeEntry) Change(changes []CodeChange) bool {
	if e.readOnly || len(changes) == 0 {
		return false
	}
	type change struct {
		from, to codePos
		in       string
	}
	var all []change
	at := e.buffer.placer()
	for _, c := range changes {
		placed := change{at.place(c.Start), at.place(c.End), strings.ReplaceAll(c.New, "\r\n", "\n")}
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

// placer finds places by their bytes, going through the text once.
type placer struct {
	buffer       *codeBuffer
	line, offset int // a line, and the byte of the text at which it begins
}

func (b *codeBuffer) placer() *placer { return &placer{buffer: b, offset: len(b.mark)} }

// place is where a byte of the text is. It must not be before the one asked for last.
func (p *placer) place(offset int) codePos {
	b := p.buffer
	for p.line < len(b.lines)-1 && offset >= p.offset+len(b.lines[p.line])+len(b.newline) {
		p.offset += len(b.lines[p.line]) + len(b.newline)
		p.line++
	}
	return b.clamp(codePos{p.line, offset - p.offset})
}

// keeps reports whether a change would reach into what cannot be changed.
func (b *codeBuffer) keeps(from, to codePos) bool {
	return slices.ContainsFunc(b.kept, func(k keptSpan) bool {
		return from.before(codePos{k.line, k.to}) && codePos{k.line, k.from}.before(to)
	})
}

// moveKept follows a change that puts a text ending at end in the place of what was between two places.
func (b *codeBuffer) moveKept(from, to, end codePos) {
	// Those in front of the change stay, and they are many more than one.
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

// keptGround is the ground of what cannot be changed.
const keptGround = theme.ColorLine
