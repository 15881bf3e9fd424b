package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

// This file has the references for comparison: hujson and encoding/json, which this package does not use for
// reading, and a plain model of names and values, on which operations are done in the simplest way.

// judgeParse parses a text with hujson.
func judgeParse(text string) (hujson.Value, error) {
	return hujson.Parse(append([]byte(strings.TrimPrefix(text, byteOrderMark)), '\n'))
}

// sameTree compares a node with hujson's result for the same text.
func sameTree(n *Node, v *hujson.Value, shift int) error {
	if n.Start != v.StartOffset+shift || n.End != v.EndOffset+shift {
		return fmt.Errorf("%q is at %d to %d, want %d to %d", n.Raw(), n.Start, n.End, v.StartOffset+shift,
			v.EndOffset+shift)
	}
	switch v := v.Value.(type) {
	case *hujson.Object:
		if n.Kind != Object || len(n.Children) != len(v.Members) {
			return fmt.Errorf("%q has %d members, want %d", n.Raw(), len(n.Children), len(v.Members))
		}
		for i := range v.Members {
			name := v.Members[i].Name.Value.(hujson.Literal)
			if key := Unquote(string(name)); n.Children[i].Key != key {
				return fmt.Errorf("the name %q, want %q", n.Children[i].Key, key)
			}
			if err := sameTree(n.Children[i], &v.Members[i].Value, shift); err != nil {
				return err
			}
		}
	case *hujson.Array:
		if n.Kind != Array || len(n.Children) != len(v.Elements) {
			return fmt.Errorf("%q has %d elements, want %d", n.Raw(), len(n.Children), len(v.Elements))
		}
		for i := range v.Elements {
			if err := sameTree(n.Children[i], &v.Elements[i], shift); err != nil {
				return err
			}
		}
	case hujson.Literal:
		if n.Raw() != string(v) || byte(n.Kind) != byte(v.Kind()) {
			return fmt.Errorf("%q is a %q, want %q", n.Raw(), byte(n.Kind), byte(v.Kind()))
		}
	}
	return nil
}

// wellFormed checks what must hold for every document: nodes are nested and in order, and errors are within
// the text and in order.
func wellFormed(d *Document) error {
	if !slices.IsSortedFunc(d.Errors, func(a, b Error) int { return a.Start - b.Start }) {
		return fmt.Errorf("the errors are not in order: %v", d.Errors)
	}
	for _, err := range d.Errors {
		if err.Start < 0 || err.End < err.Start || err.End > len(d.text) || err.After > len(d.text) || err.After < 0 ||
			err.Code == 0 {
			return fmt.Errorf("an error outside of the text: %+v", err)
		}
	}
	for _, comment := range d.Comments {
		if text := d.Slice(comment); !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "/*") {
			return fmt.Errorf("no comment: %q", text)
		}
	}
	if d.Root == nil {
		return nil
	}
	return within(d.Root, 0, len(d.text))
}

func within(n *Node, start, end int) error {
	if n.First() < start || n.Start < n.First() || n.End < n.Start || n.End > end || n.comma >= 0 && n.comma < n.End {
		return fmt.Errorf("%q is at %d to %d, outside of %d to %d", n.Raw(), n.First(), n.End, start, end)
	}
	at := n.Start
	for _, kid := range n.Children {
		if kid.gap < at || kid.gap > kid.First() {
			return fmt.Errorf("the gap before %q begins at %d, not between %d and %d", kid.Raw(), kid.gap, at, kid.First())
		}
		if err := within(kid, at, n.End); err != nil {
			return err
		}
		at = kid.last()
	}
	return nil
}

// samePlaces compares two trees of the same text.
func samePlaces(a, b *Node) error {
	if a.Kind != b.Kind || a.Span != b.Span || a.Name != b.Name || a.Key != b.Key || a.gap != b.gap ||
		a.comma != b.comma || len(a.Children) != len(b.Children) {
		return fmt.Errorf("%+v, want %+v", *a, *b)
	}
	for i := range a.Children {
		if err := samePlaces(a.Children[i], b.Children[i]); err != nil {
			return err
		}
	}
	return nil
}

// model is a value without its text. Values are *object, []any, and string or json.RawMessage.
type object struct {
	keys   []string
	values []any
}

func modelOf(v hujson.Value) any {
	switch v := v.Value.(type) {
	case *hujson.Object:
		o := &object{}
		for _, m := range v.Members {
			o.keys = append(o.keys, m.Name.Value.(hujson.Literal).String())
			o.values = append(o.values, modelOf(m.Value))
		}
		return o
	case *hujson.Array:
		list := []any{}
		for _, e := range v.Elements {
			list = append(list, modelOf(e))
		}
		return list
	case hujson.Literal:
		if v.Kind() == '"' {
			return v.String()
		}
		return json.RawMessage(bytes.Clone(v))
	}
	return nil
}

func readModel(t testing.TB, text string) any {
	t.Helper()
	v, err := judgeParse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return modelOf(v)
}

// unordered returns a model in which the order of members does not matter.
func unordered(v any) any {
	switch v := v.(type) {
	case *object:
		m := map[string]any{}
		for i, key := range v.keys {
			m[key] = unordered(v.values[i])
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = unordered(v[i])
		}
		return list
	}
	return v
}

func sameModel(a, b any) bool { return reflect.DeepEqual(unordered(a), unordered(b)) }

// lookup returns the model at a path.
func lookup(root any, path Path) any {
	for _, step := range path {
		switch v := root.(type) {
		case *object:
			root = v.values[slices.Index(v.keys, step.Key)]
		case []any:
			root = v[step.Index]
		}
	}
	return root
}
