package environ

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say where an environment is completed from. The zero value is right for the program; tests say more.
type Options struct {
	// Limit is how long the shell is waited for; zero means [DefaultLimit].
	Limit time.Duration

	// Lasting is how long it is believed that the shell cannot be asked, zero meaning [DefaultLasting]. What it did say is
	// kept for good.
	Lasting time.Duration
}

// Usual values of [Options].
const (
	DefaultLimit   = 3 * time.Second
	DefaultLasting = time.Minute
)

// ResolvingVariable is set to "1" while a shell is asked, so that a start file can leave out what takes long.
const ResolvingVariable = "WORKBENCH_RESOLVING_ENVIRONMENT"

// Environ completes one environment. The shell is asked when that is first needed, and by one caller for all of them.
type Environ struct {
	base    []string
	options Options

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	asking sync.WaitGroup

	mu    sync.Mutex
	round *round // the newest, nil before the first
}

// round is one attempt to complete the environment.
type round struct {
	done   chan struct{} // closed when the rest is there
	env    []string
	report Report
	until  time.Time // when to try again; zero: never
}

// New makes an Environ that completes base, which is "NAME=value" as in [os.Environ]. It does nothing yet. Close it.
func New(base []string) *Environ { return NewWith(base, Options{}) }

// NewWith is New with options.
func NewWith(base []string, options Options) *Environ {
	if options.Limit == 0 {
		options.Limit = DefaultLimit
	}
	if options.Lasting == 0 {
		options.Lasting = DefaultLasting
	}
	e := &Environ{base: slices.Clip(slices.Clone(base)), options: options}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	return e
}

// For returns the environment to start a command in: the one that was given, at once, when the command is found in it, and so is
// the interpreter when it is a script, such as node for npx. Else it is the complete one, which takes up to the limit the
// first time. When ctx ends before, the given one is returned. The result must not be changed; appending to it is safe.
func (e *Environ) For(ctx context.Context, command string) []string {
	if Runs(command, e.base) {
		return e.base
	}
	env, _ := e.Complete(ctx)
	return env
}

// Complete returns the complete environment and how it came about. What the shell said is kept, so only the first call takes time. When
// ctx ends before, or after Close, it is what was given. What the person has got with Workbench comes last in PATH in any case.
func (e *Environ) Complete(ctx context.Context) ([]string, Report) {
	env, report := e.completed(ctx)
	return withRuntimes(e.base, env, report)
}

func (e *Environ) completed(ctx context.Context) ([]string, Report) {
	r := e.newest()
	select {
	case <-r.done:
		return r.env, r.report
	default:
	}
	select {
	case <-r.done:
		return r.env, r.report
	case <-ctx.Done():
		return e.base, Report{Problem: words.NewError("environ.not_waited_for")}
	}
}

// newest returns the attempt that counts, and begins one when there is none.
func (e *Environ) newest() *round {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.round; r != nil {
		select {
		case <-r.done:
			if r.until.IsZero() || time.Now().Before(r.until) {
				return r
			}
		default:
			return r
		}
	}
	r := &round{done: make(chan struct{})}
	if e.ctx.Err() != nil {
		r.env, r.report = e.base, Report{Problem: words.NewError("environ.ending")}
		close(r.done)
		return r
	}
	e.round = r
	e.asking.Go(func() {
		r.env, r.report = complete(e.ctx, e.base, e.options.Limit)
		r.env = slices.Clip(r.env)
		if r.report.Problem != nil {
			r.until = time.Now().Add(e.options.Lasting)
		}
		close(r.done)
	})
	return r
}

// Close ends a question to the shell that is under way, and waits for that.
func (e *Environ) Close() error {
	e.mu.Lock()
	e.cancel()
	e.mu.Unlock()
	e.asking.Wait()
	return nil
}

// Complete completes an environment once, without keeping the result. It takes up to [DefaultLimit], and returns earlier when
// ctx ends.
func Complete(ctx context.Context, base []string) (env []string, how Report) {
	env, how = complete(ctx, base, DefaultLimit)
	return withRuntimes(base, env, how)
}
