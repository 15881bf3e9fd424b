package clients

import (
	"bytes"
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/excerpt"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/tojson"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxNesting limits the nesting of lists and objects, since parsers need memory for each level.
const maxNesting = 1000

// The reasons why a client's file cannot be edited. Errors that wrap them say where and why, for people.
var (
	ErrUnreadable = errors.New("the file cannot be read")
	ErrShape      = errors.New("the file does not have the usual form")
)

// unreadable returns an error that wraps ErrUnreadable; misshapen returns one that wraps ErrShape.
func unreadable(why words.Text) error { return &refusal{ErrUnreadable, why} }
func misshapen(why words.Text) error  { return &refusal{ErrShape, why} }

func tooLarge() error {
	return words.NewError("clients.too_large", "Megabytes", excerpt.MaxText>>20)
}

// refusal is one of these reasons with a sentence for people.
type refusal struct {
	reason error
	text   words.Text
}

func (r *refusal) Error() string    { return r.text.String() }
func (r *refusal) Text() words.Text { return r.text }
func (r *refusal) Unwrap() error    { return r.reason }

// apply makes changes to a text, in any order.
func apply(text []byte, changes ...jsonc.Change) ([]byte, error) {
	slices.SortStableFunc(changes, func(a, b jsonc.Change) int { return cmp.Compare(a.Start, b.Start) })
	return jsonc.Apply(text, changes)
}

const byteOrderMark = "\ufeff"

// syntax edits the text of one format. Texts have no byte order mark. The caller checks the result of each
// edit, and refuses a wrong one.
type syntax interface {
	// decode parses the whole text. A blank text is an empty object.
	decode(text []byte) (map[string]any, error)

	// check returns an error for a text that decode accepts and an edit could break, in the objects that lead
	// to the entries.
	check(text []byte, key []string, name string) error

	// insert adds an entry, update gives an existing entry another command, and remove removes one. If
	// emptied is set, remove also removes the objects on the path that become empty.
	insert(text []byte, key []string, e entry) ([]byte, error)
	update(text []byte, key []string, e entry) ([]byte, error)
	remove(text []byte, key []string, name string, emptied bool) ([]byte, error)
}

func (c Client) syntax() syntax {
	switch c.Format {
	case client.TOML:
		return tomlSyntax{}
	case client.YAML:
		return yamlSyntax{c.Named}
	case client.JSON:
		return jsonSyntax{strict: c.Name}
	}
	return jsonSyntax{}
}

// decode reads a text that is not JSON; a blank one is an empty object.
func decode(format client.Format, toJSON func([]byte) ([]byte, error), text []byte) (map[string]any, error) {
	data, err := toJSON(text)
	switch {
	case errors.Is(err, tojson.ErrHeavy):
		return nil, unreadable(words.New("clients.too_deep"))
	case err != nil:
		return nil, misread(format, err)
	}
	read := jsonc.Parse(data)
	if read.Broken() != nil {
		return nil, unreadable(words.New("clients.too_deep"))
	}
	all, ok := read.Root.Value().(map[string]any)
	if !ok {
		all = map[string]any{}
	}
	return all, nil
}

// misread says where a text is wrong.
func misread(format client.Format, err error) error {
	var at tojson.Error
	if wrong, ok := errors.AsType[*tojson.Error](err); ok {
		at = *wrong
	}
	return unreadable(words.New("clients.not_format", "Format", string(format), "Line", at.Line, "Column", at.Column,
		"Why", err.Error()))
}

// document is a parsed file of a client.
type document struct {
	client Client
	mark   string // the byte order mark
	text   []byte
	all    map[string]any
}

// read parses a client's file. source is nil if there is no file.
func (c Client) read(source []byte) (d document, err error) {
	defer func() {
		// The parsers were not made for all possible content and may panic.
		if r := recover(); r != nil {
			err = unreadable(words.New("clients.not_understood", "Format", string(c.Format)))
		}
	}()
	d = document{client: c, text: source}
	if rest, ok := bytes.CutPrefix(source, []byte(byteOrderMark)); ok {
		d.mark, d.text = byteOrderMark, rest
	}
	if bytes.IndexByte(d.text, 0) >= 0 {
		return d, unreadable(words.New("clients.not_utf8"))
	}
	if nested(d.text) > maxNesting {
		return d, unreadable(words.New("clients.too_deep"))
	}
	if d.all, err = c.syntax().decode(d.text); err != nil {
		return d, err
	}
	d.client = c.as(d.all)
	if err := d.checkShape(); err != nil {
		return d, err
	}
	return d, nil
}

// nested returns how deeply brackets are nested. Brackets in strings count too.
func nested(text []byte) int {
	depth, deepest := 0, 0
	for _, c := range text {
		switch c {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

func (d document) checkShape() error {
	at := d.all
	for i, key := range d.client.Key {
		value, ok := at[key]
		if !ok || value == nil && d.client.Format == client.YAML {
			return nil
		}
		if d.client.Named != "" && i == len(d.client.Key)-1 {
			if _, ok = value.([]any); !ok {
				return misshapen(words.New("clients.no_list", "Key", words.Quoted(strings.Join(d.client.Key, "."))))
			}
			return nil
		}
		at, ok = value.(map[string]any)
		if !ok {
			return misshapen(words.New("clients.no_group_of_entries", "Key",
				words.Quoted(strings.Join(d.client.Key[:i+1], "."))))
		}
	}
	return nil
}

// entries returns the entries by name.
func (d document) entries() map[string]any {
	at := d.all
	for i, key := range d.client.Key {
		if list, ok := at[key].([]any); ok && d.client.Named != "" && i == len(d.client.Key)-1 {
			at = map[string]any{}
			for _, item := range list {
				if name := d.client.nameOf(item); name != "" {
					at[name] = item
				}
			}
			return at
		}
		at, _ = at[key].(map[string]any)
	}
	return at
}

// nameOf returns the name of an item in a list of entries; "" if it has none.
func (c Client) nameOf(item any) string {
	members, _ := item.(map[string]any)
	name, _ := members[c.Named].(string)
	return name
}

// headed returns the document with the members that the client needs besides entries, if the file has no
// content.
func (d document) headed() (document, error) {
	if d.client.Head == "" || len(d.all) > 0 {
		return d, nil
	}
	nl := newline(d.text)
	text := strings.ReplaceAll(d.client.Head, "\n", nl)
	if !nothingIn(d.text) { // there are comments
		text = strings.TrimRight(string(d.text), "\r\n") + nl + text
	}
	headed, err := d.client.read([]byte(text))
	headed.mark = d.mark
	return headed, err
}

// source returns the file with another text.
func (d document) source(text []byte) []byte { return append([]byte(d.mark), text...) }

// with returns the file with an entry, which is inserted, or updated if one of that name exists. It is an
// error if anything else would change.
func (d document) with(e entry, l Launch) (source []byte, err error) {
	defer d.client.recovered(&err)
	if d, err = d.headed(); err != nil {
		return nil, err
	}
	edit := d.client.syntax()
	if err := edit.check(d.text, d.client.Key, e.name); err != nil {
		return nil, err
	}
	var text []byte
	if _, there := d.entries()[e.name]; there {
		text, err = edit.update(d.text, d.client.Key, e)
	} else {
		text, err = edit.insert(d.text, d.client.Key, e)
	}
	if err != nil {
		return nil, err
	}
	after, err := d.client.read(text)
	if err != nil || !d.client.is(after.entries()[e.name], l) || !d.sameBut(after, e.name) {
		return nil, misshapen(words.New("clients.no_safe_insertion"))
	}
	return d.source(text), nil
}

// without returns the file without an entry. inserted is the text that was inserted for it, if known. If that
// text is still there, the result is exactly the file before.
func (d document) without(name, inserted string, emptied bool) (source []byte, err error) {
	defer d.client.recovered(&err)
	if inserted != "" && bytes.Count(d.text, []byte(inserted)) == 1 {
		text := bytes.Replace(d.text, []byte(inserted), nil, 1)
		if after, err := d.client.read(text); err == nil && after.entries()[name] == nil && d.sameBut(after, name) {
			return d.source(text), nil
		}
	}
	edit := d.client.syntax()
	if err := edit.check(d.text, d.client.Key, name); err != nil {
		return nil, err
	}
	text, err := edit.remove(d.text, d.client.Key, name, emptied)
	if err != nil {
		return nil, err
	}
	after, err := d.client.read(text)
	if _, still := after.entries()[name]; err != nil || still || !d.sameBut(after, name) {
		return nil, misshapen(words.New("clients.no_safe_removal"))
	}
	return d.source(text), nil
}

func (c Client) recovered(err *error) {
	if r := recover(); r != nil {
		*err = misshapen(words.New("clients.no_safe_edit"))
	}
}

// sameBut reports whether two files mean the same, apart from our entry and the objects that contain only
// that.
func (d document) sameBut(other document, name string) bool {
	return reflect.DeepEqual(d.client.reduced(d.all, d.client.Key, name), d.client.reduced(other.all, d.client.Key, name))
}

// reduced returns an object without an entry, and without objects on its path that become empty.
func (c Client) reduced(object map[string]any, path []string, name string) map[string]any {
	out := make(map[string]any, len(object))
	for key, value := range object {
		out[key] = value
	}
	if len(path) == 0 {
		delete(out, name)
		return out
	}
	if list, ok := object[path[0]].([]any); ok && len(path) == 1 && c.Named != "" {
		rest := slices.DeleteFunc(slices.Clone(list), func(item any) bool { return c.nameOf(item) == name })
		if out[path[0]] = rest; len(rest) == 0 {
			delete(out, path[0])
		}
		return out
	}
	below, _ := object[path[0]].(map[string]any)
	if rest := c.reduced(below, path[1:], name); len(rest) > 0 {
		out[path[0]] = rest
	} else {
		delete(out, path[0])
	}
	return out
}

// insertion returns the text that was inserted, if that is the only change; else "".
func insertion(before, after []byte) string {
	before, after = bytes.TrimPrefix(before, []byte(byteOrderMark)), bytes.TrimPrefix(after, []byte(byteOrderMark))
	if len(after) <= len(before) {
		return ""
	}
	n := 0
	for n < len(before) && before[n] == after[n] {
		n++
	}
	if !bytes.HasSuffix(after, before[n:]) {
		return ""
	}
	return string(after[n : len(after)-(len(before)-n)])
}

// newline returns the line end that a text uses.
func newline(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
