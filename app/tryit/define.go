package tryit

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Definition is the part of a tool's definition that is shown to people. The texts come from the server.
type Definition struct {
	Title       string
	Description string
	InputSchema json.RawMessage

	// The hints that the server gives about the tool; nil if it gives none.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// Define reads the definition of a tool. Members that are missing or wrong are left empty.
func Define(definition json.RawMessage) Definition {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(definition, &members) // something that is not an object has no members
	var d Definition
	_ = json.Unmarshal(members["title"], &d.Title)
	_ = json.Unmarshal(members["description"], &d.Description)
	d.InputSchema = members["inputSchema"]
	var annotations map[string]json.RawMessage
	_ = json.Unmarshal(members["annotations"], &annotations)
	if d.Title == "" {
		_ = json.Unmarshal(annotations["title"], &d.Title)
	}
	flag := func(name string) *bool {
		var value bool
		if raw, ok := annotations[name]; ok && json.Unmarshal(raw, &value) == nil {
			return &value
		}
		return nil
	}
	d.ReadOnly, d.Destructive, d.Idempotent, d.OpenWorld = flag("readOnlyHint"), flag("destructiveHint"),
		flag("idempotentHint"), flag("openWorldHint")
	if d.Title == "" {
		_ = json.Unmarshal(annotations["title"], &d.Title)
	}
	return d
}

// First returns the name of the tool that people are to try first: one that changes nothing, if there is one. There
// must be a tool.
func First(tools []status.Tool) string {
	for _, tool := range tools {
		if d := Define(tool.Definition); d.ReadOnly != nil && *d.ReadOnly {
			return tool.Name
		}
	}
	return tools[0].Name
}

// Called returns what people call a tool: its title, or the words of its name.
func (d Definition) Called(name string) string {
	if d.Title != "" {
		return kit.Line(d.Title)
	}
	var spaced strings.Builder
	before := ' '
	for _, r := range name {
		switch {
		case r == '_' || r == '-':
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(before):
			spaced.WriteRune(' ')
			r = unicode.ToLower(r)
		}
		spaced.WriteRune(r)
		before = r
	}
	words := strings.Join(strings.Fields(spaced.String()), " ")
	first, size := utf8.DecodeRuneInString(words)
	return kit.Line(string(unicode.ToUpper(first)) + words[size:])
}
