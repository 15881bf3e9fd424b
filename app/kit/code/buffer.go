package code

import (
	"strings"
	"unicode/utf8"
)

// codePos is a place in a text: a line, counted from 0, and a byte in it.
type codePos struct{ line, at int }

func (p codePos) before(o codePos) bool { return p.line < o.line || p.line == o.line && p.at < o.at }

// codeBuffer is a text in lines with an undo history. It keeps a byte order mark, line ends and invalid UTF-8 as they
// are.
type codeBuffer struct {
	lines   []string // without line ends; never empty
	mark    string   // the byte order mark, or empty
	newline string   // the line end
	whole   string   // the last result of text; empty after a change

	done, undone []codeStep // the last step of each is the next one to be undone or redone
	weight       int        // bytes in the history

	kept []keptSpan // the parts that cannot be changed, in order
}

// codeStep is a change: at a place, out was removed and in was inserted.
type codeStep struct {
	at       codePos
	out, in  string
	typing   bool // the next typed character may become part of this step
	together bool // this step is undone together with the step before
}

const byteOrderMark = "\ufeff"

// maxCodeHistory is how many bytes the history may have. Older steps are dropped.
const maxCodeHistory = 16 << 20

// set replaces the whole text and forgets the history.
func (b *codeBuffer) set(text string) {
	*b = codeBuffer{newline: "\n", whole: text}
	if rest, ok := strings.CutPrefix(text, byteOrderMark); ok {
		b.mark, text = byteOrderMark, rest
	}
	if n := strings.Count(text, "\r\n"); n > 0 && n == strings.Count(text, "\n") {
		b.newline = "\r\n"
	}
	b.lines = strings.Split(text, b.newline)
}

// text returns the whole text. It is called several times for each typed letter, so it keeps its result until the next
// change.
func (b *codeBuffer) text() string {
	if b.whole == "" {
		b.whole = b.mark + strings.Join(b.lines, b.newline)
	}
	return b.whole
}

// end returns the place after the last character.
func (b *codeBuffer) end() codePos {
	last := len(b.lines) - 1
	return codePos{last, len(b.lines[last])}
}

// clamp returns the nearest valid place, which is never inside a character.
func (b *codeBuffer) clamp(p codePos) codePos {
	p.line = max(0, min(p.line, len(b.lines)-1))
	line := b.lines[p.line]
	p.at = max(0, min(p.at, len(line)))
	for p.at > 0 && p.at < len(line) && !utf8.RuneStart(line[p.at]) && insideRune(line, p.at) {
		p.at--
	}
	return p
}

// insideRune reports whether the byte of a line at an index belongs to a character that begins before it. Each byte of
// invalid UTF-8 counts as a character.
func insideRune(line string, at int) bool {
	for start := at - 1; start >= 0 && at-start < utf8.UTFMax; start-- {
		if utf8.RuneStart(line[start]) {
			_, size := utf8.DecodeRuneInString(line[start:])
			return start+size > at
		}
	}
	return false
}

// between returns the text between two places, with "\n" between its lines.
func (b *codeBuffer) between(from, to codePos) string {
	if from.line == to.line {
		return b.lines[from.line][from.at:to.at]
	}
	var out strings.Builder
	out.WriteString(b.lines[from.line][from.at:])
	for _, line := range b.lines[from.line+1 : to.line] {
		out.WriteString("\n")
		out.WriteString(line)
	}
	out.WriteString("\n")
	out.WriteString(b.lines[to.line][:to.at])
	return out.String()
}

// replace replaces the text between two places by in, which has "\n" between its lines. It returns the place after the
// new text.
func (b *codeBuffer) replace(from, to codePos, in string) codePos {
	head, tail := b.lines[from.line][:from.at], b.lines[to.line][to.at:]
	added := strings.Split(in, "\n")
	last := len(added) - 1
	end := codePos{from.line + last, len(added[last])}
	if last == 0 {
		end.at += len(head)
	}
	b.moveKept(from, to, end)
	b.whole = ""
	added[0] = head + added[0]
	added[last] += tail
	if from.line == to.line && last == 0 {
		b.lines[from.line] = added[0]
		return end
	}
	lines := make([]string, 0, len(b.lines)-(to.line-from.line)+last)
	lines = append(lines, b.lines[:from.line]...)
	lines = append(lines, added...)
	b.lines = append(lines, b.lines[to.line+1:]...)
	return end
}

// change is like replace, but can be undone. If typing is set, the change is a typed letter. Letters typed one after
// the other are undone together.
func (b *codeBuffer) change(from, to codePos, in string, typing bool) codePos {
	out := b.between(from, to)
	end := b.replace(from, to, in)
	for _, step := range b.undone {
		b.weight -= step.weight()
	}
	b.undone = nil
	if n := len(b.done); typing && n > 0 && out == "" {
		last := &b.done[n-1]
		if last.typing && !strings.Contains(in, "\n") && after(last.at, last.in) == from {
			last.in += in
			b.weight += len(in)
			return end
		}
	}
	b.done = append(b.done, codeStep{at: from, out: out, in: in, typing: typing && !strings.Contains(in, "\n")})
	b.weight += len(in) + len(out)
	for b.weight > maxCodeHistory && len(b.done) > 1 {
		b.weight -= b.done[0].weight()
		b.done = b.done[1:]
	}
	return end
}

// weight returns the bytes that the step takes in the history.
func (s codeStep) weight() int { return len(s.in) + len(s.out) }

// join makes undo treat the last two steps as one, for a change in several places.
func (b *codeBuffer) join() { b.done[len(b.done)-1].together = true }

// after returns the place after a text that begins at a place.
func after(at codePos, text string) codePos {
	if n := strings.Count(text, "\n"); n > 0 {
		return codePos{at.line + n, len(text) - strings.LastIndexByte(text, '\n') - 1}
	}
	return codePos{at.line, at.at + len(text)}
}

// undo undoes the last change and returns the place after the restored text. It returns false if there is nothing to
// undo.
func (b *codeBuffer) undo() (at codePos, ok bool) {
	for len(b.done) > 0 {
		step := b.done[len(b.done)-1]
		b.done = b.done[:len(b.done)-1]
		at, ok = b.replace(step.at, after(step.at, step.in), step.out), true
		step.typing = false
		b.undone = append(b.undone, step)
		if !step.together {
			break
		}
	}
	return at, ok
}

// redo repeats the change that was undone last, and returns the place after it. It returns false if there is nothing
// to redo.
func (b *codeBuffer) redo() (at codePos, ok bool) {
	for len(b.undone) > 0 {
		step := b.undone[len(b.undone)-1]
		b.undone = b.undone[:len(b.undone)-1]
		at, ok = b.replace(step.at, after(step.at, step.out), step.in), true
		b.done = append(b.done, step)
		if n := len(b.undone); n == 0 || !b.undone[n-1].together {
			break
		}
	}
	return at, ok
}

// left returns the place one character before p. At the start of a line, this is the end of the line above.
func (b *codeBuffer) left(p codePos) codePos {
	if p.at > 0 {
		_, size := utf8.DecodeLastRuneInString(b.lines[p.line][:p.at])
		return codePos{p.line, p.at - size}
	}
	if p.line > 0 {
		return codePos{p.line - 1, len(b.lines[p.line-1])}
	}
	return p
}

// right returns the place one character after p. At the end of a line, this is the start of the line below.
func (b *codeBuffer) right(p codePos) codePos {
	if line := b.lines[p.line]; p.at < len(line) {
		_, size := utf8.DecodeRuneInString(line[p.at:])
		return codePos{p.line, p.at + size}
	}
	if p.line < len(b.lines)-1 {
		return codePos{p.line + 1, 0}
	}
	return p
}

// word returns where a move by one word ends: at the far end of the next word or, if a line break comes first, on the
// other side of the break. step is left or right.
func (b *codeBuffer) word(p codePos, step func(codePos) codePos) codePos {
	inside := false
	for {
		next := step(p)
		if next.line != p.line && !inside {
			return next
		}
		from, to := p, next
		if to.before(from) {
			from, to = to, from
		}
		passed, _ := utf8.DecodeRuneInString(b.between(from, to)) // the line break is no letter, either
		letter := wordRune(passed)
		if next == p || inside && !letter {
			return p
		}
		inside = inside || letter
		p = next
	}
}

func wordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f &&
		r != utf8.RuneError
}

// column returns the column of a place, counted in characters from 1.
func (b *codeBuffer) column(p codePos) int { return utf8.RuneCountInString(b.lines[p.line][:p.at]) + 1 }

// byteAt returns the byte of a line at a column, counted in characters from 1.
func byteAt(line string, column int) int {
	at := 0
	for ; column > 1 && at < len(line); column-- {
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	return at
}
