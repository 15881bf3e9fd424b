package clients

import (
	"context"
	"errors"
	"log/slog"
	"slices"

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
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Service finds and connects AI apps for the screens, and brings in their servers. Call its methods only on the
// goroutine of the window, except where a comment says otherwise.
type Service struct {
	options ServiceOptions
	looking bool // Find is running
	again   bool // Find was called while it was running, and must run again
}

// ServiceOptions are what a [Service] needs.
type ServiceOptions struct {
	Apps    *setup.Setup // nil: AI apps cannot be connected
	Version string       // of the program
	Logger  *slog.Logger

	// Withheld returns the names of the variables that a server seems to need and would not get. It can be called on any
	// goroutine.
	Withheld func(*config.Server) []string

	Window *frame.Window
	Tasks  *task.Tasks
	Saver  *saving.Saver

	Model   *model.Model // the service changes its Apps
	Changed func()       // shows a change

	Hidden func() bool         // reports whether the window is hidden; can be called on any goroutine
	Notify func(notify.Notice) // shows a notification of the system; can be called on any goroutine
	Shown  func() bool         // reports whether the screen of the apps is shown
	Show   func()              // shows that screen

	Try func(brought imports.Plan) // shows a dialog that tries the servers that were brought in; may be nil

	// TryOne tries a server and calls done with its last state, unless ctx has ended.
	TryOne func(ctx context.Context, toolbox, server string, report, done func(status.Server))
}

// NewService returns a Service that knows no apps until Find is called.
func NewService(options ServiceOptions) *Service { return &Service{options: options} }

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
	var existing *config.Config
	if now := s.options.Model.File.Now; now != nil && now.Valid() {
		existing = now.Config
	}
	task.Find(s.options.Tasks, func() model.Apps {
		found := model.Apps{Known: true}
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
		found.Twice = twice(apps.System, found.Statuses, existing)
		return found
	}, func(found model.Apps) {
		again := s.again
		s.looking, s.again, s.options.Model.Apps = false, false, found
		s.options.Changed()
		if again {
			s.Find()
		}
	})
}

// twice returns, by the id of the app, the servers that a connected app has in its own file although they are in a
// toolbox too.
func twice(system engine.System, statuses []engine.Status, existing *config.Config) map[string][]string {
	found := map[string][]string{}
	for _, status := range statuses {
		if status.State != engine.Connected || existing == nil {
			continue
		}
		id := status.Client.ID
		for _, skipped := range imports.Make(
			imports.Options{System: system, Clients: []string{id}, Existing: existing}).Skipped {
			if skipped.Here && skipped.Name != "" && !slices.Contains(found[id], skipped.Name) {
				found[id] = append(found[id], skipped.Name)
			}
		}
	}
	return found
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

// showTo changes whether an app sees a toolbox.
func (s *Service) showTo(toolbox, app string, on bool) {
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
	return Actions{
		Plan: s.Plan, Carry: s.Carry, PutBack: func(files []setup.MovedFile, done func(error)) {
			s.putBack(files)(done)
		}, LeaveOut: s.leaveOut, Import: s.lookInto,
		ShowDialog: s.options.Window.ShowDialog, PickFile: s.options.Window.PickFile, Bundle: s.bundling(), ShowTo: s.showTo,
		Toolboxes: func() []string {
			return s.options.Model.ToolboxNames()
		}, Copy: s.options.Window.Copy, Say: s.options.Window.Say, Look: s.Find,
	}
}

// Plan finds out how connecting or disconnecting an app would change its file.
func (s *Service) Plan(id string, connect bool, done func(Proposal, error)) {
	apps := s.options.Apps
	task.Ask(s.options.Tasks, func() (Proposal, error) {
		plan, err := apps.Plan(id, connect)
		found := Proposal{Plan: plan, Running: err == nil && apps.Registrar.CheckRunning(plan.Client) != nil,
			Backups: apps.Registrar.Folder()}
		if !connect {
			found.Moved, _ = apps.MovedFrom(id) // without the list of moves, nothing can be put back
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
		return s.options.Apps.Carry(ctx, plan, waiting(wait))
	}, func(err error) {
		if !errors.Is(err, context.Canceled) { // otherwise the user has cancelled
			done(err)
		}
		s.Find()
	})
}
