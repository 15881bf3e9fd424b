package environ

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say how an environment is completed. The program uses the zero value; tests set the fields.
type Options struct {
	// Limit is how long to wait for the shell; zero means [DefaultLimit].
	Limit time.Duration

	// Lasting is how long a failure of the shell is remembered; zero means [DefaultLasting]. An answer is
	// kept until [Environ.Refresh].
	Lasting time.Duration

	// Fresh is how long Refresh does nothing after an answer; zero means [DefaultFresh].
	Fresh time.Duration

	// OS is the system, as [runtime.GOOS]; empty means this one.
	OS string
}

// Defaults of [Options].
const (
	DefaultLimit   = 3 * time.Second
	DefaultLasting = time.Minute
	DefaultFresh   = 5 * time.Second
)

// ResolvingVariable is set to "1" while a shell is asked, so that a start file can skip slow parts.
const ResolvingVariable = "WORKBENCH_RESOLVING_ENVIRONMENT"

// Environ completes one environment. The shell is asked when this is first needed, once for all callers, and
// again when a program is not found.
type Environ struct {
	base    []string
	options Options

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	asking background.Group

	mu    sync.Mutex
	round *round // the newest, nil before the first
	stale bool   // another one is to be made
}

// round is one try to complete the environment.
type round struct {
	done   chan struct{} // closed when the other fields are set
	env    []string
	report Report
	at     time.Time // when that was
	until  time.Time // when to try again; zero: never
}

// New returns an Environ that completes base, which has the form of [os.Environ]. It does nothing yet. The
// caller must close it.
func New(base []string) *Environ { return NewWith(base, Options{}) }

// NewWith is New with options.
func NewWith(base []string, options Options) *Environ {
	if options.Limit == 0 {
		options.Limit = DefaultLimit
	}
	if options.Lasting == 0 {
		options.Lasting = DefaultLasting
	}
	if options.Fresh == 0 {
		options.Fresh = DefaultFresh
	}
	if options.OS == "" {
		options.OS = runtime.GOOS
	}
	e := &Environ{base: slices.Clip(slices.Clone(base)), options: options}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	return e
}

// For returns the environment for starting a command. If the command is found in the given environment (and
// for a script its interpreter, such as node for npx), it returns that one at once. Otherwise it returns the
// complete environment, which takes up to the limit the first time, and again if the command is not found in
// it: it may have been installed since. If ctx ends before, it returns the given one. The result must not be
// changed; appending to it is safe. An empty command is none: the environment is for our own connections.
//
// A given environment that is bare is always completed first. Many AI apps pass on nothing but what MCP's libraries do
// (HOME, LOGNAME, PATH, SHELL, TERM and USER), so the proxies and certificates of a terminal are missing, without
// which an organisation's network lets nothing through. And on macOS, whatever is started from Finder, the Dock or
// launchd has only the system's folders in its PATH, where Apple's own python3, git and java are, so a terminal would
// find others.
func (e *Environ) For(ctx context.Context, command string) []string {
	if !e.bare() && (command == "" || Runs(command, e.base)) {
		return e.base
	}
	env, _ := e.Complete(ctx)
	if command != "" && !Runs(command, env) {
		e.Refresh()
		env, _ = e.Complete(ctx)
	}
	return env
}

// bare reports whether the given environment has only what MCP's libraries pass on, or only the PATH that macOS gives
// to everything that no terminal starts. On Windows, this process has got the rest of it already; see [Adopt].
func (e *Environ) bare() bool {
	if e.options.OS == "windows" {
		return false
	}
	if !slices.ContainsFunc(e.base, func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !passedOn(name)
	}) {
		return true
	}
	return e.options.OS == "darwin" &&
		!slices.ContainsFunc(splitPath(process.Getenv(e.base, "PATH")), func(folder string) bool { return !systems(folder) })
}

// passedOn reports whether MCP's libraries for TypeScript and Python pass a variable on to servers, or the person may
// have given it to us in the entry of an AI app.
func passedOn(name string) bool {
	switch name {
	case "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER":
		return true
	}
	return strings.HasPrefix(name, "WORKBENCH_")
}

// Refresh has the next call complete the environment again, unless that was done just now or the shell has
// failed lately. It is for a program that the user may have installed since.
func (e *Environ) Refresh() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.round; r != nil && r.ended() && r.until.IsZero() && time.Since(r.at) >= e.options.Fresh {
		e.stale = true
	}
}

// ended reports whether the round has its result.
func (r *round) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// Complete returns the complete environment and how it was made. The shell's answer is kept, so only the first call
// takes time, and the first after [Environ.Refresh]. If ctx ends before, or after Close, it returns the given
// environment. Programs that Workbench has installed always come last in PATH.
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

// newest returns the current try, and begins one if needed.
func (e *Environ) newest() *round {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.round
	if before != nil && (!before.ended() || !e.stale && (before.until.IsZero() || time.Now().Before(before.until))) {
		return before
	}
	e.stale = false
	r := &round{done: make(chan struct{})}
	if e.ctx.Err() != nil {
		r.env, r.report = e.base, Report{Problem: words.NewError("environ.ending")}
		close(r.done)
		return r
	}
	e.round = r
	e.asking.Go(func() {
		defer close(r.done)
		if err := background.Catch(func() error {
			r.env, r.report = complete(e.ctx, e.base, e.options.Limit)
			return nil
		}); err != nil {
			r.env, r.report = e.base, Report{Problem: err}
		}
		if r.report.Problem != nil && before != nil && before.report.Problem == nil { // better than none
			r.env, r.report = before.env, before.report
		}
		r.env, r.at = slices.Clip(r.env), time.Now()
		if r.report.Problem != nil {
			r.until = r.at.Add(e.options.Lasting)
		}
	})
	return r
}

// Close stops asking the shell and waits until that has ended.
func (e *Environ) Close() error {
	e.mu.Lock()
	e.cancel()
	e.mu.Unlock()
	e.asking.Wait()
	return nil
}

// Complete completes an environment once, without keeping the result. It takes up to [DefaultLimit], and returns
// earlier when ctx ends.
func Complete(ctx context.Context, base []string) (env []string, how Report) {
	env, how = complete(ctx, base, DefaultLimit)
	return withRuntimes(base, env, how)
}
