package config

import (
	"strings"
)

// The references that a server's strings may hold (contract.md, section 2):
//
//	${NAME}            the environment variable, which must be set
//	${NAME:-default}   the variable, or the default when it is not set or empty, as in a shell
//	${keyring:NAME}    the secret of that name in the system's keychain
//	$${                "${" itself
type reference struct {
	start, end int // the bytes of the text, ${ and } included
	name       string
	keyring    bool

	fallback    string
	hasFallback bool
}

// flaw is something in a text that begins like a reference but isn't one.
type flaw struct {
	start, end    int
	message, hint string

	title   string
	changes []Change // of the text
}

// piece is a part of a text: literal text, a reference or a flaw.
type piece struct {
	literal   string
	reference *reference
	flaw      *flaw
}

const keyringPrefix = "keyring:"

// pieces splits a text, calling f with each part in order until f returns false.
func pieces(text string, f func(piece) bool) {
	offset := 0 // of what is not given out yet
	for {
		i := strings.Index(text[offset:], "${")
		if i < 0 {
			if offset < len(text) {
				f(piece{literal: text[offset:]})
			}
			return
		}
		start := offset + i
		if start > offset && text[start-1] == '$' {
			if start-1 > offset && !f(piece{literal: text[offset : start-1]}) {
				return
			}
			if !f(piece{literal: "${"}) {
				return
			}
			offset = start + len("${")
			continue
		}
		if start > offset && !f(piece{literal: text[offset:start]}) {
			return
		}
		next := parseReference(text, start)
		if !f(next) {
			return
		}
		if next.reference != nil {
			offset = next.reference.end
		} else {
			offset = next.flaw.end
		}
	}
}

// parseReference reads the reference that begins with the "${" at start.
func parseReference(text string, start int) piece {
	length := strings.IndexByte(text[start:], '}')
	next := strings.Index(text[start+2:], "${")
	if length < 0 || next >= 0 && next+2 < length && !strings.Contains(text[start:start+2+next], ":-") {
		end := len(text)
		if next >= 0 {
			end = start + 2 + next
		}
		return piece{flaw: &flaw{start: start, end: end, message: `"${" is not closed by "}"`,
			hint: `write ${NAME} for an environment variable; if "${" itself is meant, write "$${"`}}
	}
	r := reference{start: start, end: start + length + 1}
	inner := text[start+2 : r.end-1]
	r.name, r.fallback, r.hasFallback = strings.Cut(inner, ":-")
	if secret, ok := strings.CutPrefix(inner, keyringPrefix); ok {
		// The name of a secret may hold anything, also ":-".
		r.keyring, r.name, r.fallback, r.hasFallback = true, secret, "", false
	}
	if message, hint := r.check(); message != "" {
		f := &flaw{start: r.start, end: r.end, message: message, hint: hint}
		f.title, f.changes = r.fix()
		return piece{flaw: f}
	}
	return piece{reference: &r}
}

// check says what is wrong with a reference, if anything. A default may be secret and a name may be
// a default in the wrong place, so neither is repeated.
func (r *reference) check() (message, hint string) {
	switch {
	case r.keyring && strings.TrimSpace(r.name) == "":
		return "${keyring:} names no secret", "write the name under which the secret is kept, for example ${keyring:github}"
	case r.keyring && strings.TrimSpace(r.name) != r.name:
		return "there are spaces around the name of the secret", "write ${keyring:" + strings.TrimSpace(r.name) + "}"
	case r.keyring:
		return "", ""
	case strings.Contains(r.fallback, "${"):
		return "there is another reference in the default of this one", "a default is plain text; references cannot be nested"
	case r.name == "":
		return `there is no variable's name after "${"`, `write the variable's name, for example ${HOME}; if "${" itself is meant, write "$${"`
	case variableName(r.name):
		return "", ""
	}
	if name := strings.TrimSpace(r.name); variableName(name) {
		return "there are spaces around the variable's name", "write ${" + name + "}, or ${" + name + ":-…} with a default"
	}
	if name, ok := strings.CutPrefix(r.name, "env:"); ok && variableName(name) {
		return `"env:" before a variable's name is for another program`, "write ${" + name + "}"
	}
	if strings.HasPrefix(r.name, "input:") {
		return `"${input:…}" is for another program, which asks the user for a value; Workbench cannot ask`, "keep the value in the system's keychain and write ${keyring:NAME}, or set a variable and write ${NAME}"
	}
	if i := strings.IndexAny(r.name, ":-"); i > 0 && variableName(r.name[:i]) && !r.hasFallback {
		return "this is not the name of a variable", "for a default write ${" + r.name[:i] + ":-…}"
	}
	return "this is not the name of a variable", `names have letters, digits and "_" only; if "${" itself is meant, write "$${"`
}

// fix returns what makes a flawed reference a good one, as far as that is clear.
func (r *reference) fix() (title string, changes []Change) {
	name := r.start + len("${") // where the name begins
	if r.keyring {
		name += len(keyringPrefix)
	}
	trimmed := strings.TrimSpace(r.name)
	switch {
	case r.keyring && trimmed == "" || strings.Contains(r.fallback, "${"):
	case r.keyring || variableName(trimmed):
		before := strings.Index(r.name, trimmed)
		after := before + len(trimmed)
		for _, c := range []Change{{Start: name, End: name + before}, {Start: name + after, End: name + len(r.name)}} {
			if c.Start < c.End {
				changes = append(changes, c)
			}
		}
		return "Remove the space", changes
	case strings.HasPrefix(r.name, "env:") && variableName(r.name[len("env:"):]):
		return "Write ${…} without env:", []Change{{Start: name, End: name + len("env:")}}
	case strings.HasPrefix(r.name, "input:") && strings.TrimSpace(r.name) == r.name && len(r.name) > len("input:") && !r.hasFallback:
		return "Read it from the keychain", []Change{{name, name + len("input:"), keyringPrefix}}
	case !r.hasFallback:
		if i := strings.IndexAny(r.name, ":-"); i > 0 && variableName(r.name[:i]) {
			with := ":"
			if r.name[i] == ':' {
				i, with = i+1, "-"
			}
			return "Write it as a default", []Change{{name + i, name + i, with}}
		}
	}
	return "", nil
}

// variableName tells whether a name can be an environment variable's: letters, digits and "_", and
// the round brackets that Windows has in ProgramFiles(x86).
func variableName(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '(' && c != ')') {
			return false
		}
	}
	return name != ""
}
