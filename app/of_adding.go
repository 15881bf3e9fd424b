package app

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// ofAdding carries out what the user does with a server that was just added.
type ofAdding struct{ *controller }

var _ add.Program = ofAdding{}

func (p ofAdding) ShowField(at model.Choice, field string) { p.showField(at, field) }
func (p ofAdding) ShowLog(at model.Choice)                 { p.showTab(at, editor.TabLog) }

// SignIn begins a sign-in, or shows the settings of a server to which the user cannot sign in.
func (p ofAdding) SignIn(at model.Choice) {
	if !p.signing.Begin(at) {
		p.showTab(at, editor.TabSetup)
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
	p.showTab(at, editor.TabTools)
	p.detail.Tools.Try(tool)
}

func (p ofAdding) Added(at model.Choice) {
	p.showServer(at)
	p.toolboxes.Focus()
}
