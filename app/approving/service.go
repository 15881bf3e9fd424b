// Package approving asks the user about servers that another program has added to the configuration or changed in it.
package approving

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// Options configure a [Service].
type Options struct {
	Approvals *approval.Approvals // nil if nothing needs approval
	File      string              // the path of the configuration
	Tasks     *task.Tasks
	Model     *model.Model
	Logger    *slog.Logger // may be nil
	Program   Program
}

// Program is what a [Service] needs of the rest of the app. Only Edit is called on the goroutine of the window alone.
type Program interface {
	Changed()                                 // requests a new snapshot
	Reconsider()                              // makes the app's own engine check again what may be started
	Edit(ops []edit.Op, done func(err error)) // changes the configuration
}

// Service finds the entries that wait for approval and asks about them. Its dialogs belong to the goroutine of the
// window.
type Service struct {
	Window *frame.Window // shows the questions

	options Options
	wake    chan struct{} // makes Run search again
	shown   *question     // nil if no question is shown

	mu    sync.Mutex
	cfg   *config.Config // the newest usable configuration
	known model.Approval // the result of the latest search
}

// New returns a service. It knows nothing until Run is called.
func New(options Options) *Service {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{options: options, wake: make(chan struct{}, 1)}
}

// Waiting returns the entries of a configuration that are known to wait for approval. For a new configuration it
// starts a search and returns at once; [Program.Changed] is called when the result is known. It can be called on any
// goroutine.
func (s *Service) Waiting(cfg *config.Config) model.Approval {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cfg != s.cfg {
		s.cfg = cfg
		s.searchSoon()
	}
	return s.known
}

// searchSoon makes Run search again.
func (s *Service) searchSoon() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run searches until ctx is cancelled, and returns the error of ctx. If the window runs on this computer for the first
// time, Run approves all entries of the first configuration.
func (s *Service) Run(ctx context.Context) error {
	if s.options.Approvals == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	var watching background.Group
	defer watching.Wait()
	watching.Go(func() {
		_ = s.options.Approvals.Run(ctx, func() { // it ends only with ctx, so its error says nothing new
			s.searchSoon()
			s.options.Program.Reconsider()
		})
	})
	begun := false
	for {
		if cfg := s.current(); cfg != nil {
			if !begun {
				err := s.options.Approvals.Begin(ctx, s.options.File, cfg)
				if begun = err == nil; !begun {
					s.options.Logger.Warn("What is approved cannot be kept", "error", err)
				}
			}
			s.search(cfg)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.wake:
		}
	}
}

func (s *Service) current() *config.Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cfg
}

// search searches a configuration for entries that wait.
func (s *Service) search(cfg *config.Config) {
	now := model.Approval{Of: cfg, State: s.options.Approvals.State(),
		Waiting: s.options.Approvals.Waiting(s.options.File, cfg)}
	// A server that is switched off is never started. The user is asked when it is switched on.
	now.Waiting = slices.DeleteFunc(now.Waiting, func(w approval.Waiting) bool { return w.Server.Disabled })
	s.mu.Lock()
	same := now.Of == s.known.Of && now.State == s.known.State && slices.Equal(now.Waiting, s.known.Waiting)
	s.known = now
	s.mu.Unlock()
	if !same {
		s.options.Program.Changed()
	}
}

// SetFree sets whether other programs may change the file without approval. It then calls done on the goroutine of the
// window.
func (s *Service) SetFree(free bool, done func(error)) {
	if s.options.Approvals == nil || s.current() == nil {
		done(errors.New(lang.L("Workbench is still starting. Try again in a moment.")))
		return
	}
	s.do(func(ctx context.Context) error {
		return s.options.Approvals.SetFree(ctx, s.options.File, s.current(), free)
	}, done)
}

// approve approves entries in the version that was shown.
func (s *Service) approve(shown []approval.Waiting, done func(error)) {
	s.do(func(ctx context.Context) error {
		return s.options.Approvals.Approve(ctx, s.options.File, s.current(), shown...)
	}, done)
}

// do runs job in the background, searches again, and then calls done with the error of job.
func (s *Service) do(job func(context.Context) error, done func(error)) {
	s.options.Tasks.After(func() error {
		err := job(s.options.Tasks.Context())
		if cfg := s.current(); cfg != nil {
			s.search(cfg)
		}
		return err
	}, done)
}
