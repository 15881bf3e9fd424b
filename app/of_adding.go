package app

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// ofAdding does for the dialog that adds servers what lies outside of it.
type ofAdding struct{ *controller }

var _ add.App = ofAdding{}

func (p ofAdding) Begin() {
	p.detail.Editor.Commit()
	p.places.Choose(placeToolboxes)
}

func (p ofAdding) Select(at model.Choice)   { p.toolboxes.Select(at) }
func (p ofAdding) Here() share.Surroundings { return p.options.shareable() }

func (p ofAdding) LookPath(server config.Server, done func(string, error)) { p.lookPath(server, done) }

func (p ofAdding) Get(id string, importance widget.Importance, changed func(bool)) fyne.CanvasObject {
	return p.runtimes.Control(id, importance, changed)
}

func (p ofAdding) ShowField(at model.Choice, field string) { p.showField(at, field) }
func (p ofAdding) ShowLog(at model.Choice)                 { p.showTab(at, model.TabLog) }

// SignIn begins a sign-in, or shows the settings of a server to which the user cannot sign in.
func (p ofAdding) SignIn(at model.Choice) {
	if !p.signing.Begin(at) {
		p.showTab(at, model.TabSetup)
	}
}

// toolsPatience is how long the tools of a server that was added are waited for.
const toolsPatience = 10 * time.Second

func (p ofAdding) Tools(at model.Choice, done func([]status.Tool)) {
	p.tasks.Background(func() {
		ctx, cancel := context.WithTimeout(p.tasks.Context(), toolsPatience)
		defer cancel()
		engine, ok := p.engines.OwnEngine()
		if !ok {
			return
		}
		tools, err := p.engines.Hub.Tools(ctx, engine, at.Toolbox, at.Server)
		if err == nil {
			p.tasks.Do(func() { done(tools) })
		}
	})
}

func (p ofAdding) TryTool(at model.Choice, tool string) {
	p.showTab(at, model.TabTools)
	p.detail.Tools.Try(tool)
}

func (p ofAdding) Added(at model.Choice) {
	p.showServer(at)
	p.toolboxes.Focus()
}
