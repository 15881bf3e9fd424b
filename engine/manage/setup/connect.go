package setup

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Waiting says what to do about a client that must be quit first: nil gives up with the [clients.RunningError], else that is told and
// the client is waited for.
type Waiting func(reason *clients.RunningError)

// Quietly waits without telling anybody.
func Quietly(*clients.RunningError) {}

// Plan returns what connecting a client would do to its file, or disconnecting it.
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

// Quit makes sure that a client does not run that would undo a change. waited reports that it had been running.
func (s *Setup) Quit(ctx context.Context, c clients.Client, waiting Waiting) (waited bool, err error) {
	err = s.Registrar.CheckRunning(c)
	var running *clients.RunningError
	if waiting == nil || !errors.As(err, &running) {
		return false, err
	}
	waiting(running)
	return true, s.Registrar.WaitUntilQuit(ctx, c)
}

// Ready makes sure that the client of a plan has been quit where it is waited for, and returns the plan as it is then: a client writes its
// file when it ends. Where it is not waited for, [Setup.Apply] looks whether it runs.
func (s *Setup) Ready(ctx context.Context, plan clients.Plan, waiting Waiting) (clients.Plan, error) {
	if waiting == nil {
		return plan, nil
	}
	if _, err := s.Quit(ctx, plan.Client, waiting); err != nil {
		return plan, err
	}
	return s.Plan(plan.Client.ID, plan.Connect)
}

// MakeConfiguration writes an empty configuration where there is none, and reports whether it did. Clients start us with the name of the
// file, and an engine whose file was named and is missing ends at once.
func (s *Setup) MakeConfiguration() (made bool, err error) {
	if _, err := os.Stat(s.Location.Path); !errors.Is(err, fs.ErrNotExist) {
		return false, nil // what is wrong with it, the engine says
	}
	err = atomicfile.Replace(s.Location.Path, []byte(config.Empty), nil)
	switch {
	case errors.Is(err, atomicfile.ErrChanged): // somebody else has made it
		return false, nil
	case err != nil:
		return false, words.NewError("setup.no_configuration", "File", s.Location.Path, "Why", err)
	}
	return true, nil
}

// Apply does what was planned; connecting, it makes a configuration where there is none. With settle it looks after a moment whether a client that writes its file from memory has left our entry
// there. When ctx ends meanwhile the error is that of ctx, and the client is connected.
func (s *Setup) Apply(ctx context.Context, plan clients.Plan, settle bool) error {
	if plan.Connect {
		if _, err := s.MakeConfiguration(); err != nil {
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

// Carry is [Setup.Ready] and then [Setup.Apply], which settles where the client was waited for.
func (s *Setup) Carry(ctx context.Context, plan clients.Plan, waiting Waiting) error {
	plan, err := s.Ready(ctx, plan, waiting)
	if err = errors.Join(err, ctx.Err()); err != nil {
		return err
	}
	return s.Apply(ctx, plan, waiting != nil)
}
