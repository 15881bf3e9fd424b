package config

import (
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// report collects the diagnostics of a text.
type report struct {
	of     *sourceText
	found  []Diagnostic
	counts map[Severity]int

	downgradeErrors bool // the part that is being diagnosed has no effect, so nothing in it is an error
	onlyCounts      bool // a fix is being tried, so nothing is listed and no further fixes are wanted
}

func newReport(of *sourceText) *report { return &report{of: of, counts: map[Severity]int{}} }

// report returns a report for what is found in the document besides the diagnostics that it has.
func (d *Document) report() *report { return newReport(&sourceText{source: d.Source, isText: true}) }

// say adds a diagnostic for the bytes from start to end of the source. It returns the added diagnostic, for
// immediate use only, or nil.
func (r *report) say(rule Rule, start, end int, at *docPath, message, hint words.Text) *Diagnostic {
	code, severity := rule.Code, rule.Severity
	if r.downgradeErrors && severity == SeverityError {
		severity = SeverityWarning
	}
	start, end = r.of.original(start), r.of.original(end)
	if !r.of.certain(severity, start, end) {
		return nil
	}
	r.counts[severity]++
	if r.onlyCounts {
		return nil
	}
	count := r.counts[severity]
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
	start, end = r.of.wholeCharacters(start, end)
	r.found = append(r.found, Diagnostic{
		Code: code, Severity: severity, Path: at.String(), Start: start, End: end, Message: message, Hint: hint,
		NamesOnly: rule.NamesOnly,
	})
	if count == maxDiagnostics {
		return nil
	}
	return &r.found[len(r.found)-1]
}

// lists reports whether one more diagnostic of a severity would be listed. Otherwise it is only counted, and needs no
// words.
func (r *report) lists(severity Severity) bool {
	return !r.onlyCounts && r.counts[severity] < maxDiagnostics
}

// sayAt adds a diagnostic about a value, or about the name of a member.
func (r *report) sayAt(rule Rule, s jsonc.Span, at *docPath, message, hint words.Text) *Diagnostic {
	return r.say(rule, s.Start, s.End, at, message, hint)
}

// sayOf adds a diagnostic for a whole string.
func (r *report) sayOf(rule Rule, t *stringText, message, hint words.Text) *Diagnostic {
	return r.say(rule, t.start, t.start+len(t.in.Raw()), t.at, message, hint)
}

// finish returns the diagnostics, sorted and with their lines.
func (r *report) finish() []Diagnostic {
	SortDiagnostics(r.found)
	locateDiagnostics(r.of.source, r.found)
	return r.found
}
