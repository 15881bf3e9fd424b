package engines

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Try starts a server in the app's own engine, reports its states, and returns its state when it is connected or has
// failed. Try first waits until the engine is connected to the hub, which takes a moment when the app starts.
func (e *Engines) Try(ctx context.Context, toolbox, server string, report func(status.Server)) status.Server {
	engine, _ := e.awaitOwn(ctx)
	changed, cancel := e.Local.Manager.Subscribe()
	defer cancel()
	ended := make(chan error, 1)
	background.Go(func() {
		ended <- background.Catch(func() error { return e.Hub.Restart(ctx, engine, toolbox, server) })
	})
	for {
		select {
		case <-changed:
			report(e.own(toolbox, server))
		case err := <-ended:
			now := e.own(toolbox, server)
			if err != nil && now.Problem == nil {
				now.State, now.Since = status.Failed, time.Now()
				now.Problem = &status.Problem{Kind: status.KindOther, Message: words.Of(err)}
			}
			return now
		}
	}
}

// awaitOwn waits for the app's own engine.
func (e *Engines) awaitOwn(ctx context.Context) (ipc.EngineID, bool) {
	changed, cancel := e.Hub.Subscribe()
	defer cancel()
	for {
		if engine, ok := e.OwnEngine(); ok {
			return engine, true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, false
		}
	}
}

// own returns the state of a server in the app's own engine.
func (e *Engines) own(toolbox, server string) status.Server {
	for _, now := range e.Local.Manager.Status().Servers {
		if now.Toolbox == toolbox && now.Name == server {
			return now
		}
	}
	return status.Server{Toolbox: toolbox, Name: server, State: status.NotStarted}
}

// Call calls a tool of a server in the app's own engine. It starts the server there if the server is not running. It
// calls show with the progress on the goroutine of the window, no more often than that goroutine can handle.
func (e *Engines) Call(ctx context.Context, id toolbox.ToolID, arguments json.RawMessage, tasks *task.Tasks,
	show func(done, total float64, message string)) (json.RawMessage, error) {
	switch e.own(id.Toolbox, id.Server).State {
	case status.Connected, status.Starting:
	default:
		engine, ok := e.OwnEngine()
		if !ok {
			return nil, errors.New(lang.L("Workbench is still starting. Try again in a moment."))
		}
		if err := e.Hub.Restart(ctx, engine, id.Toolbox, id.Server); err != nil {
			return nil, err
		}
	}
	told := &progress{tasks: tasks, show: show}
	return e.Local.call(ctx, id, arguments, told.tell)
}
