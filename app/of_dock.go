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

// sessionEnd ends the app when the system has no time left for the usual way. Use it only on the goroutine of the
// window.
type sessionEnd struct{ do func() }

func (e *sessionEnd) set(do func()) { e.do = do }

// run ends everything that the app has started. Before the app is complete, there is nothing to end.
func (e *sessionEnd) run() {
	if e.do != nil {
		e.do()
	}
}
