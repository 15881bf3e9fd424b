package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// ServerPath returns the [Diagnostic.Path] of a server's entry.
func ServerPath(toolbox, server string) string {
	root := &docPath{key: "toolboxes", index: -1}
	return root.member(toolbox).member("mcpServers").member(server).String()
}

// docPath is a path in the document. It is converted to a string only when there is a diagnostic.
type docPath struct {
	parent *docPath
	key    string
	index  int // an element of an array; negative for a member
}

// known returns the path up to the first name that is not a known field, a toolbox or a server. In broken text, such a
// name may be a secret.
func (p *docPath) known() *docPath {
	if p == nil {
		return nil
	}
	outer := p.parent.known()
	switch {
	case outer != p.parent:
		return outer
	case p.index >= 0 || knownName(p.key):
		return p
	case outer != nil && outer.index < 0 && (outer.key == "toolboxes" || serversElsewhere(outer.key)):
		return p
	}
	return outer
}

func (p *docPath) member(key string) *docPath { return &docPath{parent: p, key: key, index: -1} }
func (p *docPath) element(i int) *docPath     { return &docPath{parent: p, index: i} }

// elements returns the paths of the first n elements.
func (p *docPath) elements(n int) []docPath {
	places := make([]docPath, n)
	for i := range places {
		places[i] = docPath{parent: p, index: i}
	}
	return places
}

// maxSteps is how many steps of a path are written out. Paths of known fields have at most six.
const maxSteps = 20

// maxKey is how many bytes of one key are written out.
const maxKey = 200

// String returns the path as text. It is empty for nil, which is the whole document.
func (p *docPath) String() string {
	var steps []*docPath
	for ; p != nil; p = p.parent {
		steps = append(steps, p)
	}
	tail := ""
	if more := len(steps) - maxSteps; more > 0 {
		steps, tail = steps[more:], "…"
	}
	var b strings.Builder
	for _, step := range slices.Backward(steps) {
		key := withoutSecret(step.key)
		switch {
		case step.index >= 0:
			fmt.Fprintf(&b, "[%d]", step.index)
		case !jsonc.PlainKey(key) || len(key) > maxKey:
			b.WriteString("[" + quoteUpTo(maxKey, key) + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(key)
		}
	}
	return b.String() + tail
}
