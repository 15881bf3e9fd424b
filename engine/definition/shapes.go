package definition

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Shape says what the official SDKs check in one kind of definition: those for TypeScript 1.x and 2.x and for
// Python, go-sdk and mcp-go. It is as strict as the strictest of them.
type Shape entry

// kind is what a value has to be.
type kind int

const (
	text kind = iota
	flag
	number
	whole
	list
	object
	inputSchema
	outputSchema

	// In results only:
	anyValue  // becomes text
	structure // stays as it is
	binary    // in base64
	block     // a piece of content
	blocks    // a list of them
	messages  // of a prompt
	contents  // of a resource, in a list
	content   // one of them
)

// entry says what a value has to be.
type entry struct {
	is      kind
	of      *entry            // the elements of a list
	members []member          // of an object; others stay as they are
	short   string            // the member that a text in place of an object stands for
	values  []string          // the valid texts, or the values of a flag that may be given as text; nil means all
	matches func(string) bool // which texts are valid; nil means all
	most    float64           // the largest number, or how many elements a list may have; 0 means that all are valid
}

// member is a member of an object.
type member struct {
	name     string
	entry    *entry
	required bool
	// otherwise returns what takes the place of a required member; nil if nothing can.
	otherwise func(members []jsonrpc.Member) json.RawMessage
}

// The shapes of the definitions.
var (
	Tool = &Shape{is: object, members: []member{
		{name: "name", entry: key, required: true},
		{name: "title", entry: anyText},
		{name: "description", entry: anyText},
		{name: "inputSchema", entry: &entry{is: inputSchema}, required: true, otherwise: anyArguments},
		{name: "outputSchema", entry: &entry{is: outputSchema}},
		{name: "annotations", entry: &entry{is: object, members: []member{
			{name: "title", entry: anyText},
			{name: "readOnlyHint", entry: &entry{is: flag, values: []string{"false"}}},
			{name: "destructiveHint", entry: &entry{is: flag, values: []string{"true"}}},
			{name: "idempotentHint", entry: &entry{is: flag, values: []string{"false"}}},
			{name: "openWorldHint", entry: &entry{is: flag, values: []string{"true"}}},
		}}},
		{name: "execution", entry: &entry{is: object, members: []member{
			{name: "taskSupport", entry: &entry{is: text, values: []string{"required", "optional", "forbidden"}}},
		}}},
		{name: "icons", entry: icons},
		{name: "_meta", entry: anyObject},
	}}

	Prompt = &Shape{is: object, members: []member{
		{name: "name", entry: key, required: true},
		{name: "title", entry: anyText},
		{name: "description", entry: anyText},
		{name: "arguments", entry: &entry{is: list, of: &entry{is: object, short: "name", members: []member{
			{name: "name", entry: anyText, required: true},
			{name: "title", entry: anyText},
			{name: "description", entry: anyText},
			{name: "required", entry: anyFlag},
		}}}},
		{name: "icons", entry: icons},
		{name: "_meta", entry: anyObject},
	}}

	Resource = &Shape{is: object, members: []member{
		{name: "uri", entry: key, required: true},
		{name: "name", entry: anyText, required: true, otherwise: nameFromURI},
		{name: "title", entry: anyText},
		{name: "description", entry: anyText},
		{name: "mimeType", entry: anyText},
		{name: "size", entry: &entry{is: whole, most: 1 << 53}},
		{name: "annotations", entry: annotations},
		{name: "icons", entry: icons},
		{name: "_meta", entry: anyObject},
	}}

	Template = &Shape{is: object, members: []member{
		{name: "uriTemplate", entry: &entry{is: text, matches: isTemplate}, required: true},
		{name: "name", entry: anyText, required: true, otherwise: nameFromURI},
		{name: "title", entry: anyText},
		{name: "description", entry: anyText},
		{name: "mimeType", entry: anyText},
		{name: "annotations", entry: annotations},
		{name: "icons", entry: icons},
		{name: "_meta", entry: anyObject},
	}}
)

var (
	anyText   = &entry{is: text}
	anyFlag   = &entry{is: flag}
	anyObject = &entry{is: object}
	key       = &entry{is: text, matches: isKey}

	icons = &entry{is: list, of: &entry{is: object, short: "src", members: []member{
		{name: "src", entry: anyText, required: true},
		{name: "mimeType", entry: anyText},
		{name: "sizes", entry: &entry{is: list, of: anyText}},
		{name: "theme", entry: &entry{is: text, values: []string{"light", "dark"}}},
	}}}

	// annotations are those of resources and templates.
	annotations = &entry{is: object, members: []member{
		{name: "audience", entry: &entry{is: list, of: &entry{is: text, values: []string{"user", "assistant"}}}},
		{name: "priority", entry: &entry{is: number, most: 1}},
		{name: "lastModified", entry: &entry{is: text, matches: isTime}},
	}}
)

// member returns the row of a member; nil if it has none.
func (e *entry) member(name string) *member {
	for i := range e.members {
		if e.members[i].name == name {
			return &e.members[i]
		}
	}
	return nil
}

// resembles reports whether a name differs from that of a known member only in case.
func (e *entry) resembles(name string) bool {
	return slices.ContainsFunc(e.members, func(m member) bool { return strings.EqualFold(name, m.name) })
}

// takes reports whether a text is valid.
func (e *entry) takes(value string) bool {
	return (e.values == nil || slices.Contains(e.values, value)) && (e.matches == nil || e.matches(value))
}

// isKey reports whether a text can identify an item. A number is never made into one.
func isKey(value string) bool { return value != "" }

// nameFromURI returns what a resource without a name is called.
func nameFromURI(members []jsonrpc.Member) json.RawMessage {
	for _, name := range []string{"title", "uri", "uriTemplate"} {
		for _, m := range members {
			if m.Name == name {
				return m.Value
			}
		}
	}
	return nil
}

// anyArguments returns the schema of a tool that has none.
func anyArguments([]jsonrpc.Member) json.RawMessage { return json.RawMessage(`{"type":"object"}`) }

// timeForm is what the SDK for TypeScript takes for a time.
var timeForm = lazyregexp.New(
	`^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

func isTime(value string) bool {
	if !timeForm.MatchString(value) {
		return false
	}
	_, err := time.Parse(time.DateOnly, value[:len(time.DateOnly)])
	return err == nil
}
