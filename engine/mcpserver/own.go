package mcpserver

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// Our own resources describe the toolboxes (contract.md, section 6).
const (
	ownToolboxes = toolbox.Scheme + "toolboxes"
	ownTemplate  = ownToolboxes + "/{name}"
	ownType      = "application/json"
)

// ownToolbox describes one toolbox in a resource.
type ownToolbox struct {
	URI         string      `json:"uri"`
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Open        bool        `json:"open"`
	Servers     []ownServer `json:"servers"`
}

// ownServer describes one server in a resource.
type ownServer struct {
	Name  string       `json:"name"`
	State status.State `json:"state"`
	Tools int          `json:"tools,omitempty"`
}

func ownURI(name string) string { return ownToolboxes + "/" + url.PathEscape(name) }

// ownResources returns the definitions of our own resources or templates.
func ownResources(cfg *config.Config, kind downstream.Kind) []json.RawMessage {
	switch kind {
	case downstream.Resources:
		own := []json.RawMessage{encoded(
			mcp.Resource{URI: ownToolboxes, Name: "toolboxes", Title: "Toolboxes",
				Description: "All toolboxes, and which are open", MIMEType: ownType})}
		for _, box := range cfg.Toolboxes {
			own = append(own, encoded(mcp.Resource{URI: ownURI(box.Name), Name: box.Name, Description: box.Description,
				MIMEType: ownType}))
		}
		return own
	case downstream.Templates:
		template := mcp.NewResourceTemplate(ownTemplate, "toolbox",
			mcp.WithTemplateDescription("One toolbox and its servers"), mcp.WithTemplateMIMEType(ownType))
		template.Title = "Toolbox"
		return []json.RawMessage{encoded(template)}
	}
	return nil
}

// readOwn returns the result of resources/read for one of our own resources.
func readOwn(manager *toolbox.Manager, uri string) ([]jsonrpc.Member, bool) {
	text, ok := ownContent(manager, uri)
	if !ok {
		return nil, false
	}
	return resultOf(mcp.ReadResourceResult{
		Contents: []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: ownType, Text: text}}}), true
}

// ownContent returns the text of one of our own resources.
func ownContent(manager *toolbox.Manager, uri string) (string, bool) {
	if uri != ownToolboxes && !strings.HasPrefix(uri, ownToolboxes+"/") {
		return "", false
	}
	snapshot := manager.Status()
	boxes := []ownToolbox{}
	for _, box := range manager.Config().Toolboxes {
		boxes = append(boxes, ownContentOf(box, snapshot))
	}
	var value any = map[string]any{"toolboxes": boxes}
	if uri != ownToolboxes {
		value = nil
		for _, box := range boxes {
			if box.URI == uri || ownToolboxes+"/"+box.Name == uri {
				value = box
			}
		}
	}
	if value == nil {
		return "", false
	}
	return string(encoded(value)), true
}

// ownContentOf describes one toolbox.
func ownContentOf(box *config.Toolbox, snapshot status.Snapshot) ownToolbox {
	own := ownToolbox{URI: ownURI(box.Name), Name: box.Name, Description: box.Description, Servers: []ownServer{}}
	for _, name := range snapshot.Open {
		own.Open = own.Open || name == box.Name
	}
	for _, server := range snapshot.Servers {
		if server.Toolbox == box.Name {
			own.Servers = append(own.Servers, ownServer{server.Name, server.State, server.Tools})
		}
	}
	return own
}

// completeOwn returns completions of the name of a toolbox.
func completeOwn(cfg *config.Config, params []jsonrpc.Member) []jsonrpc.Member {
	const most = 100 // the limit of the protocol
	begun, _ := jsonrpc.String(jsonrpc.Lookup(jsonrpc.ValueOf(params, "argument"), "value"))
	values := []string{}
	for _, box := range cfg.Toolboxes {
		if strings.HasPrefix(box.Name, begun) && len(values) < most {
			values = append(values, box.Name)
		}
	}
	return resultOf(mcp.CompleteResult{Completion: mcp.Completion{Values: values}})
}
