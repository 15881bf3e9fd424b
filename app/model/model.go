// Package model is the state of the window: what the configuration file and the engines say, and all else that the screens show.
// It consists of values and draws nothing: it does not know Fyne.
package model

import "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"

// Model is the one state of the window. It belongs to the goroutine of the window. Who changes what stands at each part; a change is
// followed by the drawing of what is shown.
type Model struct {
	*Snapshot // by the app, as the aggregator hands it over

	Apps  Apps  // by the search for AI apps
	Login Login // by the switch of the start at login
}

// Apps is what is known of the AI apps on this computer.
type Apps struct {
	Known    bool
	Statuses []clients.Status
	Sources  []string // the IDs of those that have servers to bring in
	Problem  string   // why they cannot be connected
	Note     string   // that is to be known although all works
}

// Login is whether the app starts at login.
type Login struct {
	Known bool // it can be told and changed here
	On    bool
	Note  string // why it cannot
}
