package engines

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// commandPatience is the time limit for a command to an engine. Starting a server may include a download.
const commandPatience = 5 * time.Minute

// Engines sends the user's commands to the engines of the AI apps and to the own engine of Workbench Desktop. Methods
// without a context do not wait for the result: the state of the servers shows it.
type Engines struct {
	Hub   *ipc.Hub
	Local *Local

	failed func(error) // called with errors that the state of the servers does not show
	ctx    context.Context
	wg     background.Group
}

// New returns the engines of a hub. Commands end when the context is cancelled. failed is called on any goroutine,
// with errors that the state of the servers does not show.
func New(ctx context.Context, hub *ipc.Hub, local *Local, failed func(error)) *Engines {
	return &Engines{Hub: hub, Local: local, failed: failed, ctx: ctx}
}

// Wait waits until all commands have ended. Cancel the context first.
func (e *Engines) Wait() { e.wg.Wait() }

func (e *Engines) do(command func(ctx context.Context) error) {
	e.wg.Go(func() {
		ctx, cancel := context.WithTimeout(e.ctx, commandPatience)
		defer cancel()
		// The state of the servers shows that a server could not be started or that an engine has ended. It does not show
		// that an engine is of another version.
		if err := command(ctx); errors.Is(err, ipc.ErrOtherVersion) {
			e.failed(err)
		}
	})
}

// OwnEngine returns the ID of the own engine of Workbench Desktop.
func (e *Engines) OwnEngine() (ipc.EngineID, bool) {
	for _, engine := range e.Hub.Engines() {
		if engine.Own {
			return engine.ID, true
		}
	}
	return 0, false
}

// started reports whether an engine has started a server.
func started(server status.Server) bool {
	return server.State != status.NotStarted && server.State != status.Disabled
}

// held reports whether the user has stopped a server in an engine.
func held(server status.Server) bool { return server.State == status.NotStarted && server.Held }

// known reports whether an engine has information about a server, such as its log.
func known(server status.Server) bool { return started(server) || held(server) }

// engines returns the engines in reach whose server fits. Engines with another configuration are left out, since a
// server with the same name is another server there.
func (e *Engines) engines(now *model.Snapshot, at model.Choice, fits func(status.Server) bool) []ipc.EngineID {
	return enginesWith(now, at, fits, model.Engine.InReach)
}

// Logging returns the engines that have a log of a server. An engine that has stopped answering is included, because
// it may answer again.
func (e *Engines) Logging(now *model.Snapshot, at model.Choice) []ipc.EngineID {
	return enginesWith(now, at, known, func(engine model.Engine) bool { return !engine.Elsewhere })
}

func enginesWith(now *model.Snapshot, at model.Choice, fits func(status.Server) bool,
	wanted func(model.Engine) bool) []ipc.EngineID {
	var found []ipc.EngineID
	for _, engine := range now.Live.Engines {
		if !wanted(engine) {
			continue
		}
		for _, server := range engine.Servers {
			if server.Toolbox == at.Toolbox && server.Name == at.Server && fits(server) {
				found = append(found, engine.ID)
			}
		}
	}
	return found
}

// Restart restarts a server in all engines that have started it. If there are none, it is like Start.
func (e *Engines) Restart(now *model.Snapshot, at model.Choice) {
	engines := e.engines(now, at, started)
	if len(engines) == 0 {
		e.Start(now, at)
	}
	e.RestartIn(at, engines...)
}

// Start starts a server in the engines where the user has stopped it. If there are none, it starts it in the engine
// that OwnEngine returns.
func (e *Engines) Start(now *model.Snapshot, at model.Choice) {
	engines := e.engines(now, at, held)
	if own, ok := e.OwnEngine(); ok && len(engines) == 0 {
		engines = append(engines, own)
	}
	e.RestartIn(at, engines...)
}

// Stop stops a server in all engines that have started it. There it stays stopped until it is started again or its
// toolbox is opened again.
func (e *Engines) Stop(now *model.Snapshot, at model.Choice) {
	for _, engine := range e.engines(now, at, started) {
		e.do(func(ctx context.Context) error { return e.Hub.Stop(ctx, engine, at.Toolbox, at.Server) })
	}
}

// UsedBy counts the given servers that have been started by engines of AI apps. It returns that number and the names
// of these apps without duplicates.
func (e *Engines) UsedBy(now *model.Snapshot, servers []model.Choice) (used int, apps []string) {
	for _, at := range servers {
		found := false
		for _, engine := range now.Live.Engines {
			has := func(s status.Server) bool { return s.Toolbox == at.Toolbox && s.Name == at.Server && started(s) }
			if engine.Own || !engine.InReach() || !slices.ContainsFunc(engine.Servers, has) {
				continue
			}
			found = true
			if !slices.Contains(apps, engine.Client) {
				apps = append(apps, engine.Client)
			}
		}
		if found {
			used++
		}
	}
	return used, apps
}

// CloseToolboxIn closes a toolbox in one engine and waits for the result.
func (e *Engines) CloseToolboxIn(ctx context.Context, engine ipc.EngineID, toolbox string) error {
	ctx, cancel := context.WithTimeout(ctx, commandPatience)
	defer cancel()
	return e.Hub.CloseToolbox(ctx, engine, toolbox)
}

// RestartIn restarts a server in some engines.
func (e *Engines) RestartIn(at model.Choice, engines ...ipc.EngineID) {
	for _, engine := range engines {
		e.do(func(ctx context.Context) error { return e.Hub.Restart(ctx, engine, at.Toolbox, at.Server) })
	}
}
