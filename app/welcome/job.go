package welcome

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// job connects apps for the second step. It implements [clients.Job].
type job struct{ *Service }

func (j job) Plan(id string, connect bool, done func(clients.Proposal, error)) {
	j.program.Plan(id, connect, done)
}

// Run connects an app. If the app would have servers twice and the user wants so, it also removes them from the app's
// file.
func (j job) Run(ctx context.Context, plan engine.Plan, wait bool, done func(setup.Moved, error)) {
	if j.Moves(plan.Client.ID) {
		// Only what was tried and works is removed.
		j.whenTried(func() {
			if ctx.Err() == nil {
				j.program.TakeOver(ctx, plan, j.steps.Bring.Came(), wait, done)
			}
		})
		return
	}
	j.program.Carry(ctx, plan, wait, func(err error) { done(setup.Moved{}, err) })
}

func (j job) Moves(id string) bool { return len(j.page().removals(j.page().app(id))) > 0 }

func (j job) Changed() { j.program.Changed() }

func (j job) Looked(id string, change *model.Change) {
	if p := j.page(); len(p.doubles(p.app(id))) > 0 {
		j.program.Preview(change.Plan, j.steps.Bring.Came(), func(preview setup.Preview) {
			change.Removing = preview
			j.program.Changed()
		})
	}
}

// Ended goes on to the last step, unless an app could not be connected.
func (j job) Ended() {
	if j.steps.Step == model.StepConnect && !j.steps.Connect.Failed() {
		j.goTo(model.StepDone)
	}
}
