package config

import "slices"

// MaxSize is how many bytes a configuration file may have. Far more than anybody writes by hand, but
// little enough that a wrong file is refused at once.
const MaxSize = 16 << 20

// Empty is what a file begins with that is made.
const Empty = "{\n  \"toolboxes\": {}\n}\n"

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

	// tree is the syntax of the file. Nil after a syntax error.
	tree *node

	// strings are those in which references are expanded, with their places.
	strings []stringText

	worth worth

	// work is what it took to make the document, in bytes that are parsed.
	work int
}

// Valid reports whether the configuration can be used: no diagnostic is an error.
func (d *Document) Valid() bool { return !slices.ContainsFunc(d.Diagnostics, Diagnostic.isError) }

// Errors returns the diagnostics that are errors, in the order of the file.
func (d *Document) Errors() []Diagnostic {
	return slices.DeleteFunc(slices.Clone(d.Diagnostics), func(diagnostic Diagnostic) bool { return !diagnostic.isError() })
}

// Span is where the entry of a server stands in the Source of a document.
type Span struct {
	Name       int // where its name begins
	Start, End int // the entry itself
}

// ServerSpan finds the entry of a server without reading the file again. It is not ok when the file has syntax errors, when it has
// no such entry, or when something on the way to it is no object or has a name twice.
func (d *Document) ServerSpan(toolbox, server string) (_ Span, ok bool) {
	at := d.tree
	for _, key := range []string{"toolboxes", toolbox, "mcpServers", server} {
		if at.Repeated() != nil {
			return Span{}, false
		}
		if at = at.Member(key); at == nil {
			return Span{}, false
		}
	}
	return Span{at.Name.Start, at.Start, at.End}, true
}
