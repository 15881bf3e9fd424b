package store

import (
	"bytes"
	"iter"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// In the history, "<secret 0123456789abcdef>" replaces a secret. The digits are its keyed hash, by which it
// is found again (docs/adr/020-history-and-secrets.md).
var placeholder = lazyregexp.New(`<secret ([0-9a-f]{16})>`)

// hidden is a secret in a source.
type hidden struct {
	start, end int // the bytes of the source to replace
	value      string
	raw        []byte // the text of the whole literal if the secret is all of it, else nil
}

// hideSecrets returns a source with placeholders instead of secrets.
func hideSecrets(source []byte, hasher hasher) []byte {
	return conceal(source, findSecrets(source), func(value string) string {
		return "<secret " + hasher.secret(value) + ">"
	})
}

// conceal replaces the secrets of a source by what is shown instead.
func conceal(source []byte, found []hidden, shown func(value string) string) []byte {
	if len(found) == 0 {
		return source
	}
	var out bytes.Buffer
	at := 0
	for _, h := range found {
		out.Write(source[at:h.start])
		out.WriteString(h.quoted(shown(h.value)))
		at = h.end
	}
	out.Write(source[at:])
	return out.Bytes()
}

// quoted puts quotes around a placeholder if the secret had them.
func (h hidden) quoted(shown string) string {
	if h.raw != nil {
		return `"` + shown + `"`
	}
	return shown
}

// findSecrets returns the secrets of a source, in order and without overlap.
func findSecrets(source []byte) []hidden {
	document := jsonc.Parse(source)
	if document.Broken() != nil {
		return inText(source, 0, len(source))
	}
	var found []hidden
	at := 0
	for l := range literals(document) {
		found = append(found, inComments(source, at, l.Start)...)
		at = l.End
		if !l.name {
			found = append(found, l.secrets()...)
		}
	}
	return append(found, inComments(source, at, len(source))...)
}

// inText finds secrets in a text without structure.
func inText(source []byte, start, end int) []hidden {
	text := string(source[start:end])
	var found []hidden
	for _, span := range secret.InText(text) {
		found = append(found, hidden{start: start + span.Start, end: start + span.End, value: text[span.Start:span.End]})
	}
	return found
}

// inComments finds secrets between two literals, where there may be comments.
func inComments(source []byte, start, end int) []hidden {
	if gap := source[start:end]; !bytes.Contains(gap, []byte("//")) && !bytes.Contains(gap, []byte("/*")) {
		return nil
	}
	return inText(source, start, end)
}

// literal is a string, number or keyword of the document.
type literal struct {
	jsonc.Span
	kind     jsonc.Kind
	raw      string // as it is written
	text     string // the value of a string, else raw
	at       jsonc.Path
	name     bool   // of a member
	previous string // in an array: the element before
	telling  bool   // the key of an object or array around it says that it is secret
}

// literals returns all literals of a document, in the order of the source.
func literals(document *jsonc.Document) iter.Seq[literal] {
	return func(yield func(literal) bool) {
		var walk func(n *jsonc.Node, l literal) bool
		walk = func(n *jsonc.Node, l literal) bool {
			switch n.Kind {
			case jsonc.Object:
				for _, kid := range n.Children {
					name := literal{Span: kid.Name, kind: jsonc.String, raw: document.Slice(kid.Name), text: kid.Key, at: l.at,
						name: true}
					at := l.at.Member(kid.Key)
					// This applies only in a server: toolboxes and servers may well be named "private" or "auth".
					inside := kid.Kind == jsonc.Object || kid.Kind == jsonc.Array
					telling := l.telling || inside && inServer(at) && secret.Key(kid.Key)
					if !yield(name) || !walk(kid, literal{at: at, telling: telling}) {
						return false
					}
				}
				return true
			case jsonc.Array:
				previous := ""
				for i, kid := range n.Children {
					if !walk(kid, literal{at: l.at.Element(i), telling: l.telling, previous: previous}) {
						return false
					}
					previous = kid.Str()
				}
				return true
			}
			l.Span, l.kind, l.raw, l.text = n.Span, n.Kind, n.Raw(), n.Raw()
			if n.Kind == jsonc.String {
				l.text = n.Str()
			}
			return yield(l)
		}
		walk(document.Root, literal{})
	}
}

// secrets returns the secrets in a value.
func (l literal) secrets() []hidden {
	if l.kind != jsonc.String && l.kind != jsonc.Number {
		return nil
	}
	value, key := l.text, l.at.Key()
	whole := func() []hidden { return []hidden{{start: l.Start, end: l.End, value: value, raw: []byte(l.raw)}} }
	switch {
	case l.kind == jsonc.String && placeholder.MatchString(value):
		return whole() // otherwise restoring would treat it as a placeholder
	case secret.Key(key) && secret.Pair(key, value):
		return whole()
	case l.telling && secret.Pair("secret", value):
		return whole()
	case strings.HasPrefix(l.previous, "-") && !strings.Contains(l.previous, "=") && !strings.HasPrefix(value, "-") &&
		secret.Key(l.previous) && secret.Pair(l.previous, value):
		return whole()
	case l.kind != jsonc.String:
		return nil
	}
	spans := secret.InValue(value)
	if inServer(l.at) && key != "url" {
		spans = secret.InText(value)
	}
	switch {
	case len(spans) == 0:
		return nil
	case len(spans) == 1 && spans[0] == secret.Span{Start: 0, End: len(value)}, l.raw != `"`+value+`"`:
		return whole() // with escapes in it, the offsets of its parts are unknown
	}
	var parts []hidden
	for _, span := range spans {
		parts = append(parts, hidden{start: l.Start + 1 + span.Start, end: l.Start + 1 + span.End,
			value: value[span.Start:span.End]})
	}
	return parts
}
