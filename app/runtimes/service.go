// Package runtimes installs programs that servers need, such as Node.js, for the window. An installation goes on when
// the user changes the screen.
package runtimes

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
)

// Options are what a [Service] needs.
type Options struct {
	Runtimes *runtimes.Runtimes // with nil, no runtime can be installed
	Tasks    *task.Tasks
	Model    *model.Model // the service changes its Runtimes
	Program  Program
}

// Program is what a [Service] needs of the rest of the app.
type Program interface {
	Changed()      // called after a change of the model
	Got(id string) // called when a runtime was installed
	Fail(error)    // called when a runtime could not be installed or removed
}

// Service installs, updates and removes runtimes. Call its methods only on the goroutine of the window.
type Service struct {
	options   Options
	cancel    map[string]context.CancelFunc // the functions that cancel installations, by ID of the runtime
	followers map[*renderer]func()          // the functions to call after a change
}

// NewService returns a Service that does not know which runtimes are installed before Look is called.
func NewService(options Options) *Service {
	return &Service{options: options, cancel: map[string]context.CancelFunc{}, followers: map[*renderer]func(){}}
}

// Look finds out in the background which runtimes are installed. It also removes old versions that nothing uses any
// more.
func (s *Service) Look() {
	if s.options.Runtimes == nil {
		return
	}
	task.Find(s.options.Tasks, func() []runtimes.State {
		s.options.Runtimes.Tidy(s.options.Tasks.Context())
		return s.options.Runtimes.List()
	}, s.take)
}

// take stores found in the model, and keeps the progress of installations.
func (s *Service) take(found []runtimes.State) {
	now := make(model.Runtimes, len(found))
	for i, state := range found {
		before, _ := s.options.Model.Runtimes.Find(state.ID)
		now[i] = model.Runtime{
			ID: state.ID, Name: state.Name, Version: state.Version, Size: state.Size, Installed: state.Installed,
			Outdated: state.Outdated(),
			Busy:     before.Busy, Progress: before.Progress,
		}
	}
	s.options.Model.Runtimes = now
	s.changed()
}

// change changes the state of one runtime.
func (s *Service) change(id string, change func(*model.Runtime)) {
	now := slices.Clone(s.options.Model.Runtimes)
	for i := range now {
		if now[i].ID == id {
			change(&now[i])
		}
	}
	s.options.Model.Runtimes = now
	s.changed()
}

func (s *Service) changed() {
	for _, follow := range s.followers {
		follow()
	}
	s.options.Program.Changed()
}

// Find returns the state of a runtime. It returns false if the runtime cannot be installed here.
func (s *Service) Find(id string) (model.Runtime, bool) { return s.options.Model.Runtimes.Find(id) }

// Get installs a runtime or its newer version, and calls then when that has succeeded. then may be nil. If the runtime
// is being installed already, or cannot be installed here, Get does nothing.
func (s *Service) Get(id string, then func()) {
	known, ok := s.Find(id)
	if !ok || known.Busy {
		return
	}
	ctx, cancel := context.WithCancel(s.options.Tasks.Context())
	s.cancel[id] = cancel
	s.change(id, func(r *model.Runtime) { r.Busy, r.Progress = true, runtimes.Progress{} })
	s.options.Tasks.After(func() error {
		return s.options.Runtimes.Get(ctx, id, func(p runtimes.Progress) {
			s.options.Tasks.Do(func() { s.change(id, func(r *model.Runtime) { r.Progress = p }) })
		})
	}, func(err error) {
		cancel()
		delete(s.cancel, id)
		s.change(id, func(r *model.Runtime) { r.Busy = false })
		s.after(err, func() {
			s.options.Program.Got(id)
			if then != nil {
				then()
			}
		})
	})
}

// GetOrCancel installs a runtime that is missing, or cancels its installation. It returns false if the runtime is
// installed or cannot be installed here.
func (s *Service) GetOrCancel(id string, then func()) bool {
	known, ok := s.Find(id)
	switch {
	case ok && known.Busy:
		s.Cancel(id)
	case ok && known.Installed == "":
		s.Get(id, then)
	default:
		return false
	}
	return true
}

// Words returns the label of a button that calls GetOrCancel, and the progress of an installation. Both are empty if
// GetOrCancel would return false.
func (s *Service) Words(id string) (label, doing string) {
	known, ok := s.Find(id)
	switch {
	case ok && known.Busy:
		return lang.L("Cancel"), Doing(known)
	case ok && known.Installed == "":
		return Label(known, false), ""
	}
	return "", ""
}

// Cancel ends the installation of a runtime. It leaves no files.
func (s *Service) Cancel(id string) {
	if cancel := s.cancel[id]; cancel != nil {
		cancel()
	}
}

// Remove removes a runtime.
func (s *Service) Remove(id string) {
	s.options.Tasks.After(func() error {
		return s.options.Runtimes.Remove(s.options.Tasks.Context(), id)
	}, func(err error) { s.after(err, nil) })
}

// after finds out again which runtimes are installed. Then it reports err, or calls well if err is nil.
func (s *Service) after(err error, well func()) {
	task.Find(s.options.Tasks, s.options.Runtimes.List, func(found []runtimes.State) {
		s.take(found)
		switch {
		case err != nil && !errors.Is(err, context.Canceled):
			s.options.Program.Fail(err)
		case err == nil && well != nil:
			well()
		}
	})
}
