// Package background starts goroutines. No other package of the engine, the window and the commands does, so that
// a panic in one of them never ends the program: it is logged with [slog.Default], and ends only its own work.
//
// Whoever waits for the result of such work must get one after a panic too. So a channel is closed by a deferred
// call, or receives what [Catch] returns.
package background

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrPanic is the error of work that has panicked.
const ErrPanic = words.Code("background.panicked")

// Go runs work on a goroutine of its own.
func Go(work func()) { go contained(work) }

// After is [time.AfterFunc]: it runs work on a goroutine of its own after a time.
func After(length time.Duration, work func()) *time.Timer {
	return time.AfterFunc(length, func() { contained(work) })
}

// AfterEnd is [context.AfterFunc]: it runs work on a goroutine of its own after the end of ctx.
func AfterEnd(ctx context.Context, work func()) (stop func() bool) {
	return context.AfterFunc(ctx, func() { contained(work) })
}

// Group is a [sync.WaitGroup] whose goroutines do not end the program.
type Group struct{ sync.WaitGroup }

// Go runs work on a goroutine of the group.
func (g *Group) Go(work func()) { g.WaitGroup.Go(func() { contained(work) }) }

// Catch calls work. If it panics, that is logged, and the error is [ErrPanic].
func Catch(work func() error) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			say(problem)
			err = words.NewError(ErrPanic, "Why", fmt.Sprint(problem))
		}
	}()
	return work()
}

// restPause is how long [Keep] waits before it begins again.
const restPause = time.Second

// Keep calls work, and again after a moment if it has panicked, until it returns or ctx ends. It is for work that
// lasts as long as the program, such as following a file.
func Keep(ctx context.Context, work func()) {
	for contained(work) && ctx.Err() == nil {
		select {
		case <-time.After(restPause):
		case <-ctx.Done():
		}
	}
}

// contained calls work and reports whether it has panicked.
func contained(work func()) (panicked bool) {
	defer func() {
		if problem := recover(); problem != nil {
			say(problem)
			panicked = true
		}
	}()
	work()
	return false
}

// say logs a panic. It must be called by the deferred function that has recovered it.
func say(problem any) {
	slog.Error("Something in the background panicked; this is a bug in Workbench", "panic", problem, "stack",
		string(debug.Stack()))
}
