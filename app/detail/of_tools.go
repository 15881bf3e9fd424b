package detail

import (
	"context"
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/tools"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// ofTools carries out what the user does on the Tools tab.
type ofTools struct{ *Detail }

var _ tools.Program = ofTools{}

func (t ofTools) Start(at model.Choice)                { t.options.Program.Start(at) }
func (t ofTools) Again(at model.Choice)                { t.options.Program.AskAgain(at) }
func (t ofTools) Fix(at model.Choice)                  { t.options.Program.Fix(at) }
func (t ofTools) Edit(ops []edit.Op, done func(error)) { t.options.Saver.Edit(ops, done) }
func (t ofTools) Copy(text string)                     { t.options.Window.Copy(text) }
func (t ofTools) Save(name string, data []byte)        { t.options.Window.SaveAs(name, data) }
func (t ofTools) Do(f func())                          { t.options.Tasks.Do(f) }
func (t ofTools) Decide(at model.Choice, changes []pin.Change, approved bool) {
	t.decide(at, changes, approved)
}

func (t ofTools) ShowLog(at model.Choice) {
	t.options.Program.Show(at)
	t.Open(model.TabLog)
}

// Run calls a tool in the app's own engine. If the server does not run there, the engine starts only this server.
func (t *Detail) Run(ctx context.Context, at model.Choice, tool string, arguments json.RawMessage,
	show func(done, total float64, message string), done func(json.RawMessage, error),
) {
	ctx, stop := t.options.Tasks.Join(ctx) // the call is cancelled when the app ends
	t.options.Tasks.Background(func() {
		defer stop()
		result, err := t.options.Engines.Call(ctx, toolbox.ToolID{Toolbox: at.Toolbox, Server: at.Server, Tool: tool},
			arguments, t.options.Tasks, show)
		t.options.Tasks.Do(func() { done(result, err) })
	})
}
