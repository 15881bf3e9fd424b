package store

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// node is a value of a document as it matters here: without white space, comments and spelling.
type node struct {
	text    string // the whole value; what is equal means the same
	keys    []string
	members map[string]*node // nil for anything but an object
}

// read makes nodes of a tree.
func read(v *hujson.Value) *node {
	switch value := v.Value.(type) {
	case *hujson.Object:
		n := &node{members: map[string]*node{}}
		var b strings.Builder
		b.WriteByte('{')
		for i := range value.Members {
			key := value.Members[i].Name.Value.(hujson.Literal).String()
			for n.members[key] != nil { // a key that is there twice is one of its own
				key += "\x00"
			}
			member := read(&value.Members[i].Value)
			n.keys = append(n.keys, key)
			n.members[key] = member
			b.Write(quoted(key))
			b.WriteString(":" + member.text + ",")
		}
		b.WriteByte('}')
		n.text = b.String()
		return n
	case *hujson.Array:
		var b strings.Builder
		b.WriteByte('[')
		for i := range value.Elements {
			b.WriteString(read(&value.Elements[i]).text + ",")
		}
		b.WriteByte(']')
		return &node{text: b.String()}
	case hujson.Literal:
		if value.Kind() == '"' {
			return &node{text: string(quoted(value.String()))}
		}
		return &node{text: string(value)}
	}
	return &node{}
}

// alteration is what was done to one value: nil stands for one that isn't there.
type alteration struct {
	at            path
	before, after *string
}

func (a alteration) same(b alteration) bool { return sameText(a.after, b.after) }

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// alterations is what makes one document of another.
type alterations struct {
	values map[string]alteration // by path
	orders map[string]reordering // of objects, by path
}

// reordering is a new order of the members that an object had before and has still.
type reordering struct {
	at   path
	keys []string
}

func compare(before, after *node) alterations {
	out := alterations{map[string]alteration{}, map[string]reordering{}}
	out.compare(nil, before, after)
	return out
}

func (out *alterations) compare(at path, before, after *node) {
	if before.text == after.text {
		return
	}
	if before.members == nil || after.members == nil {
		out.add(at, before, after)
		return
	}
	for _, key := range before.keys {
		old := before.members[key]
		if now := after.members[key]; now != nil {
			out.compare(at.member(key), old, now)
		} else {
			out.add(at.member(key), old, nil)
		}
	}
	for _, key := range after.keys {
		if before.members[key] == nil {
			out.add(at.member(key), nil, after.members[key])
		}
	}
	if now := common(after.keys, before.members); !slices.Equal(common(before.keys, after.members), now) {
		out.orders[at.id()] = reordering{at, now}
	}
}

func (out *alterations) add(at path, before, after *node) {
	a := alteration{at: at}
	if before != nil {
		a.before = &before.text
	}
	if after != nil {
		a.after = &after.text
	}
	out.values[at.id()] = a
}

func common(keys []string, members map[string]*node) []string {
	var out []string
	for _, key := range keys {
		if members[key] != nil {
			out = append(out, key)
		}
	}
	return out
}

// id is a path that can be compared and that begins with those of the values around it.
func (p path) id() string {
	var b strings.Builder
	for _, s := range p {
		b.Write(quoted(s.key))
		b.WriteByte('/')
	}
	return b.String()
}

// sorted returns the alterations in the order of their paths.
func (out *alterations) sorted() []alteration {
	var list []alteration
	for _, id := range slices.Sorted(maps.Keys(out.values)) {
		list = append(list, out.values[id])
	}
	return list
}

// comments returns the comments of a source, with how often they are there.
func comments(source []byte) map[string]int {
	tree, shift, ok := parseTree(source)
	if !ok {
		return nil
	}
	found := map[string]int{}
	collect := func(gap []byte) {
		for len(gap) > 0 {
			end := len(gap)
			switch {
			case bytes.HasPrefix(gap, []byte("//")):
				if i := bytes.IndexByte(gap, '\n'); i >= 0 {
					end = i
				}
			case bytes.HasPrefix(gap, []byte("/*")):
				if i := bytes.Index(gap[2:], []byte("*/")); i >= 0 {
					end = i + 4
				}
			default:
				gap = gap[1:]
				continue
			}
			found[strings.TrimSpace(string(gap[:end]))]++
			gap = gap[end:]
		}
	}
	at := 0
	for _, l := range literals(tree, shift) {
		collect(source[at:l.start])
		at = l.end
	}
	collect(source[at:])
	return found
}
