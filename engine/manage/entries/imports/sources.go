package imports

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// IDs returns the ids of the apps that servers can be imported from: those in the table, and the retired
// ones.
func IDs() []string {
	ids := client.IDs()
	for _, c := range client.Retired() {
		ids = append(ids, c.ID)
	}
	return ids
}

// find returns an app that servers can be imported from.
func find(id string) (clients.Client, bool) {
	for _, c := range client.Retired() {
		if c.ID == id {
			return clients.Client{Client: c}, true
		}
	}
	return clients.ByID(id)
}

// Name returns the name of an app for people, or the id if it is unknown.
func Name(id string) string {
	if c, ok := find(id); ok {
		return c.Name
	}
	return id
}

// Present returns the ids of the apps that have a file to read. It opens no file.
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
	app      clients.Client // from the table; no app for a file that the user named
	path     string
	format   client.Format
	keys     [][]string // the first of these paths that exists has the entries
}

// sources returns the existing files of an app.
func sources(system clients.System, id string) []source {
	var found []source
	add := func(c clients.Client) {
		for _, file := range system.Locate(c).Files {
			known := slices.ContainsFunc(found, func(s source) bool { return s.path == file.Path })
			if file.Exists && !known {
				found = append(found, source{id, c.Name, c, file.Path, c.Format, c.Keys()})
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
