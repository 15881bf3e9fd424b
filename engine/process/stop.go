package process

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// killTime is how long a killed process may take to disappear. Only a process that hangs inside the operating
// system takes longer than a moment.
const killTime = 10 * time.Second

// Stop ends the process and its group: it closes stdin, waits for the process to exit, sends SIGTERM, waits
// again, and kills. When ctx ends, it kills at once. Stop returns when everything is gone, or with an error
// if something could not be killed. It may be called several times and from several goroutines.
func (p *Process) Stop(ctx context.Context) error {
	// On Windows, closing waits for a running write, which may be waiting for the process.
	background.Go(func() { _ = p.stdin.Close() })
	for _, step := range []struct {
		grace time.Duration
		then  func()
	}{
		{orDefault(p.spec.StdinGrace, DefaultStdinGrace), func() { p.signal(p.group.terminate, "terminate") }},
		{orDefault(p.spec.TermGrace, DefaultTermGrace), func() { p.signal(p.group.kill, "kill") }},
	} {
		if !p.wait(ctx, step.grace) {
			step.then()
		}
	}
	// The leader is gone or about to be, and supervise ends the other processes.
	limit := time.NewTimer(orDefault(p.spec.TermGrace, DefaultTermGrace) + killTime)
	defer limit.Stop()
	ended := ctx.Done()
	for {
		select {
		case <-p.done:
			return nil
		case <-ended:
			p.kill()
			ended = nil
		case <-limit.C:
			return words.NewError("process.not_killed", "Pid", p.Pid(), "Time", killTime)
		}
	}
}

// wait reports whether the leader ended within the grace. If ctx ends first, everything is killed.
func (p *Process) wait(ctx context.Context, grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	case <-ctx.Done():
		p.kill()
		return true
	}
}

// kill kills the group now, and again when the leader has ended.
func (p *Process) kill() {
	p.killing.Do(func() { close(p.killNow) })
	p.signal(p.group.kill, "kill")
}

// signal calls act, unless the group's number may belong to other processes by now.
func (p *Process) signal(act func() error, what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return
	}
	p.log.Debug("Signalling a process group", "step", what, "pid", p.Pid())
	if err := act(); err != nil {
		p.log.Warn("A process group was not signalled", "step", what, "pid", p.Pid(), "error", err)
	}
}

// supervise waits for the leader to end, ends the rest of the group, and cleans up. Done is closed when it
// returns.
func (p *Process) supervise() {
	reap := p.group.await(p.cmd)
	close(p.exited)
	p.endGroup()
	p.mu.Lock()
	p.gone = true
	p.mu.Unlock()
	err := reap()
	p.exit = exitError(p.cmd.ProcessState, err)
	p.group.close()
	p.stdin.Close()
	p.stdout.release()
	p.stderr.release()
	p.log.Debug("Process ended", "pid", p.Pid(), "reason", p.exit)
	close(p.done)
}

// endGroup ends processes that outlived the leader.
func (p *Process) endGroup() {
	if p.spec.Looks.alive(p.group) {
		p.signal(p.group.terminate, "terminate the rest")
		p.awaitGroup(orDefault(p.spec.TermGrace, DefaultTermGrace), p.killNow)
	}
	// Also if none was seen: one may have been started during the search.
	p.signal(p.group.kill, "kill the rest")
	if !p.awaitGroup(killTime/2, nil) {
		p.log.Warn("Some of a process group cannot be killed", "pid", p.Pid())
	}
}

// awaitGroup polls until the group is empty, since there is no notification for that.
func (p *Process) awaitGroup(limit time.Duration, cut <-chan struct{}) bool {
	deadline := time.Now().Add(limit)
	for pause := time.Millisecond; p.spec.Looks.alive(p.group); pause = min(2*pause, 50*time.Millisecond) {
		if !time.Now().Before(deadline) {
			return false
		}
		select {
		case <-cut:
			return false
		case <-time.After(pause):
		}
	}
	return true
}

func orDefault(d, otherwise time.Duration) time.Duration {
	switch {
	case d == 0:
		return otherwise
	case d < 0:
		return 0
	default:
		return d
	}
}

// errNoState cannot happen, but must not crash the program if it does.
const errNoState = words.Code("process.ended")
