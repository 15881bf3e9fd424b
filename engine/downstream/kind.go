package downstream

import (
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
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

	// Kinds is how many there are.
	Kinds
)

// List is what the protocol says of one kind of list.
type List struct {
	// Name is what the protocol calls one of the things in it.
	Name string
	// Singular is what people call one of the things in it, and Plural several.
	Singular, Plural words.Code
	// Capability is the member of the server's capabilities that announces it.
	Capability string
	// Method asks for a page of it, Member is where the page stands in the answer.
	Method, Member string
	// Key is the member by which requests name one of the things.
	Key string
	// Notice is the notification that says that the list has changed.
	Notice string
	// Unique is the rule for the names under which clients see things of several servers.
	Unique Naming
}

// Naming is a rule for the names under which clients see things of several servers.
type Naming int

// The rules for names.
const (
	// ByName: the client sees a name built from toolbox, server and name.
	ByName Naming = iota
	// ByURI: the client sees the server's own URI, unless two servers have the same.
	ByURI
)

// lists is the one table of lists. All code that treats all kinds alike reads it.
var lists = [Kinds]List{
	Tools:     {"tool", "downstream.tool", "downstream.tools", "tools", "tools/list", "tools", "name", "notifications/tools/list_changed", ByName},
	Prompts:   {"prompt", "downstream.prompt", "downstream.prompts", "prompts", "prompts/list", "prompts", "name", "notifications/prompts/list_changed", ByName},
	Resources: {"resource", "downstream.resource", "downstream.resources", "resources", "resources/list", "resources", "uri", "notifications/resources/list_changed", ByURI},
	Templates: {"resource template", "downstream.template", "downstream.templates", "resources", "resources/templates/list", "resourceTemplates", "uriTemplate", "notifications/resources/list_changed", ByURI},
}

// List returns the kind's row of the table.
func (k Kind) List() List { return lists[k] }

// Has reports whether the server has declared a capability, such as "resources", or a member of one, such as
// "resources", "subscribe". A member that is false is not declared.
func (i Info) Has(path ...string) bool {
	value := i.Capabilities
	for _, name := range path {
		value = jsonrpc.Lookup(value, name)
		if value == nil || string(value) == "false" || string(value) == "null" {
			return false
		}
	}
	return true
}
