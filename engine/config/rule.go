package config

import (
	"sync"
)

// Rule is one kind of problem in a configuration. Its texts are in the catalogue of words, in the area
// "config". To add a rule, write it into a file of its own or beside a similar rule, and add it to the list
// of [Rules]. Its example is its test, and docs/diagnostics.md is generated from it.
//
// A rule that has one of the functions is called at each place of that kind. The other rules are reported by
// the code that reads the file, which finds them on the way.
type Rule struct {
	Code     string // stable, for programs, such as "command-line-in-command"
	Severity Severity

	// About says what the problem means and why it matters, for docs/diagnostics.md.
	About string

	// Example is a file with the problem. Instead of a whole file, Entry may have the members of a server's
	// entry, or Toolbox those of a toolbox.
	Example, Entry, Toolbox string

	// NamesOnly is set if the problem only affects the names of tools in dynamic mode, so that nothing needs
	// to be done.
	NamesOnly bool

	file     func(d *diagnoser, r Rule, f fileText)              // the bytes, before they are parsed
	name     func(d *diagnoser, r Rule, m member, n named)       // the name of a toolbox or a server
	server   func(d *diagnoser, r Rule, e *entry)                // an entry, after it was read
	remote   func(d *diagnoser, r Rule, e *entry, url member)    // the address of a server on the network
	program  func(d *diagnoser, r Rule, e *entry, cmd member)    // the command of a server on this computer
	variable func(d *diagnoser, r Rule, f *Field, v variableAt)  // a member of "env" or "headers"
	tool     func(d *diagnoser, r Rule, m member, t toolAt)      // an element of "toolFilters"
	text     func(d *diagnoser, r Rule, m member, value string)  // a string in which references are expanded
	foreign  func(d *diagnoser, r Rule, e *entry, m member) bool // a field of another client; returns whether it is one
}

// rulesByPlace has the rules with a function, by the places where it is called.
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

// maxDiagnostics is the largest number of errors, and of warnings, in a document. A person fixes some and
// then checks again.
const maxDiagnostics = 1000

var tooManyProblems = Rule{Code: "too-many-problems",
	About: "The file has more problems than are listed. It has the severity of those that are left out."}
