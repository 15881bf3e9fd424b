// Package usage is the screen that shows how the toolboxes were used: calls by app and day, calls by server, how long
// calls take, which tools fail, how many tokens closed toolboxes saved, and which servers nobody uses.
//
// The screen shows a [View], which is a plain value. The widgets only draw it.
package usage

import (
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	kept "github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// View is what the screen shows. Nothing changes a View after it was passed to the screen.
type View struct {
	Report  *kept.Report   // nil until something was read
	Err     error          // why nothing can be shown; may be nil
	Servers []model.Choice // the servers that are switched on, in the order of the file
	Now     time.Time      // the time of the snapshot
}

// NewView returns the View for the state of the window.
func NewView(now *model.Model) View {
	view := View{Report: now.Usage.Report, Err: now.Usage.Err, Now: now.Time}
	if now.Good != nil {
		for _, toolbox := range now.Good.Config.Toolboxes {
			for _, server := range toolbox.Enabled() {
				view.Servers = append(view.Servers, model.Choice{Toolbox: toolbox.Name, Server: server.Name})
			}
		}
	}
	return view
}

// unused returns the servers that were not used in all the time for which calls are kept, [kept.Days].
func (v View) unused() []model.Choice {
	var unused []model.Choice
	for _, at := range v.Servers {
		if v.Report.LastUse(at.Toolbox, at.Server).Unused(v.Now) {
			unused = append(unused, at)
		}
	}
	return unused
}

// same reports whether both views look the same.
func (v View) same(other View) bool {
	return v.Report == other.Report && v.Err == other.Err && slices.Equal(v.Servers, other.Servers) &&
		v.Now.YearDay() == other.Now.YearDay()
}
