package jsonc

import (
	"slices"
	"strings"
)

// Delta is the difference between two values, by path: which values differ, and which objects have another
// order. White space, comments and the spelling of strings do not matter. Both lists are sorted by path.
type Delta struct {
	Values []Alteration
	Orders []Order
}

// Alteration is a change of the value at a path. Nil means that there is no value.
type Alteration struct {
	Path          Path
	Before, After *Node

	id string
}

// Order is a new order of those members of an object that existed before and still exist.
type Order struct {
	Path Path
	Keys []string

	id string
}

// Compare returns the difference between before and after. Arrays and scalar values are compared as a whole.
// A member whose name was already used in its object counts as a member with another name.
func Compare(before, after *Node) Delta {
	var d Delta
	d.compare(nil, before, after)
	slices.SortStableFunc(d.Values, func(a, b Alteration) int { return strings.Compare(a.id, b.id) })
	slices.SortStableFunc(d.Orders, func(a, b Order) int { return strings.Compare(a.id, b.id) })
	return d
}

func (d *Delta) compare(at Path, before, after *Node) {
	if before.Raw() == after.Raw() {
		return
	}
	if before.Kind != Object || after.Kind != Object {
		if !identical(before, after) {
			d.add(at, before, after)
		}
		return
	}
	were, are := before.members(), after.members()
	for _, key := range were.keys {
		if now := are.nodes[key]; now != nil {
			d.compare(at.Member(key), were.nodes[key], now)
		} else {
			d.add(at.Member(key), were.nodes[key], nil)
		}
	}
	for _, key := range are.keys {
		if were.nodes[key] == nil {
			d.add(at.Member(key), nil, are.nodes[key])
		}
	}
	if now := common(are.keys, were.keys); !slices.Equal(common(were.keys, are.keys), now) {
		d.Orders = append(d.Orders, Order{at, now, at.id()})
	}
}

func (d *Delta) add(at Path, before, after *Node) {
	d.Values = append(d.Values, Alteration{at, before, after, at.id()})
}

// members has the members of an object by name, in their order.
type members struct {
	keys  []string
	nodes map[string]*Node
}

func (n *Node) members() members {
	m := members{nodes: make(map[string]*Node, len(n.Children))}
	for _, kid := range n.Children {
		key := kid.Key
		for m.nodes[key] != nil {
			key += "\x00"
		}
		m.keys = append(m.keys, key)
		m.nodes[key] = kid
	}
	return m
}

// common returns the keys that are also among others, in their order.
func common(keys, others []string) []string {
	there := make(map[string]bool, len(others))
	for _, key := range others {
		there[key] = true
	}
	var out []string
	for _, key := range keys {
		if there[key] {
			out = append(out, key)
		}
	}
	return out
}

// find returns the change of the value at a path; nil if it did not change.
func (d Delta) find(id string) *Alteration {
	i, found := slices.BinarySearchFunc(d.Values, id, func(a Alteration, id string) int {
		return strings.Compare(a.id, id)
	})
	if !found {
		return nil
	}
	return &d.Values[i]
}

// order returns the new order of an object; nil if it did not change.
func (d Delta) order(id string) []string {
	i, found := slices.BinarySearchFunc(d.Orders, id, func(o Order, id string) int { return strings.Compare(o.id, id) })
	if !found {
		return nil
	}
	return d.Orders[i].Keys
}
