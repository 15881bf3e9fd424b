package config

import (
	"errors"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The rules in this file are about text that looks like a reference but is not valid. Its default may be a secret, and
// its name may be a misplaced default, so messages repeat neither.

var unclosedReference = Rule{Code: "unclosed-reference",
	About: "\"${\" begins a reference, which ends with \"}\".",
	Entry: `"command": "npx", "args": ["${HOME"]`}

var secretWithoutName = Rule{Code: "secret-without-name",
	About: "A reference to the keychain does not say which secret is meant.",
	Entry: `"command": "npx", "args": ["${keyring:}"]`}

var spaceInReference = Rule{Code: "space-in-reference",
	About: "There is a space at one end of the name in a reference. Names are taken exactly as they are written.",
	Entry: `"command": "npx", "args": ["${ HOME }"]`}

var nestedReference = Rule{Code: "nested-reference",
	About: "The default of a reference may contain a reference with a default, and so on, but not without end.",
	Entry: `"command": "npx", "args": ["` + strings.Repeat("${A:-", maxNested+2) + strings.Repeat("}", maxNested+2) +
		`"]`}

var circularReference = Rule{Code: "circular-reference",
	About: "A variable in \"env\" refers to itself by way of others, so it has no value. A variable may contain its " +
		"own name: that is the value outside, as in `\"PATH\": \"/opt/bin:${PATH}\"`.",
	Entry: `"command": "npx", "env": {"A": "${B}", "B": "${A}"}`,
	server: func(d *diagnoser, r Rule, e *entry) {
		group, ok := e.member("env")
		if !ok {
			return
		}
		expand := expander{server: e.Server, atUse: true, keep: true}
		for _, v := range e.Env {
			expand.problems = nil
			expand.expand("", v.Name, v.Value)
			for _, p := range expand.problems {
				if !errors.Is(p.Err, ErrCircular) {
					continue
				}
				if member := group.value.Member(v.Name); member != nil {
					d.sayAt(r, member.Span, group.at.member(v.Name), words.New("config.circular_reference", "Why", p.Err),
						words.New("config.circular_reference.hint"))
					return // the others are in the same circle
				}
			}
		}
	}}

var emptyReference = Rule{Code: "empty-reference",
	About: "A reference has no name.",
	Entry: `"command": "npx", "args": ["${}"]`}

var foreignReference = Rule{Code: "foreign-reference",
	About: "The reference is written in the form of VS Code or another program.",
	Entry: `"command": "npx", "args": ["${input:token}"]`}

var badReference = Rule{Code: "bad-reference",
	About: "The text between \"${\" and \"}\" is not the name of an environment variable.",
	Entry: `"command": "npx", "args": ["${MY VARIABLE}"]`}

// checkReferences reports text that only looks like a reference.
func checkReferences(d *diagnoser, m member, value string) {
	if !strings.Contains(value, "${") {
		return
	}
	literal := m.value.Raw()
	places := newOffsets(literal, m.value.Start)
	pieces(value, func(p piece) bool {
		if f := p.flaw; f != nil {
			from := places.source(f.start)
			problem := d.say(f.rule, from, places.source(f.end), m.at, f.message, f.hint)
			d.offer(problem, f.title, placed(f.changes, literal, m.value.Start)...)
		}
		return d.counts[SeverityError] < maxDiagnostics
	})
}

// check returns what is wrong with a reference, with a fix if that is clear; nil if nothing is wrong.
func (r *reference) check() *flaw {
	trimmed := strings.TrimSpace(r.name)
	at := r.nameStart()
	switch {
	case r.keyring && trimmed == "":
		return &flaw{rule: secretWithoutName, message: words.New("config.secret_without_name"),
			hint: words.New("config.secret_without_name.hint")}
	case r.keyring && trimmed != r.name:
		return r.withoutSpace(&flaw{rule: spaceInReference, message: words.New("config.space_around_secret"),
			hint: words.New("config.write", "Text", "${keyring:"+trimmed+"}")})
	case r.keyring:
		return nil
	case r.name == "":
		return &flaw{rule: emptyReference, message: words.New("config.empty_reference"),
			hint: words.New("config.empty_reference.hint")}
	case variableName(r.name):
		return r.inDefault()
	case variableName(trimmed):
		return r.withoutSpace(&flaw{rule: spaceInReference, message: words.New("config.space_around_variable"),
			hint: words.New("config.space_around_variable.hint", "Text", "${"+trimmed+"}", "Default", "${"+trimmed+":-…}")})
	}
	if name, ok := strings.CutPrefix(r.name, "input:"); ok {
		f := &flaw{rule: foreignReference, message: words.New("config.input_reference"),
			hint: words.New("config.input_reference.hint")}
		if trimmed == r.name && name != "" && !r.hasFallback {
			f.title, f.changes = words.New("config.fix.from_keychain"), []Change{put(at, at+len("input:"), keyringPrefix)}
		}
		return f
	}
	f := &flaw{rule: badReference, message: words.New("config.bad_reference"),
		hint: words.New("config.bad_reference.hint")}
	if i := strings.IndexAny(r.name, ":-"); i > 0 && variableName(r.name[:i]) && !r.hasFallback &&
		!ofProgram.MatchString(r.name) {
		f.hint = words.New("config.for_a_default", "Text", "${"+r.name[:i]+":-…}")
		with := ":"
		if r.name[i] == ':' {
			i, with = i+1, "-"
		}
		switch after := r.name[i:]; {
		case with == "-" && strings.HasPrefix(after, "?"): // in a shell, an error for a variable that is not set
			f.hint = words.New("config.write", "Text", "${"+r.name[:i-1]+"}")
			f.title, f.changes = fixWrite("${"+r.name[:i-1]+"}"), []Change{{Start: at + i - 1, End: at + len(r.name)}}
		case with == "-" && (strings.HasPrefix(after, "+") || strings.HasPrefix(after, "=") ||
			partOfVariable.MatchString(after)): // other syntax of a shell
		default:
			f.title, f.changes = words.New("config.fix.as_default"), []Change{put(at+i, at+i, with)}
		}
	}
	return f
}

// ofProgram matches what only another program puts in, such as cmd: op read … or file:./key. As a default, it would be
// sent in place of the value.
var ofProgram = lazyregexp.New(`^[a-z]+:`)

// partOfVariable matches the end of ${NAME:2:3}, which is a part of a variable's value in a shell.
var partOfVariable = lazyregexp.New(`^[0-9]+:-?[0-9]+$`)

// inDefault returns what is wrong with the references in the default, or nil.
func (r *reference) inDefault() (found *flaw) {
	pieces(r.fallback, func(p piece) bool {
		found = p.flaw
		return found == nil
	})
	if found != nil {
		start := r.end - len("}") - len(r.fallback)
		for i := range found.changes {
			found.changes[i].Start += start
			found.changes[i].End += start
		}
	}
	return found
}

// withoutSpace adds the fix that removes white space around a name.
func (r *reference) withoutSpace(f *flaw) *flaw {
	trimmed, at := strings.TrimSpace(r.name), r.nameStart()
	before := strings.Index(r.name, trimmed)
	after := before + len(trimmed)
	for _, c := range []Change{{Start: at, End: at + before}, {Start: at + after, End: at + len(r.name)}} {
		if c.Start < c.End {
			f.changes = append(f.changes, c)
		}
	}
	f.title = words.New("config.fix.remove_space")
	return f
}
