package clients

import (
	"context"
	"errors"
	"log/slog"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Service finds and connects AI apps for the screens, and brings in their servers. Call its methods only on the
// goroutine of the window, except where a comment says otherwise.
type Service struct {
	options ServiceOptions
	looking bool // Find is running
	again   bool // Find was called while it was running, and must run again
	served  served
}

// ServiceOptions are what a [Service] needs.
type ServiceOptions struct {
	Apps    *setup.Setup // nil: AI apps cannot be connected
	HTTP    HTTP         // nil: apps cannot reach Workbench over HTTP
	Version string       // of the program
	Logger  *slog.Logger

	Here doctor.Surroundings // where programs and values are looked up on this computer

	Window *frame.Window
	Tasks  *task.Tasks
	Saver  *saving.Saver

	Model   *model.Model // the service changes its Apps
	Program Program
}

// Program is what the service needs of the rest of the app.
type Program interface {
	Redraw() // shows a change

	Hidden() bool         // reports whether the window is hidden; can be called on any goroutine
	Notify(notify.Notice) // shows a notification of the system; can be called on any goroutine
	Shown() bool          // reports whether the screen of the apps is shown
	Show()                // shows that screen

	TryAll(brought imports.Plan) // shows a dialog that tries the servers that were brought in

	// TryOne tries a server and calls done with its last state, unless ctx has ended.
	TryOne(ctx context.Context, toolbox, server string, report, done func(status.Server))
}

// NewService returns a Service that knows no apps until Find is called.
func NewService(options ServiceOptions) *Service {
	return &Service{options: options, served: served{before: options.Model.Preferences.Get().HTTP}}
}

// Find looks for the apps and shows them.
func (s *Service) Find() {
	apps := s.options.Apps
	if apps == nil {
		return
	}
	if s.looking {
		s.again = true
		return
	}
	s.looking = true
	s.findHTTP()
	var existing *config.Config
	if now := s.options.Model.File.Now; now != nil && now.Valid() {
		existing = now.Config
	}
	var plans map[string]imports.Plan
	task.Find(s.options.Tasks, func() model.Apps {
		found := model.Apps{Known: true, Moved: map[string]bool{}}
		launch, err := apps.Launch()
		if err != nil {
			found.Problem = lang.L("AI apps cannot be connected now: {{.Why}}", map[string]any{"Why": kit.ErrorSentence(err)})
		}
		if found.Statuses, err = apps.Registrar.Status(launch); err != nil {
			found.Problem = kit.ErrorSentence(err)
		}
		if _, err := apps.Registrar.Proofs(); err != nil {
			found.Note = kit.ErrorSentence(err)
		}
		found.ByHand = map[string]bool{}
		for _, status := range found.Statuses {
			if status.Installed && apps.System.ByHand(status.Client) {
				found.ByHand[status.Client.ID] = true
			}
		}
		found.Sources = imports.Present(apps.System)
		moved, _ := apps.MovedBefore() // without the list of moves, nothing can be put back
		for _, file := range moved {
			found.Moved[file.Client] = true
		}
		plans = s.ownServers(found.Statuses, existing)
		return found
	}, func(found model.Apps) {
		again := s.again
		found.Twice = map[string][]string{}
		for id, plan := range plans {
			plan = s.checked(plan)
			found.Twice[id] = plan.Doubles()
		}
		found.HTTP = s.options.Model.Apps.HTTP
		s.looking, s.again, s.options.Model.Apps = false, false, found
		s.options.Program.Redraw()
		if again {
			s.Find()
		}
	})
}

// ownServers returns, by the id of each connected app, what bringing in the servers of its own file would do.
func (s *Service) ownServers(statuses []engine.Status, existing *config.Config) map[string]imports.Plan {
	plans := map[string]imports.Plan{}
	for _, status := range statuses {
		if id := status.Client.ID; status.State == engine.Connected && existing != nil {
			plans[id] = s.plan(imports.Options{Clients: []string{id}, Existing: existing})
		}
	}
	return plans
}

// plan makes a plan to bring servers in. It can be called on any goroutine.
func (s *Service) plan(options imports.Options) imports.Plan {
	options.System, options.Withheld = s.options.Apps.System, s.options.Here.Withheld
	return imports.Make(options).Check(func(document *config.Document) []config.Diagnostic {
		return s.options.Here.Missing(s.options.Tasks.Context(), document)
	})
}

// checked returns a plan in which an app's own entry counts as a double only if the same server works in a toolbox
// now. Otherwise the app still needs its own.
func (s *Service) checked(plan imports.Plan) imports.Plan {
	return plan.CheckThere(func(toolbox, server string) bool {
		now := s.options.Model.Snapshot
		return now == nil || now.Server(model.Choice{Toolbox: toolbox, Server: server}).Problem == nil
	})
}

// View returns what the screen shows.
func (s *Service) View(now *model.Model) View {
	if s.options.Apps == nil {
		return View{Known: true, Problem: lang.L("This program cannot connect AI apps.")}
	}
	facts := Facts{Apps: now.Apps, Home: s.options.Apps.System.Home, Now: now.Time, Uses: map[string]Use{}}
	for _, client := range now.Clients {
		facts.Uses[client.Name] = Use{Here: client.Here, Last: client.Last}
	}
	if cfg := now.GoodConfig(); cfg != nil {
		facts.Toolboxes = cfg.Toolboxes
	}
	return NewView(facts)
}

// ShowTo changes whether an app sees a toolbox.
func (s *Service) ShowTo(toolbox, app string, on bool) {
	cfg := s.options.Model.GoodConfig()
	if cfg == nil {
		return
	}
	if box, ok := cfg.Toolbox(toolbox); ok {
		s.options.Saver.Edit(model.ShowTo(toolbox, box.Apps, s.options.Model.Apps.For(cfg), app, on), func(err error) {
			if err != nil {
				s.options.Window.Say(kit.ErrorSentence(err))
			}
		})
	}
}

// Actions returns the actions for the screen.
func (s *Service) Actions() Actions {
	return struct {
		*Service
		Window
	}{s, s.options.Window}
}

// Toolboxes returns the names of all toolboxes.
func (s *Service) Toolboxes() []string { return s.options.Model.ToolboxNames() }

// Plan finds out how connecting or disconnecting an app would change its file. An app whose file is only read can be
// given back what was moved out of it.
func (s *Service) Plan(id string, connect bool, done func(Proposal, error)) {
	apps := s.options.Apps
	task.Ask(s.options.Tasks, func() (found Proposal, err error) {
		if !connect {
			found.Moved, _ = apps.MovedFrom(id) // without the list of moves, nothing can be put back
		}
		if _, known := engine.ByID(id); !known && len(found.Moved) > 0 {
			found.Plan.Client.ID = id
			return found, nil
		}
		if found.Plan, err = apps.Plan(id, connect); err == nil {
			found.Running = apps.Registrar.CheckRunning(found.Plan.Client) != nil
			found.Back = apps.PreviewBack(found.Plan, found.Moved)
		}
		return found, err
	}, done)
}

// waiting returns how to wait for an app to quit, or nil if wait is not set. Nothing needs to be said when the wait
// begins, because the screen says it.
func waiting(wait bool) setup.Waiting {
	if !wait {
		return nil
	}
	return setup.Quietly
}

// Carry carries out a plan and then looks for the apps again.
func (s *Service) Carry(ctx context.Context, plan engine.Plan, wait bool, done func(error)) {
	ctx, stop := s.options.Tasks.Join(ctx)
	s.options.Tasks.After(func() error {
		defer stop()
		if _, known := engine.ByID(plan.Client.ID); !known {
			return nil // there is only something to put back
		}
		return s.options.Apps.Carry(ctx, plan, waiting(wait))
	}, func(err error) {
		if !errors.Is(err, context.Canceled) { // otherwise the user has cancelled
			done(err)
		}
		s.Find()
	})
}
