package downstream

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of one list of a server.
const (
	maxPages = 1_000
	maxItems = 10_000
	// maxDiagnostics limits the diagnostics of a list.
	maxDiagnostics = 100
	// maxKey is the length of the longest name or URI, in bytes.
	maxKey = 8 << 10
	// maxDefinition is the size of the largest definition, and maxDefinitions that of all definitions of a list, in
	// bytes. Clients get the lists of all servers in one message.
	maxDefinition  = 1 << 20
	maxDefinitions = 16 << 20
)

// Item is an item of a list: a tool, a prompt, a resource or a resource template.
type Item struct {
	// Name identifies the item in requests: it is a name, a URI or a URI template. Title and Description are
	// empty if absent. All three come from the server and may contain any characters.
	Name, Title, Description string
	// Definition is the server's definition without white space, corrected so that no client refuses it. It must not be
	// changed.
	Definition json.RawMessage
	// TaskOnly is set for a tool that can be called only as a task.
	TaskOnly bool
	// ReadOnly is set for a tool that declares that it changes nothing: readOnlyHint is true, and
	// destructiveHint is not.
	ReadOnly bool
	// Destructive is set for a tool that declares that it destroys something.
	Destructive bool
	// NoSchema is set for a tool whose schema does not describe its arguments, so that a model must guess them.
	NoSchema bool
	// Refused is why AI services refuse a request with the tool, as far as known.
	Refused definition.Refusal
}

// Diagnostic is a problem in one of a server's lists.
type Diagnostic struct {
	// Kind is the list.
	Kind Kind
	// Name is the item's name as plain text, if it has one.
	Name    string
	Message words.Text
	// Kept is set if the item is listed in spite of the problem.
	Kept bool
}

// maxFaults limits the faults of one list that are reported in a session.
const maxFaults = 20

// Faults remembers which faults of a server's lists were reported, since a list may be read often. The zero value is
// ready to use. It is safe for concurrent use.
type Faults struct {
	mu   sync.Mutex
	told [Kinds]map[string]bool
}

// New returns the diagnostics in found that it has not returned before. For each kind of list it returns 20 in all,
// and then one that says that there are more.
func (f *Faults) New(found []Diagnostic) []Diagnostic {
	f.mu.Lock()
	defer f.mu.Unlock()
	var fresh []Diagnostic
	for _, d := range found {
		told, key := f.told[d.Kind], d.Text().String()
		switch {
		case told[key] || len(told) > maxFaults:
			continue
		case told == nil:
			told = map[string]bool{}
			f.told[d.Kind] = told
		case len(told) == maxFaults:
			d.Name, d.Message = "", words.New("downstream.more_wrong", "List", d.Kind.List().Plural)
		}
		told[key] = true
		fresh = append(fresh, d)
	}
	return fresh
}

// itemList is a version of a server's list. It is immutable.
type itemList struct {
	items       []Item
	diagnostics []Diagnostic
	mirrored    map[string][]binding // by tool, the arguments that are also sent as headers
	fixed       bool                 // the list cannot be requested again
}

// equal reports whether two lists have the same definitions in the same order.
func (l *itemList) equal(other *itemList) bool {
	return slices.EqualFunc(l.items, other.items, func(a, b Item) bool { return bytes.Equal(a.Definition, b.Definition) })
}

// ToolsOf returns the tools with definitions that were stored in an earlier run, without those that are invalid. A nil
// check is that of [Options].
func ToolsOf(definitions []json.RawMessage, check func(Kind, json.RawMessage) error) []Item {
	if check == nil {
		check = checkTools
	}
	l := &lister{kind: Tools, check: check, mask: func(text string) string { return text }, names: map[string]bool{}}
	for _, definition := range definitions[:min(len(definitions), maxItems)] {
		l.addItem(definition)
	}
	return l.list.items
}

// lister collects the pages of a list.
type lister struct {
	kind  Kind
	check func(Kind, json.RawMessage) error
	limit int  // of all definitions, in bytes
	binds bool // arguments may also be sent as headers
	mask  func(string) string

	list  itemList
	names map[string]bool // of the items
	seen  int             // number of definitions
	bytes int             // size of the definitions
}

// add adds a page. It returns an error only if the page is not an array.
func (l *lister) add(page json.RawMessage) error {
	plural := l.kind.List().Plural
	definitions, err := jsonrpc.Elements(page)
	if err != nil {
		return words.NewError("downstream.list_no_list", "List", plural, "Why", err)
	}
	for i, definition := range definitions {
		if l.seen >= maxItems || l.bytes >= l.limit {
			l.diagnose("", words.New("downstream.list_end_left_out", "Number", len(definitions)-i, "List", plural))
			return nil
		}
		l.seen++
		l.bytes += len(definition)
		l.addItem(definition)
	}
	return nil
}

// addItem adds an item, or a diagnostic if it is invalid.
func (l *lister) addItem(raw json.RawMessage) {
	switch singular := l.kind.List().Singular; {
	case len(raw) > maxDefinition:
		l.diagnose("", words.New("downstream.item_too_large", "Item", singular, "Size", len(raw), "Limit",
			inWords(maxDefinition)))
		return
	case jsonrpc.Depth(raw) > maxNested:
		l.diagnose("", words.New("downstream.item_too_deep", "Item", singular, "Limit", maxNested))
		return
	}
	// The definition is copied, so that the line is not retained.
	item := Item{Definition: jsonrpc.AppendCompact(make([]byte, 0, len(raw)), raw)}
	key, singular := l.kind.List().Key, l.kind.List().Singular
	named, _ := jsonrpc.String(jsonrpc.Lookup(item.Definition, key))
	setAside := func(why error) {
		l.diagnose(named, words.New("downstream.item_set_aside", "Item", singular, "Why", oneLine(why)))
	}
	if item.Definition[0] != '{' {
		setAside(words.Code("downstream.no_object"))
		return
	}
	var mended definition.Mended
	err := background.Catch(func() (err error) {
		mended, err = definition.Mend(l.kind.List().Shape, item.Definition)
		return err
	})
	if err != nil && named != "" { // a missing name is reported below
		setAside(err)
		return
	}
	if err == nil {
		item.Definition, item.Refused = mended.Definition, mended.Refused
	}
	var schema json.RawMessage
	for _, member := range jsonrpc.Split(item.Definition) {
		switch member.Name {
		case key:
			item.Name, _ = jsonrpc.String(member.Value)
		case "title":
			item.Title, _ = jsonrpc.String(member.Value)
		case "description":
			item.Description, _ = jsonrpc.String(member.Value)
		case "inputSchema":
			schema = member.Value
		case "annotations":
			item.Destructive = string(jsonrpc.Lookup(member.Value, "destructiveHint")) == "true"
			item.ReadOnly = string(jsonrpc.Lookup(member.Value, "readOnlyHint")) == "true" && !item.Destructive
		case "execution":
			support, _ := jsonrpc.String(jsonrpc.Lookup(member.Value, "taskSupport"))
			item.TaskOnly = support == "required"
		}
	}
	if err := background.Catch(func() error { return l.check(l.kind, item.Definition) }); err != nil {
		setAside(err)
		return
	}
	var bound []binding
	if l.binds {
		if bound, err = bindings(schema); err != nil {
			setAside(err)
			return
		}
	}
	switch {
	case item.Name == "":
		l.diagnose("", words.New("downstream.item_no_key", "Item", singular, "Key", key))
		return
	case len(item.Name) > maxKey:
		l.diagnose(item.Name, words.New("downstream.item_key_long", "Item", singular, "Key", key, "Size", len(item.Name),
			"Limit", maxKey))
		return
	case l.names[item.Name]:
		l.diagnose(item.Name, words.New("downstream.item_twice", "Item", singular, "Key", key))
		return
	}
	l.names[item.Name] = true
	if bound != nil {
		if l.list.mirrored == nil {
			l.list.mirrored = map[string][]binding{}
		}
		l.list.mirrored[item.Name] = bound
	}
	item.NoSchema = l.kind == Tools && saysNothing(schema)
	for _, remark := range mended.Remarks {
		l.note(Diagnostic{Name: item.Name, Message: remark, Kept: true})
	}
	l.list.items = append(l.list.items, item)
}

// diagnose adds a diagnostic of an item that is left out, or, with an empty name, of the list.
func (l *lister) diagnose(name string, message words.Text) {
	l.note(Diagnostic{Name: name, Message: message})
}

// note adds a diagnostic with secrets masked. If there are too many, those of items that are left out are kept.
func (l *lister) note(d Diagnostic) {
	d.Kind, d.Name, d.Message = l.kind, clean(l.mask(d.Name), 200), d.Message.Map(func(part string) string {
		return clean(l.mask(part), maxLogLine)
	})
	kept := l.list.diagnostics
	if len(kept) >= maxDiagnostics {
		at := slices.IndexFunc(kept, func(other Diagnostic) bool { return other.Kept })
		if at < 0 || d.Kept {
			return
		}
		kept = slices.Delete(kept, at, at+1)
	}
	l.list.diagnostics = append(kept, d)
}

// oneLine returns the text of an error with each foreign part as one line.
func oneLine(err error) words.Text {
	return words.Of(err).Map(func(part string) string { return clean(part, maxLogLine) })
}

// checkTools is the default of [Options.Check].
func checkTools(kind Kind, definition json.RawMessage) error {
	if kind != Tools {
		return nil
	}
	if len(definition) == 0 || definition[0] != '{' {
		return words.NewError("downstream.no_object")
	}
	name, ok := jsonrpc.String(jsonrpc.Lookup(definition, "name"))
	if !ok {
		return words.NewError("downstream.name_no_string")
	}
	if name == "" {
		return words.NewError("downstream.name_empty")
	}
	schema := jsonrpc.Lookup(definition, "inputSchema")
	if schema == nil {
		return words.NewError("downstream.schema_missing")
	}
	if schema[0] != '{' {
		return words.NewError("downstream.schema_no_object")
	}
	if kind, _ := jsonrpc.String(jsonrpc.Lookup(schema, "type")); kind != "object" {
		return words.NewError("downstream.schema_type")
	}
	return nil
}

// saysNothing reports whether a schema allows any object and does not describe it.
func saysNothing(schema json.RawMessage) bool {
	members, err := jsonrpc.Members(schema)
	if err != nil {
		return true
	}
	for _, member := range members {
		switch member.Name {
		case "type", "$schema", "$id", "$comment", "title", "description":
		case "additionalProperties":
			if string(member.Value) != "true" && string(member.Value) != "{}" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Text returns what is wrong, on one line.
func (d Diagnostic) Text() words.Text {
	if d.Name == "" {
		return d.Message
	}
	return words.New("downstream.of_item", "Name", d.Name, "Problem", d.Message)
}
