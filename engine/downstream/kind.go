package downstream

import (
	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Kind is a kind of list that a server may have.
type Kind int

// The kinds of lists.
const (
	Tools Kind = iota
	Prompts
	Resources
	Templates

	// Kinds is the number of kinds.
	Kinds
)

// List describes a kind of list.
type List struct {
	// Name is the protocol's name for an item of the list.
	Name string
	// Singular and Plural are the names for people of one item and of several.
	Singular, Plural words.Code
	// Capability is the member of the server's capabilities that declares the list.
	Capability string
	// Method requests a page of the list. Member is the member of the answer that has the page.
	Method, Member string
	// Key is the member of an item by which requests identify it.
	Key string
	// Notice is the method of the notification that the list has changed.
	Notice string
	// Shape describes what clients check in a definition.
	Shape *definition.Shape
	// Unique is the rule for the names under which clients see the items of several servers.
	Unique Naming
}

// Naming is a rule for the names under which clients see the items of several servers.
type Naming int

// The rules for names.
const (
	// ByName: the client sees a name built from toolbox, server and name.
	ByName Naming = iota
	// ByURI: the client sees the server's own URI, unless two servers have the same.
	ByURI
)

// lists is the table of the kinds of lists.
var lists = [Kinds]List{
	Tools: {
		"tool", "downstream.tool", "downstream.tools", "tools",
		"tools/list", "tools", "name", "notifications/tools/list_changed", definition.Tool, ByName,
	},
	Prompts: {
		"prompt", "downstream.prompt", "downstream.prompts", "prompts",
		"prompts/list", "prompts", "name", "notifications/prompts/list_changed", definition.Prompt, ByName,
	},
	Resources: {
		"resource", "downstream.resource", "downstream.resources", "resources",
		"resources/list", "resources", "uri", "notifications/resources/list_changed", definition.Resource, ByURI,
	},
	Templates: {
		"resource template", "downstream.template", "downstream.templates", "resources",
		"resources/templates/list", "resourceTemplates", "uriTemplate", "notifications/resources/list_changed",
		definition.Template, ByURI,
	},
}

// List returns the kind's row of the table.
func (k Kind) List() List { return lists[k] }
