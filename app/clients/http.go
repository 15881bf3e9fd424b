package clients

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
)

// HTTP is how apps reach Workbench that cannot start a program. Its methods may be slow.
type HTTP interface {
	// Address returns where apps reach Workbench, or "" for nowhere. own says that Stop ends that.
	Address() (address string, own bool)
	// Start returns when apps can reach Workbench. ended is closed when they no longer can.
	Start() (ended <-chan struct{}, err error)
	Stop()

	// List returns the apps that have a token. Add makes one, and Remove ends its use at once.
	List() ([]token.Token, error)
	Add(name string) (token string, err error)
	Remove(name string) error
}

// served is whether apps can reach Workbench over HTTP, as the user wants it.
type served struct {
	before          bool   // it was on when the program ended; never changed
	wanted, changes bool   // changes: it is being switched on or off
	problem         string // why it could not be switched on
}

// Serve lets apps reach Workbench over HTTP, or ends that. The next start of the program does the same.
func (s *Service) Serve(on bool) {
	s.options.Model.Apps.HTTP.On, s.served.wanted, s.served.problem = on, on, ""
	if s.served.changes {
		return // the end of that looks at what is wanted
	}
	s.served.changes = true
	tasks, http := s.options.Tasks, s.options.HTTP
	task.Ask(tasks, func() (ended <-chan struct{}, err error) {
		if on {
			ended, err = http.Start()
		} else {
			http.Stop()
		}
		if kept := s.options.Model.Preferences; kept != nil && err == nil {
			err = kept.Update(func(p *model.Preferences) { p.HTTP = on })
		}
		return ended, err
	}, func(ended <-chan struct{}, err error) {
		s.served.changes = false
		if s.served.wanted != on {
			s.Serve(!on)
			return
		}
		if err != nil {
			s.served.problem = kit.ErrorSentence(err)
		}
		s.findHTTP()
		if ended != nil {
			tasks.Background(func() {
				select {
				case <-ended:
					tasks.Do(s.findHTTP)
				case <-tasks.Context().Done():
				}
			})
		}
	})
}

// serveUntil lets apps reach Workbench over HTTP until ctx ends, if the user has chosen that.
func (s *Service) serveUntil(ctx context.Context) error {
	defer s.options.HTTP.Stop()
	if s.served.before {
		s.options.Tasks.Do(func() { s.Serve(true) })
	}
	<-ctx.Done()
	return nil
}

// findHTTP finds out whether apps can reach Workbench over HTTP, and which.
func (s *Service) findHTTP() {
	if s.options.HTTP == nil {
		return
	}
	task.Find(s.options.Tasks, func() model.HTTP {
		found := model.HTTP{Known: true}
		address, own := s.options.HTTP.Address()
		found.Address, found.On, found.Fixed = address, address != "", address != "" && !own
		tokens, err := s.options.HTTP.List()
		if err != nil {
			found.Problem = kit.ErrorSentence(err)
		}
		for _, t := range tokens {
			found.Apps = append(found.Apps, t.Name)
		}
		return found
	}, func(found model.HTTP) {
		if s.served.problem != "" && !found.On {
			found.Problem = s.served.problem
		}
		found.On = found.On || s.served.changes && s.served.wanted
		s.options.Model.Apps.HTTP = found
		s.options.Program.Redraw()
	})
}

// AddToken makes a token for an app.
func (s *Service) AddToken(name string, done func(token string, err error)) {
	task.Ask(s.options.Tasks, func() (string, error) { return s.options.HTTP.Add(name) },
		func(token string, err error) {
			s.findHTTP()
			done(token, err)
		})
}

// RemoveToken removes the token of an app.
func (s *Service) RemoveToken(name string, done func(error)) {
	s.options.Tasks.After(func() error { return s.options.HTTP.Remove(name) }, func(err error) {
		s.findHTTP()
		done(err)
	})
}

// ServedCard shows how apps reach Workbench over HTTP.
type ServedCard struct {
	model.HTTP
	Cards []Card // of the apps
}

func servedCard(facts Facts) ServedCard {
	served := ServedCard{HTTP: facts.HTTP}
	for _, name := range facts.HTTP.Apps {
		use, used := facts.Uses[live.ClientName("", name)]
		card := Card{ID: "http:" + name, Name: name, State: theme.StateIdle, Used: usedWords(use, used, facts)}
		if use.Here {
			card.State = theme.StateConnected
		}
		for _, toolbox := range facts.Toolboxes {
			card.Toolboxes = append(card.Toolboxes, Tick{toolbox.Name, toolbox.SeenBy(name)})
		}
		served.Cards = append(served.Cards, card)
	}
	return served
}

// usedWords says when an app used Workbench.
func usedWords(use Use, used bool, facts Facts) string {
	switch {
	case use.Here:
		return lang.L("Using Workbench now")
	case used:
		return lang.L("Last seen {{.Time}}", map[string]any{"Time": live.Clock(use.Last, facts.Now)})
	}
	return ""
}
