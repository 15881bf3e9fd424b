package edit

import (
	"bytes"
	"encoding/json"
	"slices"
)

const byteOrderMark = "\ufeff"

// span is a stretch of a text.
type span struct{ start, end int }

// node is a value of a text and, when it belongs to an object, its name: nothing but places. The
// text must be free of syntax errors. Its children are looked for when they are asked for, which is what keeps
// an edit of one server in a file of a thousand quick; hujson would make the whole tree.
type node struct {
	text  []byte
	key   string // decoded
	name  span   // with its quotes; empty for elements and the root
	value span
	gap   int // where the white space and comments before it begin: after the bracket or comma
	comma int // the place of the comma after it, or -1

	children []*node
	opened   bool
}

// parseNode returns the value that is the text from start, with comments around it.
func parseNode(text []byte, start int) *node {
	at := skipExtra(text, start)
	return &node{text: text, gap: start, comma: -1, value: span{at, skipValue(text, at)}}
}

func (n *node) kind() byte {
	switch c := n.text[n.value.start]; c {
	case '{', '[', '"', 't', 'f', 'n':
		return c
	}
	return '0'
}

// raw returns the value as it is written.
func (n *node) raw() []byte { return n.text[n.value.start:n.value.end] }

// str returns what a string says.
func (n *node) str() string { return decode(n.raw()) }

// first is where the node begins, with its name.
func (n *node) first() int {
	if n.name.end > 0 {
		return n.name.start
	}
	return n.value.start
}

// last is where the node ends, with its comma.
func (n *node) last() int {
	if n.comma >= 0 {
		return n.comma + 1
	}
	return n.value.end
}

// close is the place of the closing bracket.
func (n *node) close() int { return n.value.end - 1 }

// kids returns the members of an object or the elements of an array.
func (n *node) kids() []*node {
	if n.opened {
		return n.children
	}
	n.opened = true
	kind := n.kind()
	if kind != '{' && kind != '[' {
		return nil
	}
	gap := n.value.start + 1
	for {
		kid := &node{text: n.text, gap: gap, comma: -1}
		at := skipExtra(n.text, gap)
		if at >= n.close() {
			return n.children
		}
		if kind == '{' {
			kid.name = span{at, skipValue(n.text, at)}
			kid.key = decode(n.text[kid.name.start:kid.name.end])
			at = skipExtra(n.text, kid.name.end)
			at = skipExtra(n.text, at+len(":"))
		}
		kid.value = span{at, skipValue(n.text, at)}
		n.children = append(n.children, kid)
		at = skipExtra(n.text, kid.value.end)
		if n.text[at] != ',' {
			return n.children
		}
		kid.comma = at
		gap = at + 1
	}
}

// index returns which child has a key, or -1.
func (n *node) index(key string) int {
	return slices.IndexFunc(n.kids(), func(kid *node) bool { return kid.key == key })
}

func (n *node) keys() []string {
	keys := make([]string, len(n.kids()))
	for i, kid := range n.kids() {
		keys[i] = kid.key
	}
	return keys
}

// repeated returns the second of two members with one key.
func (n *node) repeated() *node {
	if len(n.kids()) <= 8 {
		for i, kid := range n.children {
			if n.index(kid.key) != i {
				return kid
			}
		}
		return nil
	}
	seen := make(map[string]bool, len(n.children))
	for _, kid := range n.children {
		if seen[kid.key] {
			return kid
		}
		seen[kid.key] = true
	}
	return nil
}

func skipExtra(text []byte, at int) int {
	for at < len(text) {
		switch text[at] {
		case ' ', '\t', '\r', '\n':
			at++
		case '/':
			at = skipComment(text, at)
		default:
			return at
		}
	}
	return at
}

// skipComment returns the end of a comment. The line end is not part of it.
func skipComment(text []byte, at int) int {
	if text[at+1] == '*' {
		return at + 2 + bytes.Index(text[at+2:], []byte("*/")) + 2
	}
	n := bytes.IndexByte(text[at:], '\n')
	if n < 0 {
		return len(text)
	}
	return at + n
}

func skipString(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

func skipValue(text []byte, at int) int {
	switch text[at] {
	case '"':
		return skipString(text, at)
	case '{', '[':
		depth := 0
		for {
			switch text[at] {
			case '"':
				at = skipString(text, at)
				continue
			case '/':
				at = skipComment(text, at)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
				if depth == 0 {
					return at + 1
				}
			}
			at++
		}
	}
	for at < len(text) && bytes.IndexByte([]byte(" \t\r\n,:{}[]/"), text[at]) < 0 {
		at++
	}
	return at
}

// decode returns what a JSON string says.
func decode(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	var s string
	if err := json.Unmarshal(literal, &s); err != nil { // the text has no syntax errors
		return string(literal[1 : len(literal)-1])
	}
	return s
}
