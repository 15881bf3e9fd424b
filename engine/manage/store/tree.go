package store

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// maxDepth is more than any configuration is nested. It keeps functions that go down the tree from
// exhausting the stack.
const maxDepth = 1000

const byteOrderMark = "\ufeff"

// parseTree returns the syntax tree of a source, and by how many bytes its offsets are less than
// those of the source. It has none when the source has syntax errors.
func parseTree(source []byte) (tree *hujson.Value, shift int, ok bool) {
	body := bytes.TrimPrefix(source, []byte(byteOrderMark))
	depth, deepest := 0, 0
	for _, c := range body { // brackets in texts count too, which does no harm
		switch c {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	if deepest > maxDepth {
		return nil, 0, false
	}
	parsed, err := hujson.Parse(body)
	if err != nil {
		// hujson wants a newline after a comment at the end of the file.
		parsed, err = hujson.Parse(append(bytes.Clone(body), '\n'))
	}
	if err != nil {
		return nil, 0, false
	}
	return &parsed, len(source) - len(body), true
}

// broken tells whether a file has syntax errors, so that nobody can tell what is where in it.
func broken(source []byte) bool {
	if source == nil {
		return false
	}
	_, _, ok := parseTree(source)
	return !ok
}

// path leads to a value in the document: the keys of members, and the indexes of elements.
type path []step

type step struct {
	key   string
	index int // -1 for a member
}

func (p path) member(key string) path { return append(p[:len(p):len(p)], step{key, -1}) }
func (p path) element(i int) path     { return append(p[:len(p):len(p)], step{"", i}) }

// key returns the name of the innermost member.
func (p path) key() string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].index < 0 {
			return p[i].key
		}
	}
	return ""
}

// String writes a path as config.Diagnostic does.
func (p path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.index >= 0:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case !plainKey(s.key):
			b.WriteString("[" + strconv.Quote(s.key) + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.key)
		}
	}
	return b.String()
}

func plainKey(key string) bool {
	for i, r := range key {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '$'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '-') {
			return false
		}
	}
	return key != ""
}

// inServer tells whether a path leads into the entry of a server.
func (p path) inServer() bool {
	return len(p) > 4 && p[0].key == "toolboxes" && p[2].key == "mcpServers"
}
