package toolbox

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// restartDrain is how long calls in flight may go on when their server is restarted, by the user or because its entry
// has changed. It is short, because a server is often restarted when it does not answer, and because the next calls
// wait.
const restartDrain = 2 * time.Second

// closeTimeout bounds the polite end of a server; afterwards it is killed.
const closeTimeout = 5 * time.Second

// ending cancels l and returns its stop function, which must be called before another link takes its place: it stops
// the predecessor of l, waits at most limit for the calls in flight, and ends l. The caller holds boxes.mu.
func (l *link) ending(limit time.Duration) func(context.Context) {
	earlier := l.attempt.before
	if !l.settled() {
		l.attempt.giveUp()
	} else if earlier != nil {
		return earlier // it never began, as when everything is paused
	}
	return func(ctx context.Context) {
		if earlier != nil {
			earlier(ctx)
		}
		drain(ctx, l, limit)
		endAll(ctx, []*link{l})
	}
}

// end stops the attempt or the session and returns when the server's processes are gone, also those of the one
// before. It reports whether a connected server was disconnected. It can be called several times.
func (l *link) end(ctx context.Context) bool {
	l.attempt.cancel()
	<-l.attempt.ready
	if l.attempt.before != nil { // and stays so: it never began
		l.attempt.before(ctx)
	}
	if l.session == nil {
		return false
	}
	was := l.connected()
	// The error of closing helps nobody here: the server is gone either way.
	_ = l.session.Close(ctx)
	if was {
		l.said.end.Do(func() { l.journal.say(words.New("toolbox.ended")) })
	}
	return was
}

// endAll ends links in parallel and counts those that were connected.
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

// drain returns when the calls in flight are answered, after the limit, or when ctx ends.
func drain(ctx context.Context, l *link, limit time.Duration) {
	pause.Until(ctx, l.calls.Wait, limit) // the wait ends with the calls, and they with the session, which is closed next
}

// each calls f for links and their indexes, side by side, and returns when all calls have.
func each(links []*link, f func(i int, l *link)) {
	var wg background.Group
	for i, l := range links {
		wg.Go(func() { f(i, l) })
	}
	wg.Wait()
}
