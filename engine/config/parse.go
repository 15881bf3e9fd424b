package config

import (
	"bytes"

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
	d.tries.budget = budget
	document := &Document{Name: name, Source: source}
	tree := d.parse()
	if len(d.src.mistakes) == 0 {
		document.tree = tree
	}
	document.Config = d.document(tree)
	document.strings = d.strings
	document.damage = d.damage()
	d.tries.try(d.report)
	document.cost = costPerByte*len(source) + d.src.repairCost + d.tries.cost +
		costPerProblem*(d.counts[SeverityError]+d.counts[SeverityWarning])
	document.Diagnostics = d.finish()
	return document
}

// diagnoser reads a text as a configuration and reports what is wrong with it. The rules are functions that
// get the diagnoser: see [Rule].
type diagnoser struct {
	src *sourceText
	*report
	tries trials
	rules *rulesByPlace

	strings   []stringText
	inEntry   *entry   // the entry whose strings are being read
	longNamed []member // servers whose names leave little room for the names of their tools
}

func newDiagnoser(source []byte) *diagnoser {
	text := &sourceText{source: source}
	return &diagnoser{src: text, report: newReport(text), rules: byPlace()}
}

// noFixes reports whether no fixes are to be made. While there are syntax errors, it is not clear enough what
// else is meant.
func (d *diagnoser) noFixes() bool { return d.onlyCounts || len(d.src.mistakes) > 0 }

// parse returns the syntax tree; nil if the source is not text or has no value.
func (d *diagnoser) parse() *node {
	if !d.checkBytes() {
		return nil
	}
	d.src.text = jsonc.Parse(d.src.source)
	mistakes := d.src.text.Errors
	d.src.comments = d.src.text.Comments
	if len(mistakes) > 0 && !d.onlyCounts {
		d.syntax()
	}
	if d.src.parsed = d.src.source; len(d.src.repaired) > 0 {
		d.src.parsed = []byte(d.src.text.Text())
	}
	d.src.mistakes = mistakes // from now on only certain problems are reported
	return d.src.text.Root
}

// checkBytes checks that the source is text.
func (d *diagnoser) checkBytes() bool {
	d.tries.unit = unit{wholeFile, 0, len(d.src.source)}
	if bytes.HasPrefix(d.src.source, byteOrderMark) {
		d.src.shift = len(byteOrderMark)
	}
	f := fileText{d.src.source[d.src.shift:]}
	for _, r := range d.rules.file {
		if r.file(d, r, f); d.counts[SeverityError] > 0 {
			return false
		}
	}
	d.src.isText = true
	return true
}

// CheckSyntax returns the first syntax error of a text, as [Parse] would report it, or nil if the text can be parsed
// as JSON with comments and trailing commas. start is where the text begins after a byte order mark.
func CheckSyntax(source []byte) (start int, problem *Diagnostic) {
	d := newDiagnoser(source)
	d.parse()
	for _, found := range d.finish() {
		if found.Severity == SeverityError {
			return d.src.shift, &found
		}
	}
	return d.src.shift, nil
}
