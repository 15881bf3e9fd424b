package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/dock"
	"github.com/workbench-mcp/workbench-desktop/app/requests"
)

// ofDock does what macOS asks of the program, also before there is a controller.
type ofDock struct {
	*requests.Requests
	over *sessionEnd
}

var _ dock.Requests = ofDock{}

func (p ofDock) Reopen() { p.Show() }
func (p ofDock) End()    { p.over.run() }
