// Package runtimes gets programs that servers need, such as Node.js, for the window. What is under way goes on whatever screen is shown.
package runtimes

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/runtimes"
)

// Options say for what a [Service] works.
type Options struct {
	Runtimes *runtimes.Runtimes // nil: none can be got
	Tasks    *task.Tasks
	Model    *model.Model // whose Runtimes the service changes
	Changed  func()       // shows what was changed
	Got      func(id string)
	Failed   func(error) // says why one could not be got or removed
}

// Service gets, updates and removes. Its methods belong to the goroutine of the window.
type Service struct {
	options   Options
	cancel    map[string]context.CancelFunc // of those that are being got
	followers map[int]func()
	last      int // number of the follower that came last
}

// NewService returns a service that has not looked yet what is there.
func NewService(options Options) *Service {
	return &Service{options: options, cancel: map[string]context.CancelFunc{}, followers: map[int]func(){}}
}

// Look finds out what is there, and takes away what an update has replaced and nothing uses any more.
func (s *Service) Look() {
	if s.options.Runtimes == nil {
		return
	}
	task.Ask(s.options.Tasks, func() ([]runtimes.State, error) {
		s.options.Runtimes.Tidy(s.options.Tasks.Context())
		return s.options.Runtimes.List(), nil
	}, func(found []runtimes.State, _ error) {
		s.take(found)
	})
}

// take takes up what is there, and keeps what is under way.
func (s *Service) take(found []runtimes.State) {
	now := make(model.Runtimes, len(found))
	for i, state := range found {
		before, _ := s.options.Model.Runtimes.Find(state.ID)
		now[i] = model.Runtime{
			ID: state.ID, Name: state.Name, Version: state.Version, Size: state.Size, Installed: state.Installed, Outdated: state.Outdated(),
			Busy: before.Busy, Progress: before.Progress,
		}
	}
	s.options.Model.Runtimes = now
	s.changed()
}

// change changes what is known of one.
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
	s.options.Changed()
}

// follow has a function called with each change, until stop.
func (s *Service) follow(changed func()) (stop func()) {
	s.last++
	number := s.last
	s.followers[number] = changed
	return func() { delete(s.followers, number) }
}

// Find returns how it stands with one. It is false for one that cannot be got here.
func (s *Service) Find(id string) (model.Runtime, bool) { return s.options.Model.Runtimes.Find(id) }

// Get gets one, or its newer version, and calls then, which may be nil, when it is there. One that is being got goes on.
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
			if s.options.Got != nil {
				s.options.Got(id)
			}
			if then != nil {
				then()
			}
		})
	})
}

// GetOrCancel gets one that is not there, as Get does, or cancels that. It is false where there is nothing to get.
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

// Words are what a button says that does GetOrCancel, and how far that is; both are empty where there is nothing to get.
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

// Cancel ends what is under way to get one. Nothing of it stays.
func (s *Service) Cancel(id string) {
	if cancel := s.cancel[id]; cancel != nil {
		cancel()
	}
}

// Remove takes one away.
func (s *Service) Remove(id string) {
	s.options.Tasks.After(func() error { return s.options.Runtimes.Remove(s.options.Tasks.Context(), id) }, func(err error) { s.after(err, nil) })
}

// after looks what is there now, and says what went wrong or goes on.
func (s *Service) after(err error, well func()) {
	task.Ask(s.options.Tasks, func() ([]runtimes.State, error) { return s.options.Runtimes.List(), nil }, func(found []runtimes.State, _ error) {
		s.take(found)
		switch {
		case err != nil && !errors.Is(err, context.Canceled):
			s.options.Failed(err)
		case err == nil && well != nil:
			well()
		}
	})
}
