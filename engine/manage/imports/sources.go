package imports

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
)

// IDs returns the apps that servers can be brought from: those of the table, and the retired ones.
func IDs() []string {
	ids := client.IDs()
	for _, c := range client.Retired() {
		ids = append(ids, c.ID)
	}
	return ids
}

// find finds an app that servers can be brought from.
func find(id string) (clients.Client, bool) {
	for _, c := range client.Retired() {
		if c.ID == id {
			return clients.Client{Client: c}, true
		}
	}
	return clients.ByID(id)
}

// Name returns what people call an app; its id when there is no such app.
func Name(id string) string {
	if c, ok := find(id); ok {
		return c.Name
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
	format   client.Format
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
	if c, ok := find(id); ok {
		for _, form := range c.Forms() {
			add(form)
		}
	}
	return found
}

// allKeys are where any app may have its servers, for a file of which nobody knows who wrote it.
func allKeys() [][]string {
	return [][]string{{"mcpServers"}, {"mcp", "servers"}, {"servers"}, {"mcp_servers"}, {"context_servers"}, {"amp.mcpServers"}, {"extensions"}, {"mcp"}}
}
