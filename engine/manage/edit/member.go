package edit

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// take returns child i of a container as something to be put elsewhere, with the comments that belong to it
// unless bare is set.
func (n *node) take(i int, bare bool) insertion {
	kid := n.kids()[i]
	text := string(n.text[kid.first():kid.value.end])
	in := insertion{}
	if !bare {
		text = string(n.text[kid.lead():kid.value.end])
		lead := extras(n.text, kid.lead(), kid.first())
		_, in.ownLines = firstLine(lead)
		in.trail = n.trailText(i)
	}
	indent := indentation(n.text, kid.first())
	unit, _ := kid.unit()
	in.write = func(to, unitTo string, _ bool) string {
		return reindent(text, indent, to, unit, unitTo)
	}
	return in
}

// trailText returns the comments behind child i, before and after its comma, with the space before
// them.
func (n *node) trailText(i int) string {
	kid := n.kids()[i]
	var b strings.Builder
	at, open := kid.value.end, false
	comments := n.trail(i)
	if kid.comma >= 0 {
		comments = append(extras(n.text, at, kid.comma), comments...)
	}
	for _, t := range comments {
		if t.kind == newline {
			continue
		}
		space := n.text[at:t.start]
		if kid.comma >= at && kid.comma < t.start {
			space = n.text[kid.comma+1 : t.start]
		}
		if open && bytes.IndexByte(space, '\n') < 0 {
			b.WriteString("\n")
		}
		open = t.kind == lineComment
		b.Write(space)
		b.Write(n.text[t.start:t.end])
		at = t.end
	}
	return b.String()
}

// rename gives the member of an object at a place another name.
func (d *draft) rename(p place, what, from, to string) error {
	object, err := d.need(p)
	if err != nil {
		return err
	}
	member, _, err := d.member(object, from)
	if err != nil {
		return err
	}
	if member == nil {
		return d.missing(p.member(from))
	}
	if from == to {
		return nil
	}
	if object.index(to) >= 0 {
		return refuse(ErrExists, "there is a %s %q already", what, to)
	}
	return d.replace([]Change{{member.name.start, member.name.end, quoteJSON(to)}})
}

func (m *model) rename(p place, from, to string) {
	m = m.at(p)
	if i := m.index(from); i >= 0 && from != to {
		m.members[i].key, m.members[i].name = to, nil
	}
}

// remove takes the member of an object at a place out.
func (d *draft) remove(p place, key string) error {
	object, err := d.need(p)
	if err != nil {
		return err
	}
	member, i, err := d.member(object, key)
	if err != nil {
		return err
	}
	if member == nil {
		return d.missing(p.member(key))
	}
	return d.replace(object.remove(i))
}

// move brings a member of one object to a position in another, or in the same.
func (d *draft) move(from, to place, key string, at Position) error {
	d.style() // before something is taken out that it could be learned from
	object, err := d.need(from)
	if err != nil {
		return err
	}
	member, i, err := d.member(object, key)
	if err != nil {
		return err
	}
	if member == nil {
		return d.missing(from.member(key))
	}
	same := slices.Equal(from.path, to.path)
	if same && (at.Before == key || at.After == key) {
		return nil
	}
	keys, apart := object.keys(), object.apart()
	if same {
		keys = slices.Delete(keys, i, i+1)
	} else {
		target, err := d.find(to)
		if err != nil {
			return err
		}
		keys, apart = nil, false
		if target != nil {
			apart = target.apart()
			if keys = target.keys(); slices.Contains(keys, key) {
				return refuse(ErrExists, "there is %s already", quoteJSON(key)+" in the toolbox "+quoteJSON(to.path[1]))
			}
		}
	}
	index, after, err := at.resolve(keys, len(keys))
	if err != nil || same && index == i {
		return err
	}
	if same && at.Index != nil {
		after = index > i // below the one that it has passed
	}
	taken := object.take(i, false)
	taken.apart = apart
	if err := d.replace(object.remove(i)); err != nil {
		return err
	}
	return d.put(to, index, after, taken)
}

// put makes an insertion a member of an object at a place.
func (d *draft) put(p place, index int, after bool, in insertion) error {
	object, err := d.container(p)
	if err != nil {
		return err
	}
	return d.replace(object.insert(index, after, in, d.style(), p.role))
}

func (m *model) move(from, to place, key string, at Position) {
	source := m.at(from)
	same := slices.Equal(from.path, to.path)
	if same && (at.Before == key || at.After == key) {
		return
	}
	member := source.remove(key)
	if !same {
		member.match = moved
	} else if member.match == exact {
		member.match = moved
	}
	target := m.at(to)
	index, _, err := at.resolve(target.keys(), len(target.members))
	if err != nil {
		return // the check will find it
	}
	target.insert(index, member)
}

// duplicate writes a member of an object once more under another name, there or in another object. The
// comments around it are about the original, so they stay.
func (d *draft) duplicate(from, to place, what, key, name string, at Position) error {
	object, err := d.need(from)
	if err != nil {
		return err
	}
	member, i, err := d.member(object, key)
	if err != nil {
		return err
	}
	if member == nil {
		return d.missing(from.member(key))
	}
	var keys []string
	target, err := d.find(to)
	if err != nil {
		return err
	}
	if target != nil {
		keys = target.keys()
	}
	if slices.Contains(keys, name) {
		return refuse(ErrExists, "there is a %s %q already", what, name)
	}
	index, after, err := at.resolve(keys, usualCopy(keys, key, from, to))
	if err != nil {
		return err
	}
	taken := object.take(i, true)
	taken.apart = target != nil && target.apart()
	copied, length := taken.write, member.name.end-member.name.start
	taken.write = func(indent, unit string, lines bool) string {
		return quoteJSON(name) + copied(indent, unit, lines)[length:]
	}
	return d.put(to, index, after, taken)
}

// usualCopy is where a copy goes: below the original.
func usualCopy(keys []string, key string, from, to place) int {
	if i := slices.Index(keys, key); i >= 0 && slices.Equal(from.path, to.path) {
		return i + 1
	}
	return len(keys)
}

func (m *model) duplicate(from, to place, key, name string, at Position) {
	source := m.at(from)
	original := *source.members[source.index(key)]
	target := m.at(to)
	index, _, err := at.resolve(target.keys(), usualCopy(target.keys(), key, from, to))
	if err != nil {
		return // the check will find it
	}
	original.key, original.name, original.match = name, nil, moved
	target.insert(index, &original)
}

// CopyName returns a name for a copy that is not among the names there are: name-copy, name-copy-2.
func CopyName(name string, taken []string) string {
	copied := name + "-copy"
	for i := 2; slices.Contains(taken, copied); i++ {
		copied = name + "-copy-" + strconv.Itoa(i)
	}
	return copied
}
