package app

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
)

// clientsScreen makes the screen of the AI apps.
func (c *controller) clientsScreen() frame.Screen {
	c.clients = clients.New(c.window.Window, c.apps.Actions())
	return &frame.Drawn[clients.View]{On: c.clients, View: c.apps.View, Deeds: frame.Deeds{OnEnter: c.apps.Find, OnDrop: func(_ fyne.Position, uris []fyne.URI) {
		if c.options.Apps != nil && len(uris) > 0 {
			c.clients.BringFile(filepath.FromSlash(uris[0].Path()))
		}
	}}}
}

// tryBrought tries servers that were brought in.
func (c *controller) tryBrought(brought imports.Plan) {
	var servers []model.Tried
	for _, trial := range model.TrialsOf(brought).List {
		servers = append(servers, trial.Tried)
	}
	c.adding.TryAll(brought.Toolbox, servers)
}

// importAction returns a function that shows the AI apps, or nil if there are none.
func (c *controller) importAction() func() {
	if c.options.Apps == nil {
		return nil
	}
	return func() { c.places.Choose(placeClients) }
}
