package editor

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// Entry is a server's entry exactly as it is written, even if it makes no sense. So the form shows what is in the file, with the problems beside it.
type Entry struct {
	Members []Member // in the order of the file
}

// Member is a member of an object: a field of the entry, an environment variable or a header.
type Member struct {
	Name  string
	Value Value
}

// Value is a JSON value as it is written.
type Value struct {
	Raw     string   // the JSON text; of an array or object without white space and comments
	Text    string   // the content of a string; otherwise the same as Raw
	String  bool     // it is a string
	List    []Value  // the elements of an array
	Members []Member // the members of an object
	Kind    byte     // '{', '[', '"', '0', 't', 'f' or 'n', as in package jsonc; 0 if there is no value
}

// Get returns the value of a field. If two fields have the same name, the first one counts, as in package config.
func (e Entry) Get(name string) (Value, bool) {
	for _, member := range e.Members {
		if member.Name == name {
			return member.Value, true
		}
	}
	return Value{}, false
}

// readEntry parses the text of an entry. It returns an empty entry for text that it cannot parse; package edit refuses such text before.
func readEntry(text string) Entry {
	document := jsonc.Parse([]byte(text))
	if document.Broken() != nil {
		return Entry{}
	}
	return Entry{Members: readValue(document.Root).Members}
}

func readValue(n *jsonc.Node) Value {
	read := Value{Kind: byte(n.Kind), Raw: n.Compact()}
	read.Text = read.Raw
	switch n.Kind {
	case jsonc.String:
		read.Raw, read.Text, read.String = n.Raw(), n.Str(), true
	case jsonc.Array:
		for _, kid := range n.Children {
			read.List = append(read.List, readValue(kid))
		}
	case jsonc.Object:
		for _, kid := range n.Children {
			read.Members = append(read.Members, Member{kid.Key, readValue(kid)})
		}
	}
	return read
}

// entryDiagnostics returns the diagnostics of one server.
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

// within reports whether path is equal to the path of, or leads to something inside it.
func within(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// memberPath returns what a member adds to the path of its object.
func memberPath(name string) string {
	return strings.TrimPrefix(config.ServerPath("x", name), "toolboxes.x.mcpServers")
}
