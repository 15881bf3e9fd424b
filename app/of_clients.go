package app

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// ofClients does what connecting AI apps and bringing in their servers needs of the rest of the app.
type ofClients struct{ *controller }

var _ clients.Program = ofClients{}

func (p ofClients) Redraw()                     { p.redraw() }
func (p ofClients) Hidden() bool                { return !p.visible.Load() }
func (p ofClients) Notify(notice notify.Notice) { p.tell(notice) }
func (p ofClients) Shown() bool                 { return p.places.At() == placeClients }
func (p ofClients) Show()                       { p.places.Choose(placeClients) }

func (p ofClients) TryAll(brought imports.Plan) {
	var servers []model.Tried
	for _, trial := range model.TrialsOf(brought).List {
		servers = append(servers, trial.Tried)
	}
	p.adding.TryAll(brought.Toolbox, servers)
}

func (p ofClients) TryOne(ctx context.Context, toolbox, server string, report, done func(status.Server)) {
	p.adding.Try(ctx, toolbox, server, report, done)
}
