package editor

import (
	"strings"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Entry is a server's entry as it is written, also where it makes no sense: the form shows what is there, with what is
// wrong beside it, and not what could be understood of it.
type Entry struct {
	Members []Member // in the order of the file
}

// Member is a member of an object: a field of the entry, an environment variable or a header.
type Member struct {
	Name  string
	Value Value
}

// Value is a value as it is written.
type Value struct {
	Raw     string   // the JSON text
	Text    string   // of a string what it says, else the JSON text
	String  bool     // it is a string
	List    []Value  // of an array its elements
	Members []Member // of an object
	Kind    byte     // '{', '[', '"', '0', 't', 'f' or 'n', as in package hujson; 0 when there is no value
}

// Get returns the value of a field. The second of two fields with one name doesn't count, as in package config.
func (e Entry) Get(name string) (Value, bool) {
	for _, member := range e.Members {
		if member.Name == name {
			return member.Value, true
		}
	}
	return Value{}, false
}

// readEntry takes the text of an entry apart. A text that cannot be read gives an empty entry; package edit has refused
// those before.
func readEntry(text string) Entry {
	value, err := hujson.Parse([]byte(text))
	if err != nil {
		return Entry{}
	}
	return Entry{Members: readValue(&value).Members}
}

func readValue(value *hujson.Value) Value {
	kind := byte(value.Value.Kind())
	read := Value{Kind: kind}
	switch content := value.Value.(type) {
	case hujson.Literal:
		read.Raw, read.Text = string(content), string(content)
		if kind == '"' {
			read.Text, read.String = content.String(), true
		}
	case *hujson.Array:
		for i := range content.Elements {
			read.List = append(read.List, readValue(&content.Elements[i]))
		}
	case *hujson.Object:
		for i := range content.Members {
			member := &content.Members[i]
			read.Members = append(read.Members, Member{member.Name.Value.(hujson.Literal).String(), readValue(&member.Value)})
		}
	}
	if kind == '[' || kind == '{' {
		plain := value.Clone()
		plain.Minimize()
		read.Raw = plain.String()
		read.Text = read.Raw
	}
	return read
}

// entryDiagnostics are those of one server.
func entryDiagnostics(diagnostics []config.Diagnostic, toolbox, server string) []config.Diagnostic {
	entry := config.ServerPath(toolbox, server)
	var found []config.Diagnostic
	for _, diagnostic := range diagnostics {
		if within(diagnostic.Path, entry) {
			found = append(found, diagnostic)
		}
	}
	return found
}

// within tells whether a path is that of a value or of something in it.
func within(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// memberPath is what a member adds to the path of its object.
func memberPath(name string) string {
	return strings.TrimPrefix(config.ServerPath("x", name), "toolboxes.x.mcpServers")
}
