package config

import (
	"bytes"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// node is a value of the file.
type node = jsonc.Node

// Parse diagnoses a configuration file. It accepts any bytes and never fails. It depends on nothing else: not
// on the environment, which [Document.CheckEnvironment] checks, and not on the disk. name is the file's name
// in messages. The document owns source from now on.
func Parse(name string, source []byte) *Document {
	return parse(name, source, maxChecked)
}

// parse is Parse with another limit for the bytes that are diagnosed to try fixes.
func parse(name string, source []byte, budget int) *Document {
	d := newDiagnoser(source)
	d.budget = budget
	document := &Document{Name: name, Source: source}
	tree := d.parse()
	if len(d.mistakes) == 0 {
		document.tree = tree
	}
	document.Config = d.document(tree)
	document.strings = d.strings
	document.worth = d.worth()
	d.settle()
	document.work = diagnosing*len(source) + d.tried + perProblem*(d.counts[SeverityError]+d.counts[SeverityWarning])
	document.Diagnostics = d.finish()
	return document
}

// diagnoser collects the diagnostics of one document.
type diagnoser struct {
	source   []byte
	isText   bool            // the source is UTF-8
	shift    int             // the length of the byte order mark
	parsed   []byte          // the text of the syntax tree: the source, or the repaired source
	text     *jsonc.Document // the source, with syntax errors repaired as far as possible
	mistakes []jsonc.Error   // syntax errors
	repaired []Change        // the changes that made text from the source, in the order in which they were made, to read what is after the mistakes
	comments []jsonc.Span    // of the source
	unclear  []jsonc.Span    // the places of the mistakes in the source
	rules    *rulesByPlace

	found   []Diagnostic
	counts  map[Severity]int
	strings []stringText
	inEntry *entry   // the entry whose strings are being read
	long    []member // servers whose names leave little room for the names of their tools

	downgradeErrors bool // the part that is being diagnosed has no effect, so nothing in it is an error

	unit      unit // the part that is being diagnosed
	proposals []proposal
	budget    int  // bytes that may still be diagnosed to try fixes
	tried     int  // the cost of trying fixes, in parsed bytes
	compared  int  // names of tools that were compared to find similar ones
	trying    bool // a fix is being tried, so no further fixes are wanted
}

func newDiagnoser(source []byte) *diagnoser {
	return &diagnoser{source: source, counts: map[Severity]int{}, rules: byPlace()}
}

// noFixes reports whether no fixes are to be made. While there are syntax errors, it is not clear enough what
// else is meant.
func (d *diagnoser) noFixes() bool { return d.trying || len(d.mistakes) > 0 }

// certain reports whether a problem is certainly in the user's text. After syntax errors it may be a result
// of our repairs, and a warning can wait until they are corrected.
func (d *diagnoser) certain(severity Severity, start, end int) bool {
	if len(d.mistakes) == 0 {
		return true
	}
	return severity == SeverityError && !slices.ContainsFunc(d.unclear, func(s jsonc.Span) bool {
		return start < max(s.End, s.Start+1) && s.Start < end || start == end && s.Start <= start && start <= s.End
	})
}

func (d *diagnoser) finish() []Diagnostic {
	SortDiagnostics(d.found)
	locateDiagnostics(d.source, d.found)
	return d.found
}

// parse returns the syntax tree; nil if the source is not text or has no value.
func (d *diagnoser) parse() *node {
	if !d.checkBytes() {
		return nil
	}
	d.text = jsonc.Parse(d.source)
	mistakes := d.text.Errors
	d.comments = d.text.Comments
	if len(mistakes) > 0 && !d.trying {
		d.syntax()
	}
	if d.parsed = d.source; len(d.repaired) > 0 {
		d.parsed = []byte(d.text.Text())
	}
	d.mistakes = mistakes // from now on only certain problems are reported
	return d.text.Root
}

// checkBytes checks that the source is text.
func (d *diagnoser) checkBytes() bool {
	d.unit = unit{wholeFile, 0, len(d.source)}
	if bytes.HasPrefix(d.source, byteOrderMark) {
		d.shift = len(byteOrderMark)
	}
	f := fileText{d.source[d.shift:]}
	for _, r := range d.rules.file {
		if r.file(d, r, f); d.counts[SeverityError] > 0 {
			return false
		}
	}
	d.isText = true
	return true
}

// CheckSyntax reports whether a text can be parsed as JSON with comments and trailing commas. It returns the
// first syntax error, or nil, as [Parse] would report it. start is where the text begins after a byte order
// mark.
func CheckSyntax(source []byte) (start int, problem *Diagnostic) {
	d := newDiagnoser(source)
	d.parse()
	for _, found := range d.finish() {
		if found.Severity == SeverityError {
			return d.shift, &found
		}
	}
	return d.shift, nil
}
