package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// This file makes the changes that fixes consist of. Places of the tree are those of the source less
// its byte order mark, since fixes are only offered while the source is not repaired.

// noFixes tells whether it is no use to think about fixes.
func (d *diagnoser) noFixes() bool { return d.trying || len(d.repaired) > 0 }

func (d *diagnoser) offerFix(problem *Diagnostic, fix *Fix) {
	if fix != nil {
		d.offer(problem, fix.Title, fix.Changes...)
	}
}

// enter makes a member the unit that fixes are tried with.
func (d *diagnoser) enter(kind unitKind, m member) {
	d.unit = unit{kind, d.original(m.name.StartOffset), d.original(m.value.EndOffset)}
}

// replace puts a known word in the place of a string.
func (d *diagnoser) replace(v *hujson.Value, word string) Change {
	return d.replaceAll(v, `"`+word+`"`)
}

func (d *diagnoser) replaceAll(v *hujson.Value, text string) Change {
	return Change{d.shift + v.StartOffset, d.shift + v.EndOffset, text}
}

// enclose puts something before and after a value.
func (d *diagnoser) enclose(v *hujson.Value, before, after string) []Change {
	start, end := d.shift+v.StartOffset, d.shift+v.EndOffset
	return []Change{{start, start, before}, {end, end, after}}
}

// offerQuotes proposes to make a string of a number, true or false.
func (d *diagnoser) offerQuotes(problem *Diagnostic, v *hujson.Value) {
	switch v.Value.Kind() {
	case '0', 't', 'f':
		d.offer(problem, "Put it into double quotes", d.enclose(v, `"`, `"`)...)
	}
}

// unquote takes the quotes off a string.
func (d *diagnoser) unquote(v *hujson.Value) []Change {
	start, end := d.shift+v.StartOffset, d.shift+v.EndOffset
	return []Change{{Start: start, End: start + 1}, {Start: end - 1, End: end}}
}

// trueOrFalse reads a boolean that was written as a text.
func trueOrFalse(v *hujson.Value) (string, bool) {
	if v.Value.Kind() != '"' {
		return "", false
	}
	switch value := strings.ToLower(decode(v.Value.(hujson.Literal))); value {
	case "true", "false":
		return value, true
	}
	return "", false
}

// trim takes white space off both ends of a string.
func (d *diagnoser) trim(v *hujson.Value) []Change {
	return d.trimTo(v, strings.TrimSpace(decode(v.Value.(hujson.Literal))))
}

// trimTo leaves of a string only a part that is in it.
func (d *diagnoser) trimTo(v *hujson.Value, part string) []Change {
	literal := v.Value.(hujson.Literal)
	text := decode(literal)
	before := strings.Index(text, part)
	if before < 0 {
		return nil
	}
	var changes []Change
	for _, c := range []Change{{Start: 0, End: before}, {Start: before + len(part), End: len(text)}} {
		if c.Start < c.End {
			changes = append(changes, c)
		}
	}
	return placed(changes, literal, d.shift+v.StartOffset)
}

// placed makes changes of a decoded string changes of the source, where it begins at start.
func placed(changes []Change, literal hujson.Literal, start int) []Change {
	places := newOffsets(literal, start)
	out := make([]Change, len(changes))
	for i, c := range changes {
		from := places.source(c.Start)
		out[i] = Change{from, places.source(c.End), c.New}
	}
	return out
}

// taken tells whether there is a member of that name.
func taken(members []member, key string) bool {
	return slices.ContainsFunc(members, func(m member) bool { return m.key == key })
}

// rename proposes the known key that an unknown one probably stands for.
func (d *diagnoser) rename(m member, members []member, known []string, alias func(string) string) *Fix {
	if d.noFixes() {
		return nil
	}
	return d.renameTo(m, members, knownKey(m.key, known, alias))
}

// renameTo is nil when there is no such key or there is one already.
func (d *diagnoser) renameTo(m member, members []member, key string) *Fix {
	if key == "" || taken(members, key) {
		return nil
	}
	return &Fix{"Rename it to " + quote(key), []Change{d.replace(m.name, key)}}
}

// knownKey returns the key that another one probably stands for, or "".
func knownKey(key string, known []string, alias func(string) string) string {
	if alias != nil {
		if name := alias(key); name != "" {
			return name
		}
	}
	return nearest(key, known)
}

// comma finds the comma after an item that ends somewhere and is followed by white space or comments.
func (d *diagnoser) comma(end int, after hujson.Extra) (at int, ok bool) {
	at = d.shift + end + len(after)
	return at, len(d.repaired) == 0 && at < len(d.source) && d.source[at] == ','
}

// offerDuplicate proposes to remove a member that says the same as one of that name before it, or to
// give a second toolbox or server another name.
func (d *diagnoser) offerDuplicate(problem *Diagnostic, object *hujson.Object, i int, before []member) {
	if problem == nil || d.noFixes() {
		return
	}
	m := &object.Members[i]
	key := decode(m.Name.Value.(hujson.Literal))
	j := slices.IndexFunc(before, func(m member) bool { return m.key == key })
	first := &object.Members[j]
	if bytes.Equal(d.bytes(first.Name.StartOffset, first.Value.EndOffset), d.bytes(m.Name.StartOffset, m.Value.EndOffset)) {
		d.offer(problem, "Remove the second "+quote(key), d.removeMember(object, i)...)
		return
	}
	parent := before[j].at.parent
	if parent == nil || parent.key != "toolboxes" && parent.key != "mcpServers" {
		return
	}
	for _, number := range []string{" 2", " 3", " 4", " 5"} {
		if !has(&hujson.Value{Value: object}, key+number) {
			end := d.shift + m.Name.EndOffset - 1
			d.offer(problem, "Rename it to "+quote(key+number), Change{end, end, number})
			return
		}
	}
}

// bytes returns a part of the source by places of the tree.
func (d *diagnoser) bytes(start, end int) []byte { return d.source[d.shift+start : d.shift+end] }

// item is a member of an object or an element of an array, with what surrounds it.
type item struct {
	start, end    int // in the tree's places, without what surrounds it
	before, after hujson.Extra
}

func (d *diagnoser) removeMember(object *hujson.Object, i int) []Change {
	items := make([]item, len(object.Members))
	for k := range object.Members {
		m := &object.Members[k]
		items[k] = item{m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value.AfterExtra}
	}
	if !blank(object.Members[i].Name.AfterExtra) || !blank(object.Members[i].Value.BeforeExtra) {
		return nil // there is a comment
	}
	return d.removeItem(items, i)
}

func (d *diagnoser) removeElement(array *hujson.Array, i int) []Change {
	items := make([]item, len(array.Elements))
	for k := range array.Elements {
		e := &array.Elements[k]
		items[k] = item{e.StartOffset, e.EndOffset, e.BeforeExtra, e.AfterExtra}
	}
	return d.removeItem(items, i)
}

// removeItem removes an item with its comma, and its line if nothing else is on it. Comments stay.
func (d *diagnoser) removeItem(items []item, i int) []Change {
	it := items[i]
	if _, ok := d.comma(it.end, it.after); !ok {
		remove := Change{Start: d.shift + it.start, End: d.shift + it.end}
		if i == 0 {
			return []Change{remove}
		}
		comma, _ := d.comma(items[i-1].end, items[i-1].after)
		if blank(it.before) {
			return []Change{{Start: comma, End: remove.End}}
		}
		return []Change{{Start: comma, End: comma + 1}, remove}
	}
	start, end := d.shift+it.start, d.shift+it.end
	comma := end + len(it.after)
	if !blank(it.after) {
		return []Change{{Start: start, End: end}, {Start: comma, End: comma + 1}}
	}
	end = comma + 1
	lineStart := start
	for lineStart > 0 && (d.source[lineStart-1] == ' ' || d.source[lineStart-1] == '\t') {
		lineStart--
	}
	lineEnd := end
	for lineEnd < len(d.source) && bytes.IndexByte([]byte(" \t\r"), d.source[lineEnd]) >= 0 {
		lineEnd++
	}
	switch {
	case lineStart > 0 && d.source[lineStart-1] == '\n' && lineEnd < len(d.source) && d.source[lineEnd] == '\n':
		start, end = lineStart, lineEnd+1
	case lineEnd < len(d.source) && d.source[lineEnd] != '\n':
		end = lineEnd
	}
	return []Change{{Start: start, End: end}}
}

// blank tells whether there is no comment.
func blank(extra hujson.Extra) bool { return len(bytes.TrimSpace(extra)) == 0 }
