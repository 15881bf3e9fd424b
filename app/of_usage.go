package app

import "github.com/workbench-mcp/workbench-desktop/app/usage"

// ofUsage carries out what the user does on the Usage screen.
type ofUsage struct{ *controller }

var _ usage.Program = ofUsage{}

func (p ofUsage) ShowUnused() {
	p.places.Choose(placeToolboxes)
	p.toolboxes.ShowUnused()
}

func (p ofUsage) ShowSettings() { p.places.Choose(placeSettings) }
