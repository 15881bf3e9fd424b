package model

import "github.com/workbench-mcp/workbench-desktop/engine/status"

// Can are the actions that make sense for a server now.
type Can struct {
	Start, Restart, Stop, Log bool
	Fix                       bool // something helps the server; set by [Finding.Can]
}

// Can returns the actions that make sense. The window, the tray and the menus all ask here.
func (s Server) Can() Can {
	switch s.State {
	case status.Starting:
		return Can{Stop: true, Log: true}
	case status.Connected:
		return Can{Restart: true, Stop: true, Log: true}
	case status.Failed:
		return Can{Restart: true, Log: true}
	case status.Stopped: // the engine will try again by itself
		return Can{Restart: true, Stop: true, Log: true}
	case status.SignIn, status.NeedsApproval:
		return Can{Log: true}
	case status.Disabled:
		return Can{}
	}
	return Can{Start: !s.Paused && !s.Changed}
}
