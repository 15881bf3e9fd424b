package config

import "slices"

// MaxSize is the largest size of a configuration file in bytes. It is far more than anybody writes by hand,
// and small enough to refuse a wrong file at once.
const MaxSize = 16 << 20

// Empty is the content of a new file.
const Empty = "{\n  \"toolboxes\": {}\n}\n"

// Document is a configuration file that was read and diagnosed. It does not change.
type Document struct {
	// Name is the name of the file in messages.
	Name string

	// Source is the content of the file. The document owns it. It is nil if there is no file.
	Source []byte

	// Config is the part of the file that could be understood; never nil. Use it only if the document is
	// [Document.Valid].
	Config *Config

	// Diagnostics are all problems, in the order of the file.
	Diagnostics []Diagnostic

	// tree is the syntax tree of the file; nil after a syntax error.
	tree *node

	// strings are the strings in which references are expanded, with their places.
	strings []stringText

	// damage is compared with that of the document after a fix, to see whether the fix helps.
	damage damage

	// cost is about how long diagnosing the source took, so that [FixAll] knows when to stop. The unit is the time in
	// which a byte is parsed.
	cost int
}

// Valid reports whether the configuration can be used, that is, whether no diagnostic is an error.
func (d *Document) Valid() bool { return !slices.ContainsFunc(d.Diagnostics, Diagnostic.isError) }

// Errors returns the diagnostics that are errors, in the order of the file.
func (d *Document) Errors() []Diagnostic {
	return slices.DeleteFunc(slices.Clone(d.Diagnostics), func(diagnostic Diagnostic) bool {
		return !diagnostic.isError()
	})
}

// Span is the place of a server's entry in the Source of a document.
type Span struct {
	Name       int // where its name begins
	Start, End int // the entry itself
}

// ServerSpan returns the place of a server's entry without reading the file again. ok is false if the file
// has syntax errors, if it has no such entry, or if something on the path to the entry is no object or has a
// repeated name.
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
