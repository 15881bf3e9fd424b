package store

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// In the history, "<secret 0123456789abcdef>" stands for a secret. The digits are its keyed hash,
// by which it is found again (docs/adr/020-history-and-secrets.md).
var placeholder = lazyregexp.New(`<secret ([0-9a-f]{16})>`)

// hidden is a secret in a source.
type hidden struct {
	start, end int // the bytes of the source that are replaced
	value      string
	raw        []byte // the whole literal, when the secret is one; else nil
	at         path   // of the value it is in; nil in a comment
}

// hideSecrets returns a source with placeholders instead of secrets.
func hideSecrets(source []byte, hasher hasher) []byte {
	found := findSecrets(source)
	if len(found) == 0 {
		return source
	}
	var out bytes.Buffer
	at := 0
	for _, h := range found {
		out.Write(source[at:h.start])
		mark := "<secret " + hasher.secret(h.value) + ">"
		if h.raw != nil {
			mark = `"` + mark + `"`
		}
		out.WriteString(mark)
		at = h.end
	}
	out.Write(source[at:])
	return out.Bytes()
}

// findSecrets returns the secrets of a source, in order and apart from each other.
func findSecrets(source []byte) []hidden {
	tree, shift, ok := parseTree(source)
	if !ok {
		return inText(source, 0, len(source))
	}
	var found []hidden
	at := 0
	for _, l := range literals(tree, shift) {
		found = append(found, inComments(source, at, l.start)...)
		at = l.end
		if !l.name {
			found = append(found, l.secrets()...)
		}
	}
	return append(found, inComments(source, at, len(source))...)
}

// inText finds secrets where there is no structure to go by.
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

// literal is a string, number or word of the document.
type literal struct {
	start, end int // in the source
	hujson.Literal
	at       path
	name     bool   // of a member
	previous string // the text of the element before, in an array
	telling  bool   // a key further out says that this is secret
}

// literals returns all of a tree, in the order of the source.
func literals(tree *hujson.Value, shift int) []literal {
	var found []literal
	var walk func(v *hujson.Value, l literal)
	walk = func(v *hujson.Value, l literal) {
		switch value := v.Value.(type) {
		case hujson.Literal:
			l.Literal, l.start, l.end = value, shift+v.StartOffset, shift+v.EndOffset
			found = append(found, l)
		case *hujson.Object:
			for i := range value.Members {
				m := &value.Members[i]
				walk(&m.Name, literal{at: l.at, name: true})
				key := m.Name.Value.(hujson.Literal).String()
				at := l.at.member(key)
				// Only in a server, for toolboxes and servers may well be called "private" or "auth".
				_, scalar := m.Value.Value.(hujson.Literal)
				telling := l.telling || !scalar && at.inServer() && secret.Key(key)
				walk(&m.Value, literal{at: at, telling: telling})
			}
		case *hujson.Array:
			previous := ""
			for i := range value.Elements {
				walk(&value.Elements[i], literal{at: l.at.element(i), telling: l.telling, previous: previous})
				previous = ""
				if text, ok := value.Elements[i].Value.(hujson.Literal); ok && text.Kind() == '"' {
					previous = text.String()
				}
			}
		}
	}
	walk(tree, literal{})
	return found
}

// secrets returns the secrets in a value.
func (l literal) secrets() []hidden {
	kind := l.Kind()
	if kind != '"' && kind != '0' {
		return nil
	}
	value := string(l.Literal)
	if kind == '"' {
		value = l.String()
	}
	whole := []hidden{{start: l.start, end: l.end, value: value, raw: []byte(l.Literal), at: l.at}}
	key := l.at.key()
	switch {
	case kind == '"' && placeholder.MatchString(value):
		return whole // else it would be taken for one when it is restored
	case secret.Key(key) && secret.Pair(key, value):
		return whole
	case l.telling && secret.Pair("secret", value):
		return whole
	case strings.HasPrefix(l.previous, "-") && !strings.Contains(l.previous, "=") && !strings.HasPrefix(value, "-") && secret.Key(l.previous) && secret.Pair(l.previous, value):
		return whole
	case kind != '"':
		return nil
	}
	spans := secret.InValue(value)
	if l.at.inServer() && key != "url" {
		spans = secret.InText(value)
	}
	switch {
	case len(spans) == 0:
		return nil
	case len(spans) == 1 && spans[0] == secret.Span{Start: 0, End: len(value)}, string(l.Literal) != `"`+value+`"`:
		return whole // with escapes in it, its parts cannot be told from the value
	}
	var parts []hidden
	for _, span := range spans {
		parts = append(parts, hidden{start: l.start + 1 + span.Start, end: l.start + 1 + span.End, value: value[span.Start:span.End], at: l.at})
	}
	return parts
}
