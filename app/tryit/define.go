package tryit

import "encoding/json"

// Definition is what of a tool's definition people look at. The texts are the server's.
type Definition struct {
	Title       string
	Description string
	InputSchema json.RawMessage

	// What the server says about itself; nil where it says nothing.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// Define reads a definition. What is not as it should be is left out, one by one.
func Define(definition json.RawMessage) Definition {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(definition, &members) // what is not an object has no members
	var d Definition
	_ = json.Unmarshal(members["title"], &d.Title)
	_ = json.Unmarshal(members["description"], &d.Description)
	d.InputSchema = members["inputSchema"]
	var annotations map[string]json.RawMessage
	_ = json.Unmarshal(members["annotations"], &annotations)
	flag := func(name string) *bool {
		var value bool
		if raw, ok := annotations[name]; ok && json.Unmarshal(raw, &value) == nil {
			return &value
		}
		return nil
	}
	d.ReadOnly, d.Destructive, d.Idempotent, d.OpenWorld = flag("readOnlyHint"), flag("destructiveHint"), flag("idempotentHint"), flag("openWorldHint")
	if d.Title == "" {
		_ = json.Unmarshal(annotations["title"], &d.Title)
	}
	return d
}
