package config

import (
	"cmp"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The references that a server's strings may hold (contract.md, section 2):
//
//	${NAME}            the variable of the server's own env, or else of the environment, which must be set
//	${NAME:-default}   the variable, or the default when it is not set or empty, as in a shell; the default may
//	                   hold references
//	${env:NAME}        the same as ${NAME}, as VS Code and Cursor write it; with a default, too
//	${keyring:NAME}    the secret of that name in the system's keychain
//	$${                "${" itself
//	${$}               "$" itself, and so ${%}, ${~} and ${{}: for a text that looks like a reference of another
//	                   program, and is meant as it is
type reference struct {
	start, end int // offsets in the text, including ${ and }
	text       string
	name       string
	keyring    bool

	fallback    string
	hasFallback bool
}

// flaw is a part of a text that begins like a reference but is none.
type flaw struct {
	start, end    int
	rule          Rule
	message, hint words.Text

	title   words.Text
	changes []Change // of the text
}

// piece is a part of a text: literal text, a reference or a flaw.
type piece struct {
	literal   string
	escape    string // how the literal text is written, if it is written in another way
	reference *reference
	flaw      *flaw
}

const (
	keyringPrefix = "keyring:"
	envPrefix     = "env:"
)

// pieces splits a text. It calls f with each part in order until f returns false.
func pieces(text string, f func(piece) bool) {
	offset := 0 // of the text not yet passed to f
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
			if !f(piece{literal: "${", escape: "$${"}) {
				return
			}
			offset = start + len("${")
			continue
		}
		if start > offset && !f(piece{literal: text[offset:start]}) {
			return
		}
		if sign := itself(text[start:]); sign != "" {
			if !f(piece{literal: sign, escape: "${" + sign + "}"}) {
				return
			}
			offset = start + len("${$}")
			continue
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

// itself returns the sign at the beginning of a text that stands for itself, as "$" in "${$}"; "" if there is none.
func itself(text string) string {
	if len(text) < len("${$}") || text[3] != '}' || strings.IndexByte("$%~{", text[2]) < 0 {
		return ""
	}
	return text[2:3]
}

// parseReference reads the reference that begins with the "${" at start.
func parseReference(text string, start int) piece {
	end, f := closing(text, start)
	if f != nil {
		return piece{flaw: f}
	}
	r := reference{start: start, end: end, text: text[start:end]}
	inner := text[start+2 : r.end-1]
	r.name, r.fallback, r.hasFallback = strings.Cut(inner, ":-")
	if name := strings.TrimPrefix(r.name, envPrefix); variableName(name) {
		r.name = name
	}
	if secret, ok := strings.CutPrefix(inner, keyringPrefix); ok {
		// The name of a secret may contain anything, including ":-".
		r.keyring, r.name, r.fallback, r.hasFallback = true, secret, "", false
	}
	if f = r.check(); f != nil {
		f.start, f.end = r.start, r.end
		return piece{flaw: f}
	}
	return piece{reference: &r}
}

// maxNested is how deep the defaults of references may be in each other.
const maxNested = 10

// closing returns the end of the reference that begins at start. Other references may begin and end in its
// default.
func closing(text string, start int) (end int, f *flaw) {
	depth, inside := 0, -1 // the place of the first "${" in it
	for at := start; at < len(text); {
		i := strings.IndexAny(text[at:], "${}")
		if i < 0 {
			break
		}
		at += i
		switch {
		case strings.HasPrefix(text[at:], "${"):
			if inside < 0 && at > start {
				inside = at
			}
			if depth > maxNested {
				return 0, &flaw{start: start, end: at, rule: nestedReference,
					message: words.New("config.nested_reference"), hint: words.New("config.nested_reference.hint")}
			}
			if depth > 0 && !strings.Contains(text[start:at], ":-") {
				return 0, unclosed(start, at)
			}
			depth++
			at += len("${")
		case text[at] == '}' && depth == 1:
			return at + 1, nil
		case text[at] == '}':
			depth--
			at++
		default:
			at++
		}
	}
	if inside < 0 {
		inside = len(text)
	}
	return 0, unclosed(start, inside)
}

func unclosed(start, end int) *flaw {
	return &flaw{start: start, end: end, rule: unclosedReference,
		message: words.New("config.unclosed_reference"), hint: words.New("config.unclosed_reference.hint")}
}

// nameStart returns the offset of a reference's name in its text.
func (r *reference) nameStart() int {
	if r.keyring {
		return r.start + len("${"+keyringPrefix)
	}
	return r.start + len("${")
}

// variableName reports whether a name can be that of an environment variable: letters, digits and "_", and
// parentheses, which Windows has in ProgramFiles(x86).
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

// Reference is a reference in a text, such as ${HOME}.
type Reference struct {
	Name       string
	Keyring    bool // a secret in the system's keychain, not an environment variable
	HasDefault bool // it has a text for the case that the variable is not set
}

// References returns the references in a string of a server's entry, in their order. Text that only looks
// like a reference is left out; [Parse] reports it.
func References(text string) []Reference {
	var found []Reference
	pieces(text, func(p piece) bool {
		if r := p.reference; r != nil {
			found = append(append(found, Reference{r.name, r.keyring, r.hasFallback}), References(r.fallback)...)
		}
		return true
	})
	return found
}

// ReplaceReferences returns a text in which each reference, with its default, is replaced by what with returns.
// Text that only looks like a reference stays.
func ReplaceReferences(text string, with func(reference string) string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	var b strings.Builder
	pieces(text, func(p piece) bool {
		switch {
		case p.reference != nil:
			b.WriteString(with(p.reference.text))
		case p.flaw != nil:
			b.WriteString(text[p.flaw.start:p.flaw.end])
		default:
			b.WriteString(cmp.Or(p.escape, p.literal))
		}
		return true
	})
	return b.String()
}
