package imports

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
)

// further are the places that are read besides those of the table of package clients: files that we would never write.
func further() []clients.Client {
	code := "/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"
	only := func(path string) clients.Place { return clients.Place{Path: path, Also: true, OnlyExisting: true} }
	return []clients.Client{
		{
			ID: "continue", Name: "Continue", Format: clients.YAML, Key: []string{"mcpServers"}, Named: "name",
			Places: []clients.Place{only("~/.continue/mcpServers/*.yaml"), only("~/.continue/mcpServers/*.yml")},
		},
		{
			ID: "continue", Name: "Continue", Format: clients.JSONC, Key: []string{"mcpServers"},
			Places: []clients.Place{only("~/.continue/mcpServers/*.json")},
		},
		// Apps that are no longer made: their servers can be brought, but nothing is registered in them.
		{
			ID: "roo", Name: "Roo Code", Format: clients.JSONC, Key: []string{"mcpServers"},
			Places: []clients.Place{only("{code}/Code" + code), only("{code}/Cursor" + code)},
		},
		{
			ID: "amazonq", Name: "Amazon Q CLI", Format: clients.JSONC, Key: []string{"mcpServers"},
			Places: []clients.Place{only("~/.aws/amazonq/mcp.json")},
		},
	}
}

// IDs are the apps that can be imported from: those of the table, and some that are only read.
func IDs() []string {
	ids := clients.IDs()
	for _, c := range further() {
		if !slices.Contains(ids, c.ID) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// Name is what people call an app; its id when there is no such app.
func Name(id string) string {
	if c, ok := clients.ByID(id); ok {
		return c.Name
	}
	for _, c := range further() {
		if c.ID == id {
			return c.Name
		}
	}
	return id
}

// Present are the ids of the apps that have a file to read. No file is opened to tell.
func Present(system clients.System) []string {
	var ids []string
	for _, id := range IDs() {
		if len(sources(system, id)) > 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// source is one file of an app.
type source struct {
	id, name string
	app      clients.Client // as it is found in a table; of no app for a file that was named
	path     string
	format   clients.Format
	keys     [][]string // the first of these that is there leads to the entries
}

// sources are the files of an app that exist.
func sources(system clients.System, id string) []source {
	var found []source
	add := func(c clients.Client) {
		for _, file := range system.Locate(c).Files {
			known := slices.ContainsFunc(found, func(s source) bool { return s.path == file.Path })
			if file.Exists && !known {
				found = append(found, source{id, c.Name, c, file.Path, c.Format, [][]string{c.Key}})
			}
		}
	}
	if c, ok := clients.ByID(id); ok {
		add(c)
	}
	for _, c := range further() {
		if c.ID == id {
			add(c)
		}
	}
	return found
}

// allKeys are where any app may have its servers, for a file of which nobody knows who wrote it.
func allKeys() [][]string {
	return [][]string{{"mcpServers"}, {"mcp", "servers"}, {"servers"}, {"mcp_servers"}, {"context_servers"}, {"amp.mcpServers"}, {"extensions"}, {"mcp"}}
}
