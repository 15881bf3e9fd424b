package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// unit is a part of the file that can be diagnosed alone. It contains everything that a fix changes or could
// damage.
type unit struct {
	kind       unitKind
	start, end int // in the source
}

type unitKind int

const (
	wholeFile  unitKind = iota
	oneToolbox          // a member of "toolboxes", including its name
	oneServer           // a member of "mcpServers"
)

// enter makes a member the unit in which fixes are tried.
func (d *diagnoser) enter(kind unitKind, m member) { d.unit = unit{kind, m.name.Start, m.value.End} }

// proposal is a fix that has not been tried yet.
type proposal struct {
	fix  *Fix
	unit unit
}

// maxChecked is how many bytes are diagnosed to try fixes. It keeps [Parse] fast if every entry of a large
// file has a problem. Problems after the limit have no fix until earlier ones are solved.
const maxChecked = 32 << 10

// checkAll is enough for any document that a person made.
const checkAll = 1 << 20

// diagnosing is how many times longer it takes to diagnose a text than to parse it.
const diagnosing = 3

// perProblem is the work of one problem, in parsed bytes.
const perProblem = 4 << 10

// offer proposes a fix for a problem, which may be nil if it was not listed. Each fix is tried before it is
// shown, so the caller need not check every condition.
func (d *diagnoser) offer(problem *Diagnostic, title words.Text, changes ...Change) {
	if problem == nil || len(changes) == 0 || d.noFixes() {
		return
	}
	sortChanges(changes)
	problem.Fix = &Fix{Title: title, Changes: changes}
	d.proposals = append(d.proposals, proposal{problem.Fix, d.unit})
}

// offerFix is offer for a fix that may be nil.
func (d *diagnoser) offerFix(problem *Diagnostic, fix *Fix) {
	if fix != nil {
		d.offer(problem, fix.Title, fix.Changes...)
	}
}

// settle tries the proposals and removes those that do not help.
func (d *diagnoser) settle() {
	bad := map[*Fix]bool{}
	before := map[unit]worth{}
	for _, p := range d.proposals {
		if d.budget <= 0 { // so the first one is always tried, however large the document is
			bad[p.fix] = true
			continue
		}
		d.budget -= p.unit.end - p.unit.start
		was, known := before[p.unit]
		if !known {
			was = p.unit.worth(d.source[p.unit.start:p.unit.end])
			d.tried += diagnosing * (p.unit.end - p.unit.start)
			before[p.unit] = was
		}
		d.tried += diagnosing * (p.unit.end - p.unit.start)
		if !p.helps(d.source, was) {
			bad[p.fix] = true
		}
	}
	for i := range d.found {
		if bad[d.found[i].Fix] {
			d.found[i].Fix = nil
		}
	}
}

// helps reports whether the fix improves the unit: fewer errors, or as many errors and fewer warnings.
func (p proposal) helps(source []byte, was worth) bool {
	changes := slices.Clone(p.fix.Changes)
	for i := range changes {
		changes[i].Start -= p.unit.start
		changes[i].End -= p.unit.start
		if changes[i].Start < 0 {
			return false
		}
	}
	changed, err := ApplyChanges(source[p.unit.start:p.unit.end], changes)
	if err != nil {
		return false
	}
	is := p.unit.worth(changed)
	return is.syntax == 0 && is.compare(was) < 0
}

func (u unit) worth(text []byte) worth {
	prefix, suffix := "", ""
	switch u.kind {
	case oneToolbox:
		prefix, suffix = `{"toolboxes": {`, "\n}}"
	case oneServer:
		prefix, suffix = `{"toolboxes": {"x": {"mcpServers": {`, "\n}}}}"
	}
	if prefix != "" {
		text = bytes.Join([][]byte{[]byte(prefix), text, []byte(suffix)}, nil)
	}
	d := newDiagnoser(text)
	d.trying = true
	d.document(d.parse())
	return d.worth()
}

// worth returns how bad the document is.
func (d *diagnoser) worth() worth {
	w := worth{errors: d.counts[SeverityError], warnings: d.counts[SeverityWarning]}
	w.unread, w.syntax = badSyntax(d.mistakes, len(d.source))
	return w
}

// badSyntax counts the mistakes in a text. If there are more than were recorded, unread is the length of the
// text after the last one.
func badSyntax(mistakes []jsonc.Error, length int) (unread, count int) {
	count = len(mistakes)
	if count >= jsonc.MaxErrors {
		unread = length - mistakes[count-1].Start
	}
	return unread, count
}

// The functions below make the changes of fixes.

// put replaces the bytes from start to end of the source by text.
func put(start, end int, text string) Change { return Change{Start: start, End: end, New: text} }

// replace replaces a string by a known word.
func (d *diagnoser) replace(v *node, word string) Change { return d.replaceAll(v, `"`+word+`"`) }

func (d *diagnoser) replaceAll(v *node, text string) Change { return put(v.Start, v.End, text) }

// enclose adds text before and after a value.
func (d *diagnoser) enclose(v *node, before, after string) []Change {
	return []Change{put(v.Start, v.Start, before), put(v.End, v.End, after)}
}

// unquote removes the quotes of a string.
func (d *diagnoser) unquote(v *node) []Change {
	return []Change{{Start: v.Start, End: v.Start + 1}, {Start: v.End - 1, End: v.End}}
}

// trim removes white space at both ends of a string.
func (d *diagnoser) trim(s jsonc.Span) []Change {
	return d.trimTo(s, strings.TrimSpace(jsonc.Unquote(string(d.parsed[s.Start:s.End]))))
}

// trimTo reduces a string to a part of it.
func (d *diagnoser) trimTo(s jsonc.Span, part string) []Change {
	literal := string(d.parsed[s.Start:s.End])
	text := jsonc.Unquote(literal)
	before := strings.Index(text, part)
	if before < 0 {
		return nil
	}
	var changes []Change
	for _, c := range []Change{{Start: 0, End: before}, {Start: before + len(part), End: len(text)}} {
		if c.Start < c.End {
			changes = append(changes, c)
		}
	}
	return placed(changes, literal, s.Start)
}

// placed turns changes of a decoded string into changes of the source, where the string begins at start.
func placed(changes []Change, literal string, start int) []Change {
	places := newOffsets(literal, start)
	out := make([]Change, len(changes))
	for i, c := range changes {
		from := places.source(c.Start)
		out[i] = put(from, places.source(c.End), c.New)
	}
	return out
}

// removeMember removes a member of an object. It returns nil if there is a comment inside the member.
func (d *diagnoser) removeMember(object *node, i int) []Change {
	if m := object.Children[i]; strings.Trim(string(d.parsed[m.Name.End:m.Start]), ": \t\r\n") != "" {
		return nil
	}
	return d.removeElement(object, i)
}

// removeElement removes a child of an object or array with its comma, and its line if nothing else is on it.
// Comments stay.
func (d *diagnoser) removeElement(parent *node, i int) []Change {
	it := parent.Children[i]
	start, end := it.First(), it.End
	comma, ok := it.Comma()
	if !ok {
		if i == 0 {
			return []Change{{Start: start, End: end}}
		}
		before, _ := parent.Children[i-1].Comma()
		if d.isBlank(before+1, start) {
			return []Change{{Start: before, End: end}}
		}
		return []Change{{Start: before, End: before + 1}, {Start: start, End: end}}
	}
	if !d.isBlank(end, comma) {
		return []Change{{Start: start, End: end}, {Start: comma, End: comma + 1}}
	}
	end = comma + 1
	lineStart := start
	for lineStart > 0 && (d.parsed[lineStart-1] == ' ' || d.parsed[lineStart-1] == '\t') {
		lineStart--
	}
	lineEnd := end
	for lineEnd < len(d.parsed) && bytes.IndexByte([]byte(" \t\r"), d.parsed[lineEnd]) >= 0 {
		lineEnd++
	}
	switch {
	case lineStart > 0 && d.parsed[lineStart-1] == '\n' && lineEnd < len(d.parsed) && d.parsed[lineEnd] == '\n':
		start, end = lineStart, lineEnd+1
	case lineEnd < len(d.parsed) && d.parsed[lineEnd] != '\n':
		end = lineEnd
	}
	return []Change{{Start: start, End: end}}
}

// isBlank reports whether there is only white space between two offsets.
func (d *diagnoser) isBlank(from, to int) bool { return len(bytes.TrimSpace(d.parsed[from:to])) == 0 }
