package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// ofActivity carries out what the user does on the screen of the calls.
type ofActivity struct{ *controller }

var _ activity.Program = ofActivity{}

func (p ofActivity) CloseToolbox(engine ipc.EngineID, toolbox string, done func(error)) {
	p.tasks.After(func() error { return p.engines.CloseToolboxIn(p.tasks.Context(), engine, toolbox) }, done)
}

func (p ofActivity) HasLogs() bool { return p.options.Logs != "" }

func (p ofActivity) ShowLog(engine model.Engine) {
	serverlog.ShowEngine(engine, p.window, p.tasks, p.options.Logs)
}

func (p ofActivity) Export(format activity.Format, calls []model.Call) {
	data, err := activity.Encode(format, calls)
	if err != nil {
		p.window.Fail(err)
		return
	}
	p.window.SaveAs("workbench-calls."+string(format), data)
}

func (p ofActivity) Copy(text string)            { p.window.Copy(text) }
func (p ofActivity) ShowChanges(at model.Choice) { p.fix(at) }
func (p ofActivity) ShowServer(at model.Choice)  { p.showServer(at) }
