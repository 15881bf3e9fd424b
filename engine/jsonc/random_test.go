package jsonc

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// writer writes random documents in random styles.
type writer struct {
	*rand.Rand
	strings.Builder
	unit, newline, colon, gap string
	inline, comments, blank   int // per cent
	noise                     int
	trailing, escaped         bool
	serial                    int
}

func pick[T any](w *writer, from ...T) T { return from[w.IntN(len(from))] }

func (w *writer) chance(percent int) bool { return w.IntN(100) < percent }

func newWriter(seed uint64) *writer {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 7))}
	w.unit, w.newline = pick(w, "\t", "  ", "    "), pick(w, "\n", "\n", "\r\n")
	w.colon, w.gap = pick(w, ": ", ": ", ":", " : "), pick(w, " ", " ", "")
	w.inline, w.comments = pick(w, 0, 0, 20, 100), pick(w, 0, 10, 40)
	w.blank, w.noise = pick(w, 0, 0, 50), pick(w, 0, 0, 0, 15)
	w.trailing, w.escaped = w.chance(30), w.chance(20)
	return w
}

// testForm returns the form of files that have groups of groups of things.
func testForm() *Form {
	list := &Form{Inline: true, Field: true}
	thing := &Form{Order: []string{"a", "b", "list"}, Members: map[string]*Form{"list": list}}
	group := &Form{Each: thing}
	return &Form{Members: map[string]*Form{"groups": {Each: group}}, Skeleton: "{\n  \"groups\": {}\n}\n"}
}

// formFor returns one of the ways in which texts are edited.
func formFor(seed uint64) *Form {
	switch seed % 4 {
	case 0:
		return nil
	case 1: // as the files of other programs
		return &Form{Members: map[string]*Form{"groups": {Each: &Form{}}}, Lenient: true, KeepComments: true, Plain: true}
	}
	return testForm()
}

func (w *writer) name() string {
	return pick(w, "a", "b", "list", "groups", "my thing", "ümläut", "日本", `quo"te`, `back\slash`, "x//y", "/*", "",
		"x\u2028z", "{", "🧰")
}

func (w *writer) scalar() string {
	return pick(w, `""`, `"x"`, `"a // b"`, `"/* no */"`, `"\u00e4\n"`, `"C:\\x"`, `"<&>"`, `"🧰"`, "0", "1.50", "1e400",
		"-0", "12345678901234567890", "true", "false", "null")
}

func (w *writer) document() string {
	w.Reset()
	if w.chance(15) {
		w.WriteString(byteOrderMark)
	}
	if w.chance(20) {
		w.WriteString(w.comment(true) + w.newline)
	}
	w.value(0, "", w.inline == 100)
	switch w.IntN(4) {
	case 0:
	case 1:
		w.WriteString(" " + w.comment(true))
	default:
		w.WriteString(w.newline)
	}
	return w.String()
}

func (w *writer) comment(line bool) string {
	w.serial++
	switch {
	case line && w.chance(60):
		return fmt.Sprintf(`// %d "a": {[,`, w.serial)
	case w.chance(20):
		return fmt.Sprintf("/* %d%s   ,] */", w.serial, w.newline)
	}
	return fmt.Sprintf(`/* %d "x" // */`, w.serial)
}

// extra writes random white space and comments, which may be anywhere.
func (w *writer) extra() {
	for w.chance(w.noise) {
		switch w.IntN(3) {
		case 0:
			w.WriteString(pick(w, " ", "\t", w.newline, w.newline+w.newline))
		case 1:
			w.WriteString(w.comment(false))
		case 2:
			w.WriteString(w.comment(true) + w.newline)
		}
	}
}

func (w *writer) str(s string) {
	if w.escaped && w.chance(50) {
		w.WriteByte('"')
		for _, r := range s {
			if r < 0x10000 && w.chance(50) {
				fmt.Fprintf(w, `\u%04X`, r)
				continue
			}
			text, _ := json.Marshal(string(r))
			w.Write(text[1 : len(text)-1])
		}
		w.WriteByte('"')
		return
	}
	text, _ := json.Marshal(s)
	w.Write(text)
}

func (w *writer) value(depth int, indent string, inline bool) {
	n := w.IntN(10)
	switch {
	case depth > 3 || depth > 0 && n < 4:
		w.WriteString(w.scalar())
	case depth > 0 && n < 6:
		w.container('[', make([]string, w.IntN(5)), depth, indent, inline || w.chance(70))
	default:
		var keys []string
		for range w.IntN(6) {
			if key := w.name(); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
		w.container('{', keys, depth, indent, inline || w.chance(w.inline))
	}
}

func (w *writer) container(open byte, keys []string, depth int, indent string, inline bool) {
	inner := indent + w.unit
	w.WriteByte(open)
	pad := pick(w, "", " ")
	switch {
	case len(keys) == 0 && w.chance(80):
	case inline:
		w.WriteString(pad)
	default:
		if w.chance(w.comments) {
			w.WriteString(" " + w.comment(true))
		}
		w.WriteString(w.newline)
	}
	for i, key := range keys {
		w.extra()
		if !inline {
			if i > 0 && w.chance(w.blank) {
				w.WriteString(w.newline)
			}
			for w.chance(w.comments) {
				w.WriteString(inner + w.comment(true) + w.newline)
			}
			w.WriteString(inner)
		}
		if w.chance(w.comments / 4) {
			w.WriteString(w.comment(false) + " ")
		}
		if open == '{' {
			w.str(key)
			w.extra()
			w.WriteString(w.colon)
			w.extra()
		}
		w.value(depth+1, inner, inline)
		w.extra()
		if i < len(keys)-1 || w.trailing && !inline {
			w.WriteByte(',')
			if inline {
				w.WriteString(w.gap)
			}
		}
		if !inline {
			if w.chance(w.comments) {
				w.WriteString(pick(w, " ", "  ") + w.comment(true))
			}
			w.WriteString(w.newline)
		}
	}
	w.extra()
	switch {
	case len(keys) == 0:
	case inline:
		w.WriteString(pad)
	default:
		if w.chance(w.comments) {
			w.WriteString(inner + w.comment(true) + w.newline)
		}
		w.WriteString(indent)
	}
	w.WriteByte(open + 2)
}

// operation is an operation of a test, with its expected result.
type operation struct {
	kind     string
	from, to Path
	text     string
	place    Position
	ordered  bool // the order of members is certain
	do       func(e *Editor) error
	judge    func(root any) any // the expected result; nil if the operation must be refused
}

func (o operation) String() string {
	return fmt.Sprintf("%s %v %v %s %+v", o.kind, o.from, o.to, o.text, o.place)
}

// somewhere returns the path to a random value of some kind, or to the root.
func (w *writer) somewhere(root *Node, kinds ...Kind) Path {
	var paths []Path
	var walk func(n *Node, path Path)
	walk = func(n *Node, path Path) {
		if len(kinds) == 0 || slices.Contains(kinds, n.Kind) {
			paths = append(paths, path)
		}
		for i, kid := range n.Children {
			if n.Kind == Object {
				walk(kid, path.Member(kid.Key))
			} else {
				walk(kid, path.Element(i))
			}
		}
	}
	walk(root, Path{})
	if len(paths) == 0 {
		return Path{}
	}
	return paths[w.IntN(len(paths))]
}

func (w *writer) operation(root *Node) operation {
	o := operation{kind: pick(w, "set", "set", "set text", "insert", "make", "remove", "rename", "move", "move", "copy")}
	value := newWriter(w.Uint64())
	value.comments, value.noise = 0, 0
	value.Builder.Reset()
	value.value(1+w.IntN(3), "", true)
	o.text = value.String()
	if Parse([]byte(o.text)).Root == nil {
		o.text = "1"
	}
	group := w.somewhere(root, Object)
	at := func(path Path) *Node { // if a name occurs twice, the second member is not found
		if n := root.At(path); n != nil {
			return n
		}
		return &Node{}
	}
	inObject := func() Path { // a member, most often an existing one
		if n := at(group); n.Kind == Object && len(n.Children) > 0 && w.chance(80) {
			return group.Member(pick(w, n.Keys()...))
		}
		return group.Member(w.name())
	}
	count := func(path Path) int { return len(at(path).Children) }
	switch o.kind {
	case "set":
		if o.from = w.somewhere(root); w.chance(40) {
			o.from = inObject()
		}
		o.do = func(e *Editor) error { return e.Set(o.from, Parse([]byte(o.text)).Root) }
		o.judge = func(root any) any { return replaced(root, o.from, modelText(o.text), -1) }
	case "set text":
		o.from, o.ordered = w.somewhere(root), true
		o.do = func(e *Editor) error { return e.SetText(o.from, o.text) }
		o.judge = func(root any) any { return replaced(root, o.from, modelText(o.text), -1) }
	case "insert":
		o.from, o.ordered = group.Member(w.name()), true
		if at(group).Kind == Object && w.chance(50) {
			if list := w.somewhere(root, Array); at(list).Kind == Array {
				o.from = list.Element(w.IntN(count(list) + 1))
			}
		}
		o.place = Position{w.IntN(count(o.from.Parent()) + 1), w.chance(50)}
		if !o.from.Last().isKey() {
			o.place.Index = o.from.Last().Index
		}
		o.do = func(e *Editor) error { return e.Insert(o.from, Parse([]byte(o.text)).Root, o.place) }
		o.judge = func(root any) any {
			if has(root, o.from) && o.from.Last().isKey() {
				return nil
			}
			return replaced(root, o.from, modelText(o.text), o.place.Index)
		}
	case "make":
		o.from = append(slices.Clone(group), Keys(w.name(), w.name())...)
		o.do = func(e *Editor) error { return e.Make(o.from) }
		o.judge = func(root any) any {
			for i := range o.from {
				switch path := o.from[:i+1]; {
				case !has(root, path):
					if root = replaced(root, path, &object{}, -1); root == nil {
						return nil
					}
				}
			}
			if _, ok := lookup(root, o.from).(*object); !ok {
				return nil
			}
			return root
		}
	case "remove":
		o.from, o.ordered = w.somewhere(root), true
		if len(o.from) == 0 {
			o.from = Keys("none")
		}
		o.do = func(e *Editor) error { return e.Remove(o.from) }
		o.judge = func(root any) any { return removed(root, o.from) }
	case "rename":
		o.from, o.ordered = inObject(), true
		name := w.name()
		o.text = name
		o.do = func(e *Editor) error { return e.Rename(o.from, name) }
		o.judge = func(root any) any {
			if !has(root, o.from) || name != o.from.Last().Key && has(root, o.from.Parent().Member(name)) {
				return nil
			}
			holder := lookup(root, o.from.Parent()).(*object)
			holder.keys[slices.Index(holder.keys, o.from.Last().Key)] = name
			return root
		}
	case "move", "copy":
		o.ordered = true
		o.from = inObject()
		target := group
		if w.chance(50) {
			target = w.somewhere(root, Object)
		}
		o.to = target.Member(o.from.Last().Key)
		if w.chance(30) || o.kind == "copy" {
			o.to = target.Member(w.name())
		}
		n := count(target)
		if o.kind == "move" && slices.Equal(target, group) && n > 0 {
			n--
		}
		o.place = Position{w.IntN(n + 1), w.chance(50)}
		o.do = func(e *Editor) error { return e.Move(o.from, o.to, o.place) }
		if o.kind == "copy" {
			o.do = func(e *Editor) error { return e.Copy(o.from, o.to, o.place) }
		}
		o.judge = func(root any) any { return o.moved(root) }
	}
	return o
}

func (o operation) moved(root any) any {
	if !has(root, o.from) {
		return nil
	}
	same := slices.Equal(o.from, o.to)
	if (!same || o.kind == "copy") && has(root, o.to) {
		return nil
	}
	value := lookup(root, o.from)
	if o.kind == "copy" {
		return replaced(root, o.to, clone(value), o.place.Index)
	}
	if !same && len(o.to) > len(o.from) && slices.Equal(o.from, o.to[:len(o.from)]) {
		return nil
	}
	return replaced(removed(root, o.from), o.to, value, o.place.Index)
}

func modelText(text string) any {
	v, err := judgeParse(text)
	if err != nil {
		panic(err) // the test made it
	}
	return modelOf(v)
}

func clone(v any) any {
	switch v := v.(type) {
	case *object:
		o := &object{keys: slices.Clone(v.keys)}
		for _, value := range v.values {
			o.values = append(o.values, clone(value))
		}
		return o
	case []any:
		list := []any{}
		for _, e := range v {
			list = append(list, clone(e))
		}
		return list
	}
	return v
}

func has(root any, path Path) bool {
	for i, step := range path {
		switch v := lookup(root, path[:i]).(type) {
		case *object:
			if !step.isKey() || !slices.Contains(v.keys, step.Key) {
				return false
			}
		case []any:
			if step.isKey() || step.Index >= len(v) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// replaced returns the root with the value at a path replaced; a new value is put at an index, or at the end.
func replaced(root any, path Path, value any, index int) any {
	if len(path) == 0 {
		return value
	}
	last := path.Last()
	if !has(root, path.Parent()) {
		return nil
	}
	switch holder := lookup(root, path.Parent()).(type) {
	case *object:
		if !last.isKey() {
			return nil
		}
		if i := slices.Index(holder.keys, last.Key); i >= 0 {
			holder.values[i] = value
			return root
		}
		if index < 0 {
			index = len(holder.keys)
		}
		holder.keys = slices.Insert(holder.keys, index, last.Key)
		holder.values = slices.Insert(holder.values, index, value)
		return root
	case []any:
		if last.isKey() {
			return nil
		}
		list := slices.Clone(holder)
		if index >= 0 {
			list = slices.Insert(list, last.Index, value)
		} else {
			list[last.Index] = value
		}
		return replaced(root, path.Parent(), list, -1)
	}
	return nil
}

func removed(root any, path Path) any {
	if !has(root, path) {
		return nil
	}
	switch holder := lookup(root, path.Parent()).(type) {
	case *object:
		i := slices.Index(holder.keys, path.Last().Key)
		holder.keys = slices.Delete(holder.keys, i, i+1)
		holder.values = slices.Delete(holder.values, i, i+1)
	case []any:
		i := path.Last().Index
		return replaced(root, path.Parent(), slices.Delete(slices.Clone(holder), i, i+1), -1)
	}
	return root
}

// untouched checks that everything the operation does not name is unchanged, and that comments are lost only
// together with what is removed.
func (o operation) untouched(before, after string) error {
	now := map[string]string{}
	texts(Parse([]byte(after)).Root, nil, now)
	was := map[string]string{}
	texts(Parse([]byte(before)).Root, nil, was)
	var touched []Path
	for _, path := range []Path{o.from, o.to} {
		switch {
		case len(path) == 0:
		case path.Last().isKey():
			touched = append(touched, path)
		default:
			touched = append(touched, path.Parent()) // the indexes of the others change
		}
	}
	if len(o.from) == 0 && o.kind != "copy" && o.kind != "move" {
		return nil // the operation names everything
	}
	if o.kind == "rename" {
		touched = append(touched, o.from.Parent().Member(o.text))
	}
	for id, text := range was {
		named := slices.ContainsFunc(touched, func(p Path) bool {
			return strings.HasPrefix(id, p.id()) || strings.HasPrefix(p.id(), id)
		})
		if !named && now[id] != text {
			return fmt.Errorf("%s was %q and is %q", id, text, now[id])
		}
	}
	lost := map[string]int{}
	for _, comment := range comments(before) {
		lost[comment]++
	}
	for _, comment := range comments(after) {
		lost[comment]--
	}
	for comment, n := range lost {
		if n > 0 && o.kind != "remove" && o.kind != "set" && o.kind != "set text" {
			return fmt.Errorf("the comment %q is lost", comment)
		}
		if n < 0 && o.kind != "copy" {
			return fmt.Errorf("the comment %q is new", comment)
		}
	}
	return nil
}

// texts collects the text of all values by path, except elements.
func texts(n *Node, path Path, to map[string]string) {
	to[path.id()] = n.Raw()
	if n.Kind == Object {
		for _, kid := range n.Children {
			texts(kid, path.Member(kid.Key), to)
		}
	}
}

// comments returns the comments of a text without their white space.
func comments(text string) []string {
	d := Parse([]byte(text))
	var found []string
	for _, c := range d.Comments {
		found = append(found, strings.Join(strings.Fields(d.Slice(c)), ""))
	}
	return found
}
