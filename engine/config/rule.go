package config

import (
	"sync"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Rule is one thing that can be wrong with a configuration. What it says is in the catalogue of words, in the area
// "config". To add one, write it into a file of its own or beside its like, and put it into the list of [Rules]; its test is
// its example, and docs/diagnostics.md is written from it.
//
// A rule with one of the functions is asked wherever they look. The others are reported by the code that reads the file,
// which cannot read on without having found them.
type Rule struct {
	Code     string // stable, for programs: "command-line-in-command"
	Severity Severity

	// About says what it means and why it matters, for docs/diagnostics.md.
	About string

	// Example is a file that the rule says something about. In place of the whole file, Entry may be the members of a
	// server's entry, and Toolbox those of a toolbox.
	Example, Entry, Toolbox string

	// NamesOnly is set when it is only about how tools are called in dynamic mode, so that nothing needs to be done.
	NamesOnly bool

	file     func(d *diagnoser, r Rule, f fileText)              // the bytes, before they are parsed
	name     func(d *diagnoser, r Rule, m member, n named)       // the name of a toolbox or of a server
	server   func(d *diagnoser, r Rule, e *entry)                // an entry that has been read
	remote   func(d *diagnoser, r Rule, e *entry, url member)    // the address of a server on the network
	program  func(d *diagnoser, r Rule, e *entry, cmd member)    // the command of a server on this computer
	variable func(d *diagnoser, r Rule, f *Field, v variableAt)  // one of "env" or "headers"
	tool     func(d *diagnoser, r Rule, m member, t toolAt)      // one of "toolFilters"
	text     func(d *diagnoser, r Rule, m member, value string)  // a string in which references are expanded
	foreign  func(d *diagnoser, r Rule, e *entry, m member) bool // a field of another client's; true when it is one
}

// rulesByPlace are the rules that have a function, by where they look.
type rulesByPlace struct{ file, name, server, remote, program, variable, tool, text, foreign []Rule }

var byPlace = sync.OnceValue(func() *rulesByPlace {
	var by rulesByPlace
	add := func(to *[]Rule, r Rule, looks bool) {
		if looks {
			*to = append(*to, r)
		}
	}
	for _, r := range Rules() {
		add(&by.file, r, r.file != nil)
		add(&by.name, r, r.name != nil)
		add(&by.server, r, r.server != nil)
		add(&by.remote, r, r.remote != nil)
		add(&by.program, r, r.program != nil)
		add(&by.variable, r, r.variable != nil)
		add(&by.tool, r, r.tool != nil)
		add(&by.text, r, r.text != nil)
		add(&by.foreign, r, r.foreign != nil)
	}
	return &by
})

// maxDiagnostics is how many errors, and how many warnings, a document has at most. A person fixes
// some and looks again.
const maxDiagnostics = 1000

var tooManyProblems = Rule{Code: "too-many-problems",
	About: "The file has more problems than are listed. It has the severity of those that are left out."}

// say adds a diagnostic about the bytes from start to end of the source. It returns the one that was
// added, to be used at once, or nil.
func (d *diagnoser) say(r Rule, start, end int, at *place, message, hint words.Text) *Diagnostic {
	code, severity := r.Code, r.Severity
	if d.downgradeErrors && severity == SeverityError {
		severity = SeverityWarning
	}
	start, end = d.original(start), d.original(end)
	if !d.certain(severity, start, end) {
		return nil
	}
	d.counts[severity]++
	if d.trying {
		return nil
	}
	count := d.counts[severity]
	switch {
	case count == maxDiagnostics:
		code, at = tooManyProblems.Code, nil
		message, hint = words.New("config.too_many_errors"), words.New("config.too_many.hint")
		if severity != SeverityError {
			message = words.New("config.too_many_warnings")
		}
	case count > maxDiagnostics:
		return nil
	}
	start, end = d.wholeCharacters(start, end)
	d.found = append(d.found, Diagnostic{
		Code: code, Severity: severity, Path: at.String(), Start: start, End: end, Message: message, Hint: hint, NamesOnly: r.NamesOnly,
	})
	if count == maxDiagnostics {
		return nil
	}
	return &d.found[len(d.found)-1]
}

// wholeCharacters moves places that are within a character of the source, or beyond it.
func (d *diagnoser) wholeCharacters(start, end int) (int, int) {
	start = max(0, min(start, len(d.source)))
	end = max(start, min(end, len(d.source)))
	if d.isText {
		for start < len(d.source) && !utf8.RuneStart(d.source[start]) {
			start++
		}
		for end < len(d.source) && (end < start || !utf8.RuneStart(d.source[end])) {
			end++
		}
	}
	return start, end
}

// sayAt adds a diagnostic about a value, or about the name of a member.
func (d *diagnoser) sayAt(r Rule, s jsonc.Span, at *place, message, hint words.Text) *Diagnostic {
	return d.say(r, s.Start, s.End, at, message, hint)
}
