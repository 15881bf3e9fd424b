package app

import (
	"path/filepath"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
)

// clientsScreen makes the screen of the AI apps.
func (d *controller) clientsScreen() frame.Screen {
	d.clients = clients.New(d.window.Window, d.apps.Actions())
	return &drawn[clients.View]{on: d.clients, view: d.apps.View, enter: d.apps.Find, drop: func(_ fyne.Position, uris []fyne.URI) {
		if d.options.Apps != nil && len(uris) > 0 {
			d.clients.BringFile(filepath.FromSlash(uris[0].Path()))
		}
	}}
}

// importAction goes to the apps; nil where there are none.
func (d *controller) importAction() func() {
	if d.options.Apps == nil {
		return nil
	}
	return func() { d.choose(placeClients) }
}
