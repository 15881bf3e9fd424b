package edit

import (
	"bytes"
	"fmt"
	"slices"
)

// model is what the file must say after an edit, made in the simplest way: the tree of before, with members
// put into lists and taken out. Comparing it with what the new text says is the check that stands between a
// mistake in all the rest of this package and the user's file.
type model struct {
	key     string
	name    []byte // as it must be written; nil when only the key matters
	from    *node  // what it must be
	match   match
	members []*model
	opened  bool // the members count, and from no more
}

// match is how alike something must be.
type match int

const (
	exact match = iota // byte for byte
	moved              // but for white space, as it has been indented anew
	equal              // it must only say the same
)

func newModel(n *node) *model {
	m := &model{key: n.key, from: n}
	if n.name.end > 0 {
		m.name = n.text[n.name.start:n.name.end]
	}
	return m
}

func newMember(key string, value *node, how match) *model {
	return &model{key: key, from: value, match: how}
}

// open makes the members of an object changeable.
func (m *model) open() {
	if m.opened {
		return
	}
	m.opened = true
	for _, kid := range m.from.kids() {
		member := newModel(kid)
		if member.match = m.match; m.match == equal {
			member.name = nil
		}
		m.members = append(m.members, member)
	}
}

func (m *model) index(key string) int {
	m.open()
	return slices.IndexFunc(m.members, func(member *model) bool { return member.key == key })
}

// at returns what a path leads to, making objects where there is nothing.
func (m *model) at(p place) *model {
	r := roleRoot
	for _, key := range p.path {
		i := m.index(key)
		if i < 0 {
			i, _ = usualAmong(m.keys(), r, key)
			m.insert(i, newMember(key, parseNode([]byte("{}"), 0), equal))
		}
		m, r = m.members[i], r.member(key)
	}
	m.open()
	return m
}

func (m *model) keys() []string {
	m.open()
	keys := make([]string, len(m.members))
	for i, member := range m.members {
		keys[i] = member.key
	}
	return keys
}

func (m *model) insert(i int, member *model) {
	m.open()
	m.members = slices.Insert(m.members, i, member)
}

func (m *model) remove(key string) *model {
	i := m.index(key)
	if i < 0 {
		return nil
	}
	member := m.members[i]
	m.members = slices.Delete(m.members, i, i+1)
	return member
}

// check says where a text isn't what it must be.
func (m *model) check(n *node) error {
	if m.key != n.key {
		return fmt.Errorf("%w: there is %q where %q must be", ErrBug, n.key, m.key)
	}
	if m.name != nil && !bytes.Equal(m.name, n.text[n.name.start:n.name.end]) {
		return fmt.Errorf("%w: the name %q would have been written in another way", ErrBug, m.key)
	}
	if !m.opened {
		same := false
		switch m.match {
		case exact:
			same = bytes.Equal(m.from.raw(), n.raw())
		case moved:
			same = bytes.Equal(squeeze(m.from.raw()), squeeze(n.raw()))
		case equal:
			same = sameValue(m.from, n)
		}
		if !same {
			return fmt.Errorf("%w: %q would have become something else", ErrBug, m.key)
		}
		return nil
	}
	kids := n.kids()
	if n.kind() != '{' || len(kids) != len(m.members) {
		return fmt.Errorf("%w: %q would have had %d members instead of %d", ErrBug, m.key, len(kids), len(m.members))
	}
	for i, member := range m.members {
		if err := member.check(kids[i]); err != nil {
			return err
		}
	}
	return nil
}

// squeeze takes out all white space that isn't in a string.
func squeeze(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for at := 0; at < len(text); {
		end := at + 1
		switch text[at] {
		case ' ', '\t', '\r', '\n':
			at++
			continue
		case '"':
			end = skipString(text, at)
		case '/':
			end = skipComment(text, at)
			out = append(out, bytes.Join(bytes.Fields(text[at:end]), nil)...)
			at = end
			continue
		}
		out = append(out, text[at:end]...)
		at = end
	}
	return out
}

// sameValue tells whether two values say the same. The order of members doesn't matter; the
// spelling of numbers does.
func sameValue(a, b *node) bool {
	if a.kind() != b.kind() || len(a.kids()) != len(b.kids()) {
		return false
	}
	switch a.kind() {
	case '"':
		return a.str() == b.str()
	case '{':
		others := make(map[string]*node, len(b.kids()))
		for _, kid := range b.kids() {
			others[kid.key] = kid
		}
		for _, kid := range a.kids() {
			if other := others[kid.key]; other == nil || !sameValue(kid, other) {
				return false
			}
		}
		return len(others) == len(b.kids())
	case '[':
		for i, kid := range a.kids() {
			if !sameValue(kid, b.kids()[i]) {
				return false
			}
		}
		return true
	}
	return bytes.Equal(a.raw(), b.raw())
}
