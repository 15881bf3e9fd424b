// Package trying tries servers once they are in a toolbox: a few at a time, with texts that say how it went.
package trying

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Program starts servers and shows how it goes. Its methods are called on the goroutine of the window, must not block,
// and call the functions that they get on that goroutine, too.
type Program interface {
	// Try starts a server and reports its progress. It calls done once: when the server is connected, or when it has
	// failed. If the context is cancelled, Try gives up and need not call done.
	Try(ctx context.Context, toolbox, server string, report, done func(status.Server))

	// Changed is called after a trial has begun, made progress or ended.
	Changed(trial *model.Trial)
}

// AtOnce is the most servers that are tried at the same time. Many servers download something when they start for the
// first time.
const AtOnce = 4

// Runner tries the servers of Trials. Call its methods on the goroutine of the window.
type Runner struct {
	Program Program

	ctx     context.Context // ends all trials
	trials  *model.Trials
	cancels map[*model.Trial]context.CancelFunc // of the trials that run
}

// NewRunner returns a Runner. Its trials begin with [Runner.Next], and are given up when the context ends.
func NewRunner(ctx context.Context, trials *model.Trials, program Program) *Runner {
	return &Runner{Program: program, ctx: ctx, trials: trials, cancels: map[*model.Trial]context.CancelFunc{}}
}

// Next begins trials that wait, as long as no more than AtOnce run.
func (r *Runner) Next() {
	for _, trial := range r.trials.Next(AtOnce) {
		r.begin(trial)
	}
}

func (r *Runner) begin(trial *model.Trial) {
	ctx, cancel := context.WithCancel(r.ctx)
	r.cancels[trial] = cancel
	trial.Begun, trial.Stopped, trial.Tools = true, false, nil
	trial.Now = status.Server{State: status.Starting}
	r.Program.Changed(trial)
	r.Program.Try(ctx, r.trials.Toolbox, trial.Name, func(now status.Server) {
		if ctx.Err() == nil {
			trial.Now = now
			r.Program.Changed(trial)
		}
	}, func(now status.Server) {
		if ctx.Err() == nil {
			r.end(trial, now)
		}
	})
}

// end ends a trial with the last state of its server.
func (r *Runner) end(trial *model.Trial, now status.Server) {
	r.cancel(trial)
	trial.Now, trial.Ended = now, true
	r.trials.Note(trial)
	r.Next()
	r.Program.Changed(trial)
}

func (r *Runner) cancel(trial *model.Trial) {
	if cancel := r.cancels[trial]; cancel != nil {
		cancel()
		delete(r.cancels, trial)
	}
}

// Again repeats a trial that has ended.
func (r *Runner) Again(trial *model.Trial) {
	if trial.Ended && !trial.Disabled {
		trial.Begun, trial.Ended, trial.Stopped = false, false, false
		r.Program.Changed(trial)
		r.Next()
	}
}

// GiveUp stops a trial because the user asks for it.
func (r *Runner) GiveUp(trial *model.Trial) {
	trial.Stopped = true
	r.end(trial, status.Server{})
}

// Stop ends all trials. Nothing is reported from then on.
func (r *Runner) Stop() {
	for trial := range r.cancels {
		r.cancel(trial)
	}
}
