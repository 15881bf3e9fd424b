package setup

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Waiting is called when a client must be quit before its file can be changed. It tells the user, and the
// client is then waited for. If it is nil, nothing waits and the [clients.RunningError] is returned.
type Waiting func(reason *clients.RunningError)

// Quietly is a [Waiting] that tells nobody.
func Quietly(*clients.RunningError) {}

// Plan returns the changes that connecting a client, or disconnecting it, makes to its file.
func (s *Setup) Plan(id string, connect bool) (clients.Plan, error) {
	c, err := Client(id)
	if err != nil {
		return clients.Plan{}, err
	}
	if !connect {
		return s.Registrar.PlanDisconnect(c)
	}
	launch, err := s.Launch()
	if err != nil {
		return clients.Plan{}, err
	}
	return s.Registrar.PlanConnect(c, launch)
}

// Quit waits until a client that would undo a change is not running. waited reports whether it had been
// running.
func (s *Setup) Quit(ctx context.Context, c clients.Client, waiting Waiting) (waited bool, err error) {
	err = s.Registrar.CheckRunning(c)
	var running *clients.RunningError
	if waiting == nil || !errors.As(err, &running) {
		return false, err
	}
	waiting(running)
	return true, s.Registrar.WaitUntilQuit(ctx, c)
}

// Ready waits until the client of a plan has been quit and returns a new plan, since a client writes its file
// when it ends. If waiting is nil, it returns the plan unchanged, and [Setup.Apply] checks whether the client
// is running.
func (s *Setup) Ready(ctx context.Context, plan clients.Plan, waiting Waiting) (clients.Plan, error) {
	if waiting == nil {
		return plan, nil
	}
	if _, err := s.Quit(ctx, plan.Client, waiting); err != nil {
		return plan, err
	}
	return s.Plan(plan.Client.ID, plan.Connect)
}

// MakeConfiguration writes an empty configuration if there is none, and reports whether it did. Clients start
// Workbench with the name of the file, and an engine ends at once if a file that was named is missing.
func (s *Setup) MakeConfiguration(ctx context.Context) (made bool, err error) {
	if _, err := os.Stat(s.Location.Path); !errors.Is(err, fs.ErrNotExist) {
		return false, nil // if the file is broken, the engine reports it
	}
	file, err := store.Open(store.Options{Location: config.Location{Path: s.Location.Path}, HistoryDir: s.History,
		Author: s.Author})
	if err == nil {
		made, err = file.Make(ctx)
	}
	if err != nil {
		return false, words.NewError("setup.no_configuration", "File", s.Location.Path, "Why", err)
	}
	return made, nil
}

// Apply carries out a plan. A plan to connect also makes a configuration if there is none. If settle is set,
// Apply waits a moment and then checks that a client which keeps its file in memory has not removed our
// entry. If ctx ends during that wait, the error is that of ctx, and the client is connected.
func (s *Setup) Apply(ctx context.Context, plan clients.Plan, settle bool) error {
	if plan.Connect {
		if _, err := s.MakeConfiguration(ctx); err != nil {
			return err
		}
	}
	if err := s.Registrar.Apply(ctx, plan); err != nil {
		return err
	}
	if !settle || !plan.Connect || len(plan.Runs) > 0 || plan.Client.Rewriting != client.FromMemory {
		return nil
	}
	if s.settling != nil {
		s.settling()
	}
	if !pause.For(ctx, s.Settled) {
		return ctx.Err()
	}
	lost, err := s.Registrar.StillThere(plan)
	if lost != "" {
		return words.NewError("setup.taken_out", "File", lost, "Client", plan.Client.Name)
	}
	return err
}

// Carry calls [Setup.Ready] and then [Setup.Apply], with settle if the client was waited for.
func (s *Setup) Carry(ctx context.Context, plan clients.Plan, waiting Waiting) error {
	plan, err := s.Ready(ctx, plan, waiting)
	if err = errors.Join(err, ctx.Err()); err != nil {
		return err
	}
	return s.Apply(ctx, plan, waiting != nil)
}
