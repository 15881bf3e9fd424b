package config

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Severity says how serious a problem is. The zero value is [SeverityError].
type Severity int

// The severities.
const (
	SeverityError   Severity = iota // the file cannot be used
	SeverityWarning                 // the file can be used, but something in it may not have the intended effect
	SeverityInfo                    // worth knowing
)

// String returns "error", "warning" or "info".
func (s Severity) String() string {
	switch s {
	case SeverityError:
		return "error"
	case SeverityWarning:
		return "warning"
	case SeverityInfo:
		return "info"
	}
	return "severity " + strconv.Itoa(int(s))
}

// MarshalText writes a severity as a word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Diagnostic is a problem in a document. As JSON, its message and hint are English sentences.
type Diagnostic struct {
	// Code is the code of the rule, such as "missing-comma". See docs/diagnostics.md. Codes never change.
	Code string `json:"code"`

	Severity Severity `json:"severity"`

	// Path names the value in the document, for example toolboxes.dev.mcpServers["my server"].args[1]. It is
	// empty for the whole document.
	Path string `json:"path"`

	// Start and End are the offsets of the problem in the source, in bytes. They may be equal, at a place
	// where something is missing.
	Start int `json:"start"`
	End   int `json:"end"`

	// Line and Column are the place of Start. Both count from 1. Columns count characters (Unicode code
	// points); a byte order mark is not counted.
	Line   int `json:"line"`
	Column int `json:"column"`

	// Message says what is wrong. Hint says what to do, and may be empty.
	Message words.Text `json:"-"`
	Hint    words.Text `json:"-"`

	// NamesOnly is set if the problem only affects the names of tools in dynamic mode, so that nothing needs
	// to be done.
	NamesOnly bool `json:"-"`

	// Fix is a change that solves the problem; it may be nil. It is shared and must not be changed.
	Fix *Fix `json:"-"`
}

// IsNote reports whether nothing needs to be done about the diagnostic. The window and the doctor do not count notes
// as problems.
func (d Diagnostic) IsNote() bool { return d.Severity == SeverityInfo || d.NamesOnly }

// Lacks reports whether the problem is that a server does not have a required field.
func (d Diagnostic) Lacks(field string) bool {
	switch d.Code {
	case noCommand.Code, commandMissing.Code:
		return field == "command"
	case urlMissing.Code:
		return field == "url"
	}
	return false
}

// Unset returns the environment variable that is not set if that is the problem, and otherwise "".
func (d Diagnostic) Unset() string {
	if d.Code != unsetVariable.Code {
		return ""
	}
	name, _ := d.Message.Args["Name"].(string)
	return name
}

// Format returns the diagnostic as text for people: one or two lines without a final newline. The first line
// begins like a compiler's message, so that editors and terminals can jump to the place.
func (d Diagnostic) Format(file string) string { return d.FormatIn(words.English(), file) }

// FormatIn is like Format, in a language.
func (d Diagnostic) FormatIn(p words.Printer, file string) string { return p.Text(d.Text(file)) }

// Text returns the text of Format for any language.
func (d Diagnostic) Text(file string) words.Text {
	severity := words.New("config.error")
	switch d.Severity {
	case SeverityWarning:
		severity = words.New("config.warning")
	case SeverityInfo:
		severity = words.New("config.note")
	}
	return words.New("config.diagnostic", "File", file, "Line", d.Line, "Column", d.Column, "Severity", severity,
		"Message", d.Message, "Path", d.Path, "Hint", d.Hint)
}

// MarshalJSON writes the diagnostic with its sentences in English.
func (d Diagnostic) MarshalJSON() ([]byte, error) {
	type fields Diagnostic
	return jsonc.Marshal(struct {
		fields
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
		Fix     *Fix   `json:"fix,omitempty"`
	}{fields(d), d.Message.String(), d.Hint.String(), d.Fix})
}

func (d Diagnostic) isError() bool { return d.Severity == SeverityError }

// SortDiagnostics sorts the diagnostics of one document by their offsets, and errors before warnings at the same
// offset.
func SortDiagnostics(diagnostics []Diagnostic) {
	slices.SortStableFunc(diagnostics, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Severity, b.Severity))
	})
}

// locateDiagnostics sets the line and column of sorted diagnostics, in one pass over the source.
func locateDiagnostics(source []byte, diagnostics []Diagnostic) {
	at := position{line: 1, column: 1}
	if bytes.HasPrefix(source, byteOrderMark) {
		at.offset = len(byteOrderMark)
	}
	for i := range diagnostics {
		at.advance(source, diagnostics[i].Start)
		diagnostics[i].Line, diagnostics[i].Column = at.line, at.column
	}
}

// position moves forward through a source and counts lines and columns.
type position struct {
	offset, line, column int
}

func (p *position) advance(source []byte, to int) {
	if to <= p.offset {
		return
	}
	passed := source[p.offset:to]
	if lines := bytes.Count(passed, []byte{'\n'}); lines > 0 {
		p.line += lines
		p.column = 1
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	p.column += utf8.RuneCount(passed)
	p.offset = to
}
