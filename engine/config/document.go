package config

import (
	"github.com/tailscale/hujson"
)

// MaxSize is how many bytes a configuration file may have. Far more than anybody writes by hand, but
// little enough that a wrong file is refused at once.
const MaxSize = 16 << 20

var byteOrderMark = []byte("\ufeff")

// Document is a configuration file that has been read and diagnosed. It is not changed any more.
type Document struct {
	// Name is what the file is called in messages.
	Name string

	// Source holds the bytes of the file, which the document owns. Nil when there is no file.
	Source []byte

	// Config is what could be understood; never nil. Only use it when the document is [Document.Valid].
	Config *Config

	// Diagnostics are all problems, in the order of the file.
	Diagnostics []Diagnostic

	// tree is the syntax of the file as it is, comments and all, for edits without loss. Its byte
	// offsets are those of the source without its byte order mark. Nil after a syntax error.
	tree *hujson.Value

	// texts are the strings in which references are expanded, with their places.
	texts []text

	worth worth
}

// Valid tells whether the configuration can be used: no diagnostic is an error.
func (d *Document) Valid() bool {
	for _, diagnostic := range d.Diagnostics {
		if diagnostic.Severity == SeverityError {
			return false
		}
	}
	return true
}

// Errors returns the diagnostics that are errors, in the order of the file.
func (d *Document) Errors() []Diagnostic {
	var errs []Diagnostic
	for _, diagnostic := range d.Diagnostics {
		if diagnostic.Severity == SeverityError {
			errs = append(errs, diagnostic)
		}
	}
	return errs
}
