package imports

import (
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// document is the content of a file. TOML and YAML are converted to JSON, in the order of the text.
type document struct{ root *jsonc.Node }

// parse reads the text of a file. If the text is wrong, problem says where.
func parse(data []byte, format client.Format) (d document, problem words.Text) {
	root, problem := foreign.Document(data, format)
	return document{root}, problem
}

// at follows names from the root; it returns nil if there is no value. If a name occurs twice the last one
// counts, as in the apps.
func (d document) at(path ...string) *jsonc.Node {
	value := d.root
	for _, name := range path {
		value = value.LastMember(name)
	}
	return value
}

// entry returns the entry with a name at a place, an object or a list; nil if there is none.
func (d document) entry(name string, path ...string) *jsonc.Node {
	value := d.at(path...)
	if !value.Is(jsonc.Array) {
		return value.LastMember(name)
	}
	for _, item := range value.Children {
		if item.Member("name").Str() == name {
			return item
		}
	}
	return nil
}
