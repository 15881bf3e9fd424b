// Package background starts goroutines in which a panic does not end the program: it is logged with [slog.Default],
// and ends only the goroutine. All other packages of the engine, the window and the commands start goroutines with it.
//
// A goroutine must report its result after a panic, too: it closes a channel in a deferred call, or sends the error of
// [Catch].
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

// ErrPanic is the error of a function that has panicked.
const ErrPanic = words.Code("background.panicked")

// Go runs work in a goroutine.
func Go(work func()) { go contained(work) }

// After is [time.AfterFunc].
func After(length time.Duration, work func()) *time.Timer {
	return time.AfterFunc(length, func() { contained(work) })
}

// AfterEnd is [context.AfterFunc].
func AfterEnd(ctx context.Context, work func()) (stop func() bool) {
	return context.AfterFunc(ctx, func() { contained(work) })
}

// Group is a [sync.WaitGroup] in whose goroutines a panic does not end the program.
type Group struct{ sync.WaitGroup }

// Go runs work in a goroutine of the group.
func (g *Group) Go(work func()) { g.WaitGroup.Go(func() { contained(work) }) }

// Catch calls work and returns its error. A panic is logged, and the error is then [ErrPanic].
func Catch(work func() error) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			say(problem)
			err = words.NewError(ErrPanic, "Why", fmt.Sprint(problem))
		}
	}()
	return work()
}

// restPause is the pause of [Keep] after a panic.
const restPause = time.Second

// Keep calls work, which is expected to run as long as the program. If it panics, Keep calls it again after a pause,
// until work returns or ctx ends.
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
