package edit_test

import (
	"slices"
	"testing"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// oracle does an operation on a plain tree of names and values. reason says why the operation is refused.
func oracle(before *object, op edit.Op) (_ *object, reason error) {
	root := clone(before).(*object)
	boxes := root.object("toolboxes")
	toolbox := func(name string) *object {
		if boxes == nil {
			return nil
		}
		return boxes.object(name)
	}
	servers := func(name string) *object {
		if box := toolbox(name); box != nil {
			return box.object("mcpServers")
		}
		return nil
	}
	needBoxes := func() *object {
		if boxes == nil {
			boxes = newObject()
			root.set("toolboxes", boxes)
		}
		return boxes
	}
	needServers := func(name string) *object {
		if servers(name) == nil {
			toolbox(name).set("mcpServers", newObject())
		}
		return servers(name)
	}
	switch op := op.(type) {
	case edit.AddToolbox:
		if toolbox(op.Name) != nil {
			return nil, edit.ErrExists
		}
		box := newObject()
		if op.Description != "" {
			box.set("description", op.Description)
		}
		box.set("mcpServers", newObject())
		return root, needBoxes().place(op.Name, box, op.At, -1)
	case edit.RenameToolbox:
		return root, rename(boxes, op.Name, op.To)
	case edit.MoveToolbox:
		return root, move(boxes, boxes, op.Name, op.At)
	case edit.DuplicateToolbox:
		return root, duplicate(boxes, boxes, op.Name, op.To, op.At)
	case edit.RemoveToolbox:
		return root, remove(boxes, op.Name)
	case edit.AddServer:
		if toolbox(op.Toolbox) == nil {
			return nil, edit.ErrNotFound
		}
		if needServers(op.Toolbox).values[op.Name] != nil {
			return nil, edit.ErrExists
		}
		return root, servers(op.Toolbox).place(op.Name, value(op.Entry), op.At, -1)
	case edit.RenameServer:
		return root, rename(servers(op.Toolbox), op.Name, op.To)
	case edit.MoveServer:
		if s := servers(op.Toolbox); s == nil || s.values[op.Name] == nil || toolbox(op.ToToolbox) == nil {
			return nil, edit.ErrNotFound
		}
		return root, move(servers(op.Toolbox), needServers(op.ToToolbox), op.Name, op.At)
	case edit.DuplicateServer:
		if s := servers(op.Toolbox); s == nil || s.values[op.Name] == nil || toolbox(op.ToToolbox) == nil {
			return nil, edit.ErrNotFound
		}
		return root, duplicate(servers(op.Toolbox), needServers(op.ToToolbox), op.Name, op.To, op.At)
	case edit.RemoveServer:
		return root, remove(servers(op.Toolbox), op.Name)
	case edit.ReplaceServer:
		s := servers(op.Toolbox)
		if s == nil || s.values[op.Name] == nil {
			return nil, edit.ErrNotFound
		}
		s.set(op.Name, value([]byte(op.Text)))
		return root, nil
	}
	return root, field(root, op)
}

func field(root *object, op edit.Op) error {
	var target edit.Target
	var path []string
	switch op := op.(type) {
	case edit.SetField:
		target, path = op.Target, op.Field
	case edit.ClearField:
		target, path = op.Target, op.Field
	case edit.RenameField:
		target, path = op.Target, op.Field
		if target.Toolbox == "" && op.To == "toolboxes" || target.Toolbox != "" && target.Server == "" &&
			op.To == "mcpServers" {
			return edit.ErrInvalid
		}
	}
	if target.Toolbox == "" && path[0] == "toolboxes" || target.Toolbox != "" && target.Server == "" &&
		path[0] == "mcpServers" {
		return edit.ErrInvalid
	}
	holder := root
	way := []string{}
	if target.Toolbox != "" {
		way = append(way, "toolboxes", target.Toolbox)
	}
	if target.Server != "" {
		way = append(way, "mcpServers", target.Server)
	}
	for _, key := range way {
		if holder = holder.object(key); holder == nil {
			return edit.ErrNotFound
		}
	}
	last := len(path) - 1
	for _, key := range path[:last] {
		switch inner := holder.values[key].(type) {
		case *object:
			holder = inner
		case nil:
			set, ok := op.(edit.SetField)
			if !ok {
				return edit.ErrNotFound
			}
			_ = set
			holder.set(key, newObject())
			holder = holder.object(key)
		default:
			return edit.ErrWrongType
		}
	}
	key := path[last]
	isTransport := key == "transport" && target.Server != "" && last == 0
	if _, ok := holder.values[key]; isTransport && !ok && holder.values["type"] != nil {
		key = "type"
	}
	switch op := op.(type) {
	case edit.SetField:
		holder.set(key, value(op.Value))
	case edit.ClearField:
		if err := remove(holder, key); err != nil {
			return err
		}
		if isTransport && holder.values["type"] != nil {
			return remove(holder, "type")
		}
	case edit.RenameField:
		return rename(holder, path[last], op.To)
	}
	return nil
}

// place puts a value at a position; usual is the index for the zero Position.
func (o *object) place(key string, v any, at edit.Position, usual int) error {
	i := len(o.keys)
	if usual >= 0 {
		i = usual
	}
	switch {
	case at.Before+at.After != "":
		if i = slices.Index(o.keys, at.Before+at.After); i < 0 {
			return edit.ErrNotFound
		}
		if at.After != "" {
			i++
		}
	}
	o.keys = slices.Insert(o.keys, i, key)
	o.values[key] = v
	return nil
}

func rename(o *object, from, to string) error {
	switch {
	case o == nil || o.values[from] == nil:
		return edit.ErrNotFound
	case from == to:
		return nil
	case o.values[to] != nil:
		return edit.ErrExists
	}
	o.keys[slices.Index(o.keys, from)] = to
	o.values[to] = o.values[from]
	delete(o.values, from)
	return nil
}

func remove(o *object, key string) error {
	if o == nil || o.values[key] == nil {
		return edit.ErrNotFound
	}
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
	delete(o.values, key)
	return nil
}

func move(from, to *object, key string, at edit.Position) error {
	if from == nil || from.values[key] == nil {
		return edit.ErrNotFound
	}
	if from == to && (at.Before == key || at.After == key) {
		return nil
	}
	if from != to && to.values[key] != nil {
		return edit.ErrExists
	}
	v := from.values[key]
	if err := remove(from, key); err != nil {
		return err
	}
	return to.place(key, v, at, -1)
}

func duplicate(from, to *object, key, name string, at edit.Position) error {
	switch {
	case from == nil || from.values[key] == nil:
		return edit.ErrNotFound
	case to.values[name] != nil:
		return edit.ErrExists
	}
	usual := -1
	if from == to {
		usual = slices.Index(to.keys, key) + 1
	}
	return to.place(name, clone(from.values[key]), at, usual)
}

func clone(v any) any {
	switch v := v.(type) {
	case *object:
		o := newObject()
		for _, key := range v.keys {
			o.set(key, clone(v.values[key]))
		}
		return o
	case []any:
		list := []any{}
		for _, element := range v {
			list = append(list, clone(element))
		}
		return list
	}
	return v
}

func value(text []byte) any {
	v, err := hujson.Parse(append(slices.Clone(text), '\n'))
	if err != nil {
		panic(err) // the test made this value
	}
	return fromTree(v)
}

// TestOracle checks that the oracle detects a difference.
func TestOracle(t *testing.T) {
	before := read(t, []byte(`{"toolboxes": {"a": {}, "b": {}}}`))
	after, err := oracle(before, edit.MoveToolbox{Name: "a"})
	if err != nil || !slices.Equal(order(after), []string{"b", "a"}) || !slices.Equal(order(before), []string{"a", "b"}) {
		t.Error(err, order(after), order(before))
	}
}
