package toolbox

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
)

// restartDrain is how long calls in flight may continue when their server is restarted. It is short, because a server
// is often restarted when it does not answer, and because the next calls wait.
const restartDrain = 2 * time.Second

// closeTimeout is how long servers may take to exit when they are ended, before they are killed.
const closeTimeout = 5 * time.Second

// ending gives up the attempt of l and returns a function that ends l: it waits at most limit for the calls in flight.
// The function first ends the predecessor of l, if that still runs. It must be called before another link is connected
// for the server. The caller holds boxes.mu.
func (l *link) ending(limit time.Duration) func(context.Context) {
	earlier := l.attempt.before
	if !l.settled() {
		l.attempt.giveUp()
	} else if earlier != nil {
		return earlier // the attempt never began, for example because of a pause
	}
	return func(ctx context.Context) {
		if earlier != nil {
			earlier(ctx)
		}
		drain(ctx, l, limit)
		endAll(ctx, []*link{l})
	}
}

// end ends the attempt or the session. It returns when the processes of the server and of its predecessor have ended,
// and reports whether the server was connected. It can be called several times.
func (l *link) end(ctx context.Context) bool {
	l.attempt.cancel()
	<-l.attempt.ready
	if l.attempt.before != nil { // the attempt never began
		l.attempt.before(ctx)
	}
	if l.session == nil {
		return false
	}
	was := l.connected()
	// There is nothing to do about an error: the processes have ended in any case.
	_ = l.session.Close(ctx)
	if was {
		l.said.end.Do(l.sayEnded)
	}
	return was
}

// endAll ends links in parallel and returns how many of them were connected.
func endAll(ctx context.Context, links []*link) int {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	ended := make([]bool, len(links))
	var wg background.Group
	for i, l := range links {
		wg.Go(func() { ended[i] = l.end(ctx) })
	}
	wg.Wait()
	n := 0
	for _, connected := range ended {
		if connected {
			n++
		}
	}
	return n
}

// drain waits for the calls in flight. It waits at most limit, and returns when ctx ends.
func drain(ctx context.Context, l *link, limit time.Duration) {
	pause.Until(ctx, l.calls.Wait, limit) // calls.Wait returns at the latest when the session is closed, which is next
}

// each calls f for all links in parallel, and returns when all calls have returned.
func each(links []*link, f func(i int, l *link)) {
	var wg background.Group
	for i, l := range links {
		wg.Go(func() { f(i, l) })
	}
	wg.Wait()
}
