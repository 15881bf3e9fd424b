package settings

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/updates"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Updates knows whether there is a newer version. Its methods may be slow.
type Updates interface {
	Allowed() bool
	Allow(on bool) error
	Daily(ctx context.Context) (updates.Release, bool, error)
	Watch(ctx context.Context, tell func(updates.Release, bool))
	How(release updates.Release) words.Text // how this installation is updated
}

// WatchUpdates looks for newer versions until the app ends, as far as the user has allowed it.
func (s *Service) WatchUpdates() {
	if s.options.Updates != nil {
		s.options.Tasks.Background(func() { s.options.Updates.Watch(s.options.Tasks.Context(), s.tellUpdates) })
	}
}

// SetUpdates allows to look for newer versions, and looks at once, or forbids it.
func (s *Service) SetUpdates(on bool, done func(error)) {
	s.options.Tasks.After(func() error {
		if err := s.options.Updates.Allow(on); err != nil {
			return err
		}
		s.tellUpdates(updates.Release{}, false) // the answer may take a while
		release, newer, err := s.options.Updates.Daily(s.options.Tasks.Context())
		s.tellUpdates(release, newer)
		return err
	}, done)
}

// tellUpdates shows what is known about newer versions. It may be called on any goroutine.
func (s *Service) tellUpdates(release updates.Release, newer bool) {
	now := model.Updates{Allowed: s.options.Updates.Allowed()}
	if newer {
		now.Version, now.Page = release.Version, release.Page
		now.How = kit.Say(s.options.Updates.How(release))
	}
	s.options.Tasks.Do(func() {
		if s.options.Model.Updates != now {
			s.options.Model.Updates = now
			s.options.Changed()
		}
	})
}
