package config

import (
	"bytes"
	"slices"
)

// unit is a part of the file that can be diagnosed alone: what a fix changes and what it may do harm to.
type unit struct {
	kind       unitKind
	start, end int // in the source
}

type unitKind int

const (
	wholeFile  unitKind = iota
	oneToolbox          // a member of "toolboxes", its name included
	oneServer           // a member of "mcpServers"
)

// proposal is a fix that has not been tried yet.
type proposal struct {
	fix  *Fix
	unit unit
}

// maxChecked is how many bytes are diagnosed to try fixes. It keeps [Parse] quick when there is
// something wrong with every entry of a large file; the problems beyond have no fix then, until the
// ones before are settled.
const maxChecked = 32 << 10

// checkAll is enough for any document that a person made.
const checkAll = 1 << 20

// offer proposes a fix for a problem. The problem may be nil, when it has not been listed. What is
// offered is tried before it is shown, so a caller need not think of everything that might be in the
// way.
func (d *diagnoser) offer(problem *Diagnostic, title string, changes ...Change) {
	if problem == nil || len(changes) == 0 || len(d.repaired) > 0 || d.trying {
		return // what a repaired text says of itself isn't about the source
	}
	sortChanges(changes)
	problem.Fix = &Fix{title, changes}
	d.proposals = append(d.proposals, proposal{problem.Fix, d.unit})
}

// settle tries the proposals and takes back those that would not help.
func (d *diagnoser) settle() {
	if len(d.proposals) == 0 {
		return
	}
	bad := map[*Fix]bool{}
	before := map[unit]worth{}
	for _, p := range d.proposals {
		length := p.unit.end - p.unit.start
		if d.budget <= 0 { // so the first is always tried, however large the document is
			bad[p.fix] = true
			continue
		}
		d.budget -= length
		was, known := before[p.unit]
		if !known {
			was = p.unit.worth(d.source[p.unit.start:p.unit.end])
			before[p.unit] = was
		}
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

// helps tells whether the unit is better with the fix: fewer errors, or as many and fewer warnings.
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
	d := diagnoser{source: text, trying: true}
	tree, _ := d.parse()
	d.document(tree)
	return d.worth()
}

func (d *diagnoser) worth() worth {
	return worth{d.unread, d.syntaxErrors, d.counts[SeverityError], d.counts[SeverityWarning]}
}
