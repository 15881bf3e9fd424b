package code

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Follow replaces the text by a version that another program has written. It does not call OnChanged. It changes only
// what is different, so the caret and the selection stay at their words. The user can still undo what they typed. But
// if the other program has changed text that the user typed, that step and the steps before it cannot be undone. If
// the line ends or the byte order marks differ, Follow is like SetText.
func (e *Entry) Follow(text string) {
	if text == e.Text() {
		return
	}
	changes, ok := e.buffer.differences(text)
	if !ok {
		e.SetText(text)
		return
	}
	from, to := e.selection()
	backwards := e.caret == from
	line := e.caret.line
	// Text inserted right before or after the selection is not selected.
	from, to = changes.moved(from, true), changes.moved(to, from == to)
	e.buffer.follow(changes)
	from, to = e.buffer.clamp(from), e.buffer.clamp(to)
	e.anchor, e.caret = from, to
	if backwards {
		e.anchor, e.caret = to, from
	}
	e.wanted = -1
	e.remeasure()
	if by := e.caret.line - line; by != 0 && e.area.HasFocus() { // keep the caret's line at its place in the window
		offset := e.scroll.Offset.AddXY(0, float32(by)*e.area.cell().Height)
		offset.Y = max(0, min(offset.Y, e.area.MinSize().Height-e.scroll.Size().Height))
		e.scroll.ScrollToOffset(offset)
	}
}

// codeEdit replaces the text between two places by in, which has "\n" between its lines.
type codeEdit struct {
	from, to codePos
	in       string
}

// codeEdits are changes of one text, in order and without overlap. All their places are in the text before the
// changes.
type codeEdits []codeEdit

// moved returns where a place is after the changes. If text is inserted exactly at the place, behind says whether the
// place is then after that text.
func (c codeEdits) moved(p codePos, behind bool) codePos {
	for _, change := range slices.Backward(c) { // from the end, because a change moves only what comes after it
		p = change.moved(p, behind)
	}
	return p
}

func (c codeEdit) moved(p codePos, behind bool) codePos {
	end := after(c.from, c.in)
	switch {
	case p.before(c.from), p == c.from && !(behind && c.from == c.to):
		return p
	case p.before(c.to):
		if end.before(p) {
			return end
		}
		return p
	}
	if p.line == c.to.line {
		p.at += end.at - c.to.at
	}
	p.line += end.line - c.to.line
	return p
}

// differences returns the changes that turn b into text. It fails if the line ends or the byte order marks differ.
func (b *codeBuffer) differences(text string) (changes codeEdits, ok bool) {
	var other codeBuffer
	other.set(text)
	if other.mark != b.mark || other.newline != b.newline {
		return nil, false
	}
	for _, d := range lcs.DiffLines(b.lines, other.lines) {
		if d.End-d.Start == d.ReplEnd-d.ReplStart { // as many lines as before, so compare them one by one
			for i := range d.End - d.Start {
				line := codePos{line: d.Start + i}
				changes = append(changes, b.narrow(
					codeEdit{line, codePos{line.line, len(b.lines[line.line])}, other.lines[d.ReplStart+i]}))
			}
			continue
		}
		change := codeEdit{codePos{line: d.Start}, codePos{line: d.End},
			strings.Join(other.lines[d.ReplStart:d.ReplEnd], "\n")}
		switch last := len(b.lines) - 1; {
		case d.Start < d.End && d.ReplStart < d.ReplEnd:
			change.to = codePos{d.End - 1, len(b.lines[d.End-1])}
		case d.ReplStart < d.ReplEnd && d.Start <= last:
			change.in += "\n"
		case d.ReplStart < d.ReplEnd: // lines are added after the last
			change = codeEdit{b.end(), b.end(), "\n" + change.in}
		case d.End > last: // the last lines are removed, with the line end before them
			change = codeEdit{codePos{d.Start - 1, len(b.lines[d.Start-1])}, b.end(), ""}
		}
		changes = append(changes, b.narrow(change))
	}
	return changes, true
}

// narrow leaves out the start and the end of a change if the change replaces them by the same text.
func (b *codeBuffer) narrow(c codeEdit) codeEdit {
	out := b.between(c.from, c.to)
	start := 0
	for start < len(out) && start < len(c.in) && out[start] == c.in[start] {
		start++
	}
	for start > 0 && !(boundary(out, start) && boundary(c.in, start)) {
		start--
	}
	end := 0
	for end < len(out)-start && end < len(c.in)-start && out[len(out)-1-end] == c.in[len(c.in)-1-end] {
		end++
	}
	for end > 0 && !(boundary(out, len(out)-end) && boundary(c.in, len(c.in)-end)) {
		end--
	}
	from := after(c.from, out[:start])
	return codeEdit{from, after(from, out[start:len(out)-end]), c.in[start : len(c.in)-end]}
}

// boundary reports whether a text may be cut before the byte at an index without cutting a character in two.
func boundary(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// follow makes the changes of another program. The changes do not become steps of the history. Instead, the history
// becomes what it would be if the text had always had these changes. If a change overlaps a step, the history forgets
// that step and all steps that could only be undone or redone after it.
func (b *codeBuffer) follow(changes codeEdits) {
	b.done = followed(b.done, changes, false)
	b.undone = followed(b.undone, changes, true)
	b.weight = 0
	for _, step := range slices.Concat(b.done, b.undone) {
		b.weight += step.weight()
	}
	for _, change := range slices.Backward(changes) {
		b.replace(change.from, change.to, change.in)
	}
}

// followed adapts the steps of a history to changes of the text, and returns the steps that can be kept. The last step
// is the next one to be undone or, if undone is set, redone.
func followed(steps []codeStep, changes codeEdits, undone bool) []codeStep {
	kept := make([]codeStep, len(steps))
	first := len(steps)
	for first > 0 {
		step := steps[first-1]
		now, then := step.in, step.out
		if undone {
			now, then = step.out, step.in
		}
		own := codeEdit{step.at, after(step.at, now), then}
		moved, before, ok := changes.past(own)
		if !ok {
			break
		}
		first--
		step.at = moved
		kept[first] = step
		changes = before
	}
	// Steps that belong together are kept or dropped together.
	for first > 0 && first < len(steps) && (undone && steps[first-1].together || !undone && steps[first].together) {
		first++
	}
	return kept[first:]
}

// past swaps the order of the changes and own. It returns at, the place of own after the changes, and moved, the
// changes as they are after own. It fails if a change overlaps own.
func (c codeEdits) past(own codeEdit) (at codePos, moved codeEdits, ok bool) {
	moved = make(codeEdits, len(c))
	before := 0
	for i, change := range c {
		switch {
		case !own.from.before(change.to):
			before = i + 1
			moved[i] = change
		case !change.from.before(own.to):
			moved[i] = codeEdit{own.moved(change.from, true), own.moved(change.to, true), change.in}
		default:
			return codePos{}, nil, false
		}
	}
	return c[:before].moved(own.from, true), moved, true
}
