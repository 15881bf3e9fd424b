package clients

import (
	"context"
	"errors"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// Job is what a [Runner] does. Its methods are called on the goroutine of the window.
type Job interface {
	// Plan is that of [Actions].
	Plan(id string, connect bool, done func(Proposal, error))

	// Run carries out a plan. If wait is set, it first waits until the user quits the app.
	Run(ctx context.Context, plan engine.Plan, wait bool, done func(setup.Moved, error))

	// Moves reports whether Run also changes the servers in the file of an app.
	Moves(id string) bool

	Changed()                               // called after each change of State except by GiveUp
	Looked(id string, change *model.Change) // called when Show has found a plan
	Ended()                                 // called after Changed when no app is left
}

// Runner connects or disconnects AI apps, one after the other. The welcome screen and the screen of AI apps use it. It
// keeps the progress in State. Call its methods only on the goroutine of the window.
type Runner struct {
	State *model.Connecting
	Job   Job

	ctx  context.Context    // ends when the user gives up or all apps are done; later results are ignored
	stop context.CancelFunc // ends ctx; nil before Start
}

// Start connects or disconnects the given apps, until ctx ends. It first cancels what is in progress.
func (r *Runner) Start(ctx context.Context, ids []string) {
	r.GiveUp()
	r.ctx, r.stop = context.WithCancel(ctx)
	for _, id := range ids {
		r.State.Queue = append(r.State.Queue, id)
		r.State.Runs[id] = &model.Run{State: model.RunWaits}
	}
	r.next()
}

// GiveUp cancels what is in progress, and empties the queue.
func (r *Runner) GiveUp() {
	if r.stop != nil {
		r.stop()
	}
	r.State.Forget()
}

// next handles the next app of the queue. Apps that the user must quit first go to the end of the queue, so that the
// others need not wait.
func (r *Runner) next() {
	c := r.State
	if len(c.Queue) == 0 {
		r.GiveUp()
		r.Job.Changed()
		r.Job.Ended()
		return
	}
	id := c.Queue[0]
	c.Queue, c.Now = c.Queue[1:], id
	c.Runs[id].State = model.RunWorks
	ctx := r.ctx
	r.Job.Changed()
	then := func(found Proposal, err error) {
		waits := found.Running && (found.Plan.Changed() || r.Job.Moves(id))
		switch {
		case ctx.Err() != nil:
		case err != nil:
			r.finish(id, err)
		case waits && c.OthersWait():
			c.Runs[id].State, c.Runs[id].Deferred = model.RunWaits, true
			c.Queue = append(c.Queue, id)
			r.next()
		default:
			if waits {
				c.Runs[id].State = model.RunQuitting
			}
			r.carry(id, found.Plan, waits)
		}
	}
	shown := c.Shown[id]
	// carry out the plan that the user has seen
	if delete(c.Shown, id); shown != nil && !shown.Looking && shown.Problem == "" {
		then(shown.Proposal, nil)
		return
	}
	r.Job.Plan(id, !c.Leaving, then)
}

// carry carries out the plan for an app.
func (r *Runner) carry(id string, plan engine.Plan, wait bool) {
	ctx := r.ctx
	r.Job.Changed()
	r.Job.Run(ctx, plan, wait, func(moved setup.Moved, err error) {
		if ctx.Err() != nil {
			return
		}
		var running *engine.RunningError
		if errors.As(err, &running) && !wait { // the app was started meanwhile
			r.State.Queue = append([]string{id}, r.State.Queue...)
			r.next()
			return
		}
		r.State.Runs[id].Moved = moved
		r.finish(id, err)
	})
}

// finish stores the result for an app and goes on with the next.
func (r *Runner) finish(id string, err error) {
	run := r.State.Runs[id]
	run.State, run.Problem = model.RunDone, ""
	if err != nil {
		run.State, run.Problem = model.RunFailed, kit.ErrorSentence(err)
	}
	r.next()
}

// Show shows how the file of an app would change, or hides the change if it is shown. It reads the file only when it
// shows the change.
func (r *Runner) Show(id string) {
	if r.State.Shown[id] != nil {
		delete(r.State.Shown, id)
		r.Job.Changed()
		return
	}
	now := &model.Change{Looking: true}
	r.State.Shown[id] = now
	r.Job.Changed()
	r.Job.Plan(id, !r.State.Leaving, func(found Proposal, err error) {
		now.Looking, now.Proposal = false, found
		if err != nil {
			now.Problem = kit.ErrorSentence(err)
		}
		r.Job.Changed()
		if err == nil {
			r.Job.Looked(id, now)
		}
	})
}
