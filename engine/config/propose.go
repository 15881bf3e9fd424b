package config

import (
	"bytes"
	"slices"

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

// trials are the fixes that are tried before they are offered.
type trials struct {
	unit      unit // the part that is being diagnosed
	proposals []proposal
	budget    int // bytes that may still be diagnosed to try fixes
	cost      int // of trying fixes, as [Document.cost]
}

// enter makes a member the unit of the following proposals.
func (t *trials) enter(kind unitKind, m member) { t.unit = unit{kind, m.name.Start, m.value.End} }

// proposal is a fix that has not been tried yet.
type proposal struct {
	fix  *Fix
	unit unit
}

// maxChecked is how many bytes are diagnosed to try fixes. It keeps [Parse] fast if every entry of a large
// file has a problem. Problems after the limit have no fix until earlier ones are solved.
const maxChecked = 32 << 10

// checkAll is a budget that is enough for any document that a person has written, in bytes.
const checkAll = 1 << 20

// costPerByte is the cost of diagnosing one byte. A cost of 1 is the time in which a byte is parsed.
const costPerByte = 3

// costPerProblem is the cost of reporting one problem.
const costPerProblem = 4 << 10

// offer proposes a fix for a problem, which may be nil if it was not listed. Each fix is tried before it is
// shown, so the caller need not check every condition.
func (d *diagnoser) offer(problem *Diagnostic, title words.Text, changes ...Change) {
	if problem == nil || len(changes) == 0 || d.noFixes() {
		return
	}
	sortChanges(changes)
	problem.Fix = &Fix{Title: title, Changes: changes}
	d.tries.proposals = append(d.tries.proposals, proposal{problem.Fix, d.tries.unit})
}

// offerFix is offer for a fix that may be nil.
func (d *diagnoser) offerFix(problem *Diagnostic, fix *Fix) {
	if fix != nil {
		d.offer(problem, fix.Title, fix.Changes...)
	}
}

// try tries the proposals and removes those that do not help from a report.
func (t *trials) try(r *report) {
	bad := map[*Fix]bool{}
	before := map[unit]damage{}
	for _, p := range t.proposals {
		if t.budget <= 0 { // so the first one is always tried, however large the document is
			bad[p.fix] = true
			continue
		}
		t.budget -= p.unit.end - p.unit.start
		was, known := before[p.unit]
		if !known {
			was = p.unit.damage(r.of.source[p.unit.start:p.unit.end])
			t.cost += costPerByte * (p.unit.end - p.unit.start)
			before[p.unit] = was
		}
		t.cost += costPerByte * (p.unit.end - p.unit.start)
		if !p.helps(r.of.source, was) {
			bad[p.fix] = true
		}
	}
	for i := range r.found {
		if bad[r.found[i].Fix] {
			r.found[i].Fix = nil
		}
	}
}

// helps reports whether the fix improves the unit: fewer errors, or as many errors and fewer warnings.
func (p proposal) helps(source []byte, was damage) bool {
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
	is := p.unit.damage(changed)
	return is.syntax == 0 && is.compare(was) < 0
}

func (u unit) damage(text []byte) damage {
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
	d.onlyCounts = true
	d.document(d.parse())
	return d.damage()
}

// damage returns how bad the document is.
func (d *diagnoser) damage() damage {
	w := damage{errors: d.counts[SeverityError], warnings: d.counts[SeverityWarning]}
	w.unread, w.syntax = badSyntax(d.src.mistakes, len(d.src.source))
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
