package paste

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// maxDepth is how deep TOML is read; entries have three or four levels.
const maxDepth = 64

// FromTOML returns TOML as JSON, its names in the order of the text. The error is that of go-toml.
func FromTOML(text []byte) ([]byte, error) {
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	order, err := tomlOrder(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	order.write(&b, tree, 0)
	return b.Bytes(), nil
}

// names has the names of a table in the order of the text, and those below each. The tables of an array share theirs.
type names struct {
	list  []string
	below map[string]*names
}

// at returns what is below a name, which is added when it is not there.
func (n *names) at(name string) *names {
	next := n.below[name]
	if next == nil {
		if n.below == nil {
			n.below = map[string]*names{}
		}
		next = &names{}
		n.list, n.below[name] = append(n.list, name), next
	}
	return next
}

// tomlOrder reads in which order a text has its names.
func tomlOrder(text []byte) (*names, error) {
	root := &names{}
	table := root
	var parser unstable.Parser
	parser.Reset(text)
	for parser.NextExpression() {
		switch e := parser.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = root.along(e.Key())
		case unstable.KeyValue:
			table.add(e)
		}
	}
	return root, parser.Error()
}

// along returns what a key with dots leads to.
func (n *names) along(key unstable.Iterator) *names {
	for key.Next() {
		n = n.at(string(key.Node().Data))
	}
	return n
}

// add adds the names of a key and of the inline tables in its value.
func (n *names) add(pair *unstable.Node) { n.along(pair.Key()).inside(pair.Value(), 0) }

func (n *names) inside(value *unstable.Node, depth int) {
	if depth > maxDepth || value.Kind != unstable.InlineTable && value.Kind != unstable.Array {
		return
	}
	for it := value.Children(); it.Next(); {
		if kid := it.Node(); kid.Kind == unstable.KeyValue {
			n.along(kid.Key()).inside(kid.Value(), depth+1)
		} else {
			n.inside(kid, depth+1)
		}
	}
}

// write writes a decoded value as JSON.
func (n *names) write(b *bytes.Buffer, value any, depth int) {
	if n == nil {
		n = &names{}
	}
	switch value := value.(type) {
	case map[string]any:
		if depth > maxDepth {
			break
		}
		list := slices.DeleteFunc(slices.Clone(n.list), func(name string) bool { _, there := value[name]; return !there })
		if len(list) != len(value) { // cannot be
			list = slices.Sorted(maps.Keys(value))
		}
		b.WriteByte('{')
		for i, name := range list {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsonc.Quote(name) + ":")
			n.below[name].write(b, value[name], depth+1)
		}
		b.WriteByte('}')
		return
	case []any:
		if depth > maxDepth {
			break
		}
		b.WriteByte('[')
		for i, item := range value {
			if i > 0 {
				b.WriteByte(',')
			}
			n.write(b, item, depth+1)
		}
		b.WriteByte(']')
		return
	default:
		if data, err := json.Marshal(value); err == nil {
			b.Write(data)
			return
		}
	}
	b.WriteString("null")
}
