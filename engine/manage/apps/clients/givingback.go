package clients

import (
	"reflect"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// putBack returns a file with the entries that it had before, in the same text. The rest of the file stays as
// it is now.
func (c Client) putBack(now, before []byte, names []string) ([]byte, error) {
	from, err := c.read(before)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		d, err := c.read(now)
		if err != nil {
			return nil, err
		}
		if now, err = d.putBack(name, from); err != nil {
			return nil, err
		}
	}
	return now, nil
}

func (d document) putBack(name string, from document) (source []byte, err error) {
	defer d.client.recovered(&err)
	old, known := from.entries()[name]
	has, taken := d.entries()[name]
	switch {
	case !known:
		return nil, misshapen(words.New("clients.copy_without", "Name", words.Quoted(name)))
	case taken && reflect.DeepEqual(has, old):
		return d.source(d.text), nil // somebody has put the entry back already
	case taken:
		return nil, misshapen(words.New("clients.another_entry", "Name", words.Quoted(name)))
	}
	edit, ok := d.client.syntax().(jsonSyntax)
	if !ok { // in other formats the text of an entry cannot be copied
		return nil, misshapen(words.New("clients.changed_since"))
	}
	if err := edit.check(d.text, d.client.Key, name); err != nil {
		return nil, err
	}
	value := jsonc.Parse(from.text).Root.At(jsonc.Keys(d.client.Key...).Member(name))
	raw := strings.ReplaceAll(strings.ReplaceAll(value.Raw(), "\r\n", "\n"), "\n", newline(d.text))
	text, err := edit.insert(d.text, d.client.Key, entry{name: name, raw: raw})
	if err != nil {
		return nil, err
	}
	after, err := d.client.read(text)
	if err != nil || !reflect.DeepEqual(after.entries()[name], old) || !d.sameBut(after, name) {
		return nil, misshapen(words.New("clients.no_safe_insertion"))
	}
	return d.source(text), nil
}
