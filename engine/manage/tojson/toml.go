package tojson

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// TOML returns TOML as JSON. Dates and times become strings; inf and nan, which JSON cannot express, become null.
// The error is an [*Error] or [ErrHeavy].
//
// The library decodes tables into maps, so the order of their members is read from the text.
func TOML(text []byte) ([]byte, error) {
	in := orderOf(text)
	if in == nil {
		return nil, ErrHeavy
	}
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		at := Error{Message: strings.TrimPrefix(err.Error(), "toml: ")}
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			at.Line, at.Column = wrong.Position()
		}
		return nil, &at
	}
	return fromTOML(all, in, 0).text(), nil
}

// order has the names of a table in the order of the text. All tables of a list have one order.
type order struct {
	names   []string
	members map[string]*order
}

func (o *order) at(name string) *order {
	if o.members[name] == nil {
		if o.members == nil {
			o.members = map[string]*order{}
		}
		o.names = append(o.names, name)
		o.members[name] = new(order)
	}
	return o.members[name]
}

// below returns the order below a key, which may have dots; nil if it has very many.
func (o *order) below(key unstable.Iterator) *order {
	for depth := 0; key.Next(); depth++ {
		if depth > jsonc.MaxDepth {
			return nil
		}
		o = o.at(string(key.Node().Data))
	}
	return o
}

// value reads the tables in a value. It reports whether it could.
func (o *order) value(n *unstable.Node) bool {
	if o == nil {
		return false
	}
	for kids := n.Children(); kids.Next(); {
		ok := true
		switch kid := kids.Node(); kid.Kind {
		case unstable.KeyValue:
			ok = o.below(kid.Key()).value(kid.Value())
		case unstable.InlineTable, unstable.Array:
			ok = o.value(kid)
		}
		if !ok {
			return false
		}
	}
	return true
}

// orderOf returns the order of a text, up to its first mistake; nil if a name in it has so many dots that reading it
// could take very long.
func orderOf(text []byte) *order {
	root := new(order)
	table := root
	var parser unstable.Parser
	parser.Reset(text)
	for parser.NextExpression() {
		switch e := parser.Expression(); e.Kind {
		case unstable.KeyValue:
			if !table.below(e.Key()).value(e.Value()) {
				return nil
			}
		case unstable.Table, unstable.ArrayTable:
			if table = root.below(e.Key()); table == nil {
				return nil
			}
		}
	}
	return root
}

// fromTOML returns what the library has decoded, down to a depth that [jsonc.Parse] refuses.
func fromTOML(decoded any, in *order, depth int) *value {
	if depth > jsonc.MaxDepth {
		return &value{kind: list}
	}
	switch d := decoded.(type) {
	case map[string]any:
		v := &value{kind: object}
		for _, name := range in.names {
			if member, ok := d[name]; ok { // else it is in another table of a list
				v.put(name, fromTOML(member, in.members[name], depth+1))
			}
		}
		return v
	case []any:
		v := &value{kind: list}
		for _, item := range d {
			v.items = append(v.items, fromTOML(item, in, depth+1))
		}
		return v
	case float64:
		if math.IsInf(d, 0) || math.IsNaN(d) {
			return null()
		}
	case time.Time:
		return of(d.Format(time.RFC3339Nano))
	case fmt.Stringer: // the library's dates and times without a zone
		return of(d.String())
	}
	return of(decoded)
}
