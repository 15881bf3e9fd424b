package edit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// This file makes random documents in random styles, and random operations for them.

// object is a JSON object that keeps its order. Values are *object, []any, string, or json.RawMessage for
// everything else.
type object struct {
	keys   []string
	values map[string]any
}

func newObject() *object { return &object{values: map[string]any{}} }

func (o *object) set(key string, value any) {
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

func (o *object) object(key string) *object {
	inner, _ := o.values[key].(*object)
	return inner
}

type random struct{ *rand.Rand }

func (r random) chance(percent int) bool { return r.IntN(100) < percent }

func pick[T any](r random, from ...T) T { return from[r.IntN(len(from))] }

func (r random) name() string {
	return pick(r, "dev", "prod", "a", "b", "files", "git", "my tools", "ümläut", "日本", "a__b", "mcpServers", "toolboxes",
		`quo"te`, `back\slash`, "emoji 🧰", "x//y", "/*", "env", "-", "x\u00a0y\u2028z")
}

func (r random) text() string {
	return pick(r, "npx", "", "-y", "${HOME}", `C:\Users\x`, "a // b", "/* no comment */", "ä\u2028ö", "tab\there", "<&>",
		"{", "]", `"`, "\U0001F9F0", "line\nbreak")
}

func (r random) number() json.RawMessage {
	return json.RawMessage(pick(r, "0", "10", "1.50", "12345678901234567890123", "1e400", "-0", "1E+2", "true", "false",
		"null"))
}

func (r random) value(depth int) any {
	switch n := r.IntN(10); {
	case n < 4:
		return r.text()
	case n < 6 || depth > 2:
		return r.number()
	case n < 8:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, r.value(depth+1))
		}
		return list
	}
	o := newObject()
	for range r.IntN(4) {
		o.set(r.name(), r.value(depth+1))
	}
	return o
}

func (r random) strings() []any {
	list := []any{}
	for range r.IntN(5) {
		list = append(list, r.text())
	}
	return list
}

func (r random) variables() *object {
	o := newObject()
	for range r.IntN(4) {
		o.set(pick(r, "TOKEN", "A", "PATH", "env", "Ü"), r.text())
	}
	return o
}

func (r random) entry() *object {
	o := newObject()
	for _, field := range []func(){
		func() { o.set("command", r.text()) },
		func() { o.set("args", r.strings()) },
		func() { o.set("env", r.variables()) },
		func() { o.set("cwd", r.text()) },
		func() { o.set("url", r.text()) },
		func() { o.set("headers", r.variables()) },
		func() { o.set(pick(r, "transport", "type"), "http") },
		func() { o.set("toolFilters", r.strings()) },
		func() { o.set("callTimeout", r.number()) },
		func() { o.set("x-"+r.name(), r.value(0)) },
	} {
		if r.chance(30) {
			field()
		}
	}
	r.Shuffle(len(o.keys), func(i, j int) { o.keys[i], o.keys[j] = o.keys[j], o.keys[i] })
	return o
}

func (r random) document() *object {
	root := newObject()
	top := func() {
		if r.chance(20) {
			root.set(pick(r, "$schema", "toolMode", "metaToolPrefix"), r.text())
		}
		if r.chance(10) {
			root.set("x-"+r.name(), r.value(0))
		}
	}
	top()
	if r.chance(90) {
		boxes := newObject()
		for range r.IntN(5) {
			box := newObject()
			if r.chance(50) {
				box.set("description", r.text())
			}
			if r.chance(85) {
				servers := newObject()
				for range r.IntN(5) {
					servers.set(r.name(), r.entry())
				}
				box.set("mcpServers", servers)
			}
			if r.chance(10) {
				box.set("x-"+r.name(), r.value(0))
			}
			boxes.set(r.name(), box)
		}
		root.set("toolboxes", boxes)
	}
	top()
	return root
}

// writer writes a document in a random style.
type writer struct {
	random
	strings.Builder
	unit, newline, colon, gap  string
	inline                     int // per cent
	comments, blank, noise     int
	trailing, mixed, isEscaped bool
	serial                     int
}

func (r random) write(root *object) string {
	w := &writer{
		random: r, unit: pick(r, "\t", "  ", "    "), newline: pick(r, "\n", "\n", "\r\n"),
		colon: pick(r, ": ", ": ", ": ", ":", " : "), gap: pick(r, " ", " ", ""),
		inline: pick(r, 0, 0, 20, 100), comments: pick(r, 0, 10, 40), blank: pick(r, 0, 0, 50), noise: pick(r, 0, 0, 0, 15),
		trailing: r.chance(30), mixed: r.chance(20), isEscaped: r.chance(20),
	}
	if r.chance(15) {
		w.WriteString("\ufeff")
	}
	if r.chance(20) {
		w.WriteString(w.comment(true) + w.newline)
	}
	w.value(root, "", w.inline == 100)
	switch r.IntN(4) {
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
			w.WriteString(pick(w.random, " ", "\t", w.newline, w.newline+w.newline))
		case 1:
			w.WriteString(w.comment(false))
		case 2:
			w.WriteString(w.comment(true) + w.newline)
		}
	}
}

func (w *writer) str(s string) {
	if w.isEscaped && w.chance(50) {
		w.WriteByte('"')
		for _, r := range s {
			if r < 0x10000 && w.chance(50) {
				fmt.Fprintf(w, `\u%04X`, r)
				continue
			}
			quoted, _ := json.Marshal(string(r))
			w.Write(quoted[1 : len(quoted)-1])
		}
		w.WriteByte('"')
		return
	}
	quoted, _ := json.Marshal(s)
	w.Write(quoted)
}

func (w *writer) value(v any, indent string, inline bool) {
	switch v := v.(type) {
	case string:
		w.str(v)
	case json.RawMessage:
		w.Write(v)
	case []any:
		w.container('[', len(v), indent, inline || w.chance(70), func(i int, indent string, inline bool) {
			w.value(v[i], indent, inline)
		})
	case *object:
		w.container('{', len(v.keys), indent, inline || w.chance(w.inline), func(i int, indent string, inline bool) {
			w.str(v.keys[i])
			w.extra()
			w.WriteString(w.colon)
			w.extra()
			w.value(v.values[v.keys[i]], indent, inline)
		})
	}
}

func (w *writer) container(open byte, n int, indent string, inline bool,
	item func(i int, indent string, inline bool)) {
	unit := w.unit
	if w.mixed && w.chance(30) {
		unit = pick(w.random, "\t", "  ", "   ", "")
	}
	inner := indent + unit
	w.WriteByte(open)
	pad := pick(w.random, "", " ")
	switch {
	case n == 0 && w.chance(80):
	case inline:
		w.WriteString(pad)
	default:
		if w.chance(w.comments) {
			w.WriteString(" " + w.comment(true))
		}
		w.WriteString(w.newline)
	}
	for i := range n {
		w.extra()
		if !inline {
			if i > 0 && w.chance(w.blank) {
				w.WriteString(w.newline)
			}
			for w.chance(w.comments) {
				w.WriteString(inner + w.comment(true) + w.newline)
				if w.chance(w.blank / 2) {
					w.WriteString(w.newline)
				}
			}
			w.WriteString(inner)
		}
		if w.chance(w.comments / 4) {
			w.WriteString(w.comment(false) + " ")
		}
		item(i, inner, inline)
		w.extra()
		if i < n-1 || w.trailing && !inline {
			w.WriteByte(',')
			if inline {
				w.WriteString(w.gap)
			}
		}
		if !inline {
			if w.chance(w.comments) {
				w.WriteString(pick(w.random, " ", "  ") + w.comment(true))
			}
			w.WriteString(w.newline)
		}
	}
	w.extra()
	switch {
	case n == 0:
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

// op returns a random operation, most often on something that the document has.
func (r random) op(root *object) edit.Op {
	existing := func(o *object) string {
		if o == nil || len(o.keys) == 0 || r.chance(5) {
			return r.name()
		}
		return pick(r, o.keys...)
	}
	boxes := root.object("toolboxes")
	box := existing(boxes)
	other := existing(boxes)
	var servers, targets *object
	if boxes != nil {
		if b := boxes.object(box); b != nil {
			servers = b.object("mcpServers")
		}
		if b := boxes.object(other); b != nil {
			targets = b.object("mcpServers")
		}
	}
	if r.chance(30) {
		other, targets = box, servers
	}
	server := existing(servers)
	at := func(o *object) edit.Position {
		switch r.IntN(5) {
		case 0, 1:
			return edit.Position{Before: existing(o)}
		case 2, 3:
			return edit.Position{After: existing(o)}
		}
		return edit.Position{}
	}
	encode := func(v any) json.RawMessage {
		w := &writer{random: r, colon: ":", newline: "\n"}
		w.value(v, "", true)
		return json.RawMessage(w.String())
	}
	switch r.IntN(16) {
	case 0:
		return edit.AddToolbox{Name: r.name(), Description: r.text(), At: at(boxes)}
	case 1:
		return edit.RenameToolbox{Name: box, To: r.name()}
	case 2:
		return edit.MoveToolbox{Name: box, At: at(boxes)}
	case 3:
		return edit.DuplicateToolbox{Name: box, To: r.name(), At: at(boxes)}
	case 4:
		return edit.RemoveToolbox{Name: box}
	case 5:
		return edit.AddServer{Toolbox: box, Name: r.name(), Entry: encode(r.entry()), At: at(servers)}
	case 6:
		return edit.RenameServer{Toolbox: box, Name: server, To: r.name()}
	case 7, 8:
		return edit.MoveServer{Toolbox: box, Name: server, ToToolbox: other, At: at(targets)}
	case 9:
		return edit.DuplicateServer{Toolbox: box, Name: server, ToToolbox: other, To: r.name(), At: at(targets)}
	case 10:
		return edit.RemoveServer{Toolbox: box, Name: server}
	case 11:
		w := &writer{random: r, unit: "  ", newline: "\n", colon: ": ", comments: 20, trailing: r.chance(30)}
		w.value(r.entry(), "", false)
		return edit.ReplaceServer{Toolbox: box, Name: server, Text: w.String()}
	}
	var target edit.Target
	var holder *object
	switch {
	case r.chance(15):
		holder = root
	case r.chance(20):
		target.Toolbox = box
		if boxes != nil {
			holder = boxes.object(box)
		}
	default:
		target = edit.Target{Toolbox: box, Server: server}
		if servers != nil {
			holder = servers.object(server)
		}
	}
	field := []string{pick(r, "command", "args", "env", "cwd", "url", "headers", "transport", "type", "toolFilters",
		"disabled",
		"startupTimeout", "callTimeout", "description", "toolMode", "metaToolPrefix", "$schema", "x-new")}
	if r.chance(50) {
		field = []string{existing(holder)}
	}
	if field[0] == "env" || field[0] == "headers" || r.chance(3) {
		if r.chance(60) {
			field = append(field, pick(r, "TOKEN", "A", "PATH", "env", "Ü"))
		}
	}
	switch r.IntN(4) {
	case 0:
		return edit.ClearField{Target: target, Field: field}
	case 1:
		return edit.RenameField{Target: target, Field: field, To: pick(r, "args", "env", "x-y", "TOKEN")}
	}
	value := pick(r, any(r.text()), any(r.strings()), any(r.variables()), any(r.number()), r.value(0))
	if len(field) == 1 && (field[0] == "args" || field[0] == "toolFilters") {
		value = r.strings()
	}
	return edit.SetField{Target: target, Field: field, Value: encode(value)}
}
