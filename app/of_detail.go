package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/detail"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// ofDetail carries out what the user does with the server that is shown.
type ofDetail struct{ *controller }

var _ detail.Program = ofDetail{}

func (p ofDetail) Show(at model.Choice)           { p.showServer(at) }
func (p ofDetail) OpenFile()                      { p.showFile() }
func (p ofDetail) Start(at model.Choice)          { p.start(at) }
func (p ofDetail) Restart(at model.Choice)        { p.restart(at) }
func (p ofDetail) Stop(at model.Choice)           { p.stopServer(at) }
func (p ofDetail) Fix(at model.Choice)            { p.fix(at) }
func (p ofDetail) AskAgain(at model.Choice)       { p.aggregator.AskAgain(at) }
func (p ofDetail) Env(name string) (string, bool) { return p.options.Lookup.Env(name) }

func (p ofDetail) ShowSetup(at model.Choice) { p.showTab(at, model.TabSetup) }

func (p ofDetail) Trying() bool {
	return p.places.At() == placeToolboxes && p.detail.Shows(model.TabTools)
}

func (p ofDetail) LookPath(server config.Server, done func(string, error)) { p.lookPath(server, done) }
