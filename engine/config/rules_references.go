package config

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The rules in this file are about text that looks like a reference and is none. Its default may be secret,
// and its name may be a misplaced default, so messages repeat neither.

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
	About: "The default of a reference is plain text and cannot contain a reference.",
	Entry: `"command": "npx", "args": ["${DATA:-${HOME}}"]`}

var emptyReference = Rule{Code: "empty-reference",
	About: "A reference has no name.",
	Entry: `"command": "npx", "args": ["${}"]`}

var foreignReference = Rule{Code: "foreign-reference",
	About: "The reference is written in the form of VS Code or another program.",
	Entry: `"command": "npx", "args": ["${env:HOME}"]`}

var badReference = Rule{Code: "bad-reference",
	About: "The text between \"${\" and \"}\" is not the name of an environment variable.",
	Entry: `"command": "npx", "args": ["${MY VARIABLE}"]`}

// checkReferences reports text that only looks like a reference.
func (d *diagnoser) checkReferences(m member, value string) {
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
	case strings.Contains(r.fallback, "${"):
		return &flaw{rule: nestedReference, message: words.New("config.nested_reference"),
			hint: words.New("config.nested_reference.hint")}
	case r.name == "":
		return &flaw{rule: emptyReference, message: words.New("config.empty_reference"),
			hint: words.New("config.empty_reference.hint")}
	case variableName(r.name):
		return nil
	case variableName(trimmed):
		return r.withoutSpace(&flaw{rule: spaceInReference, message: words.New("config.space_around_variable"),
			hint: words.New("config.space_around_variable.hint", "Text", "${"+trimmed+"}", "Default", "${"+trimmed+":-…}")})
	}
	if name, ok := strings.CutPrefix(r.name, "env:"); ok && variableName(name) {
		return &flaw{rule: foreignReference, message: words.New("config.env_reference"),
			hint:  words.New("config.write", "Text", "${"+name+"}"),
			title: words.New("config.fix.without_env"), changes: []Change{{Start: at, End: at + len("env:")}}}
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
	if i := strings.IndexAny(r.name, ":-"); i > 0 && variableName(r.name[:i]) && !r.hasFallback {
		f.hint = words.New("config.for_a_default", "Text", "${"+r.name[:i]+":-…}")
		with := ":"
		if r.name[i] == ':' {
			i, with = i+1, "-"
		}
		f.title, f.changes = words.New("config.fix.as_default"), []Change{put(at+i, at+i, with)}
	}
	return f
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
