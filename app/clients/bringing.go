package clients

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/trying"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Import looks for the servers of an app or a file.
func (s *Service) Import(ask Ask, done func(Offer, error)) {
	options := imports.Options{File: ask.File, Projects: ask.Projects, Into: ask.Into}
	if ask.ID != "" {
		options.Clients = []string{ask.ID}
	}
	apps := s.options.Apps
	s.look(options, func() Offer {
		offer := Offer{Movable: ask.ID != ""}
		if client, ok := engine.ByID(ask.ID); ok {
			offer.Running = apps.Registrar.CheckRunning(client) != nil
		}
		offer.Earlier, _ = apps.MovedFrom(ask.ID) // without the list of moves, nothing can be put back
		return offer
	}, done)
}

// ServersOf finds the servers of some apps. A server that several apps have is returned once.
func (s *Service) ServersOf(ids []string, done func(Offer, error)) {
	s.look(imports.Options{Clients: ids}, func() Offer { return Offer{} }, done)
}

// look looks for servers. about returns what else there is to know; it is called on another goroutine.
func (s *Service) look(options imports.Options, about func() Offer, done func(Offer, error)) {
	seen := s.options.Model.File.Now
	if seen != nil {
		if !seen.Valid() && len(seen.Source) > 0 {
			done(Offer{}, errors.New(lang.L("The configuration has an error that must be corrected first.")))
			return
		}
		options.Existing = seen.Config
	}
	task.Find(s.options.Tasks, func() Offer {
		offer := about()
		offer.Plan, offer.NoKeychain, offer.seen = s.plan(options), keychain.Absent(), seen
		return offer
	}, func(offer Offer) {
		offer.Plan = s.checked(offer.Plan)
		done(offer, nil)
	})
}

// PutBack puts entries back into the files from which they were moved.
func (s *Service) PutBack(moved []setup.MovedFile, done func(error)) {
	s.options.Tasks.After(func() error { return s.options.Apps.PutAllBack(s.options.Tasks.Context(), moved, nil) },
		func(err error) {
			done(err)
			s.Find()
		})
}

// Bring writes servers and tries them in a dialog.
func (s *Service) Bring(offer Offer, plan imports.Plan, keep bool, done func(error)) {
	s.Add(offer, plan, keep, func(err error) {
		done(err)
		if err == nil && s.options.Model.File.Pending == nil { // otherwise they are not saved
			s.Try(plan)
		}
	})
}

// Try shows a dialog that tries servers.
func (s *Service) Try(plan imports.Plan) { s.options.Program.TryAll(plan) }

// Add writes the servers of a plan as putIn does, and offers to undo that. If the configuration cannot be saved, the
// line above the screens says so, as for every edit.
func (s *Service) Add(offer Offer, plan imports.Plan, keep bool, done func(error)) {
	s.putIn(offer.seen, plan, keep, func(err error) {
		done(err)
		if err == nil && s.options.Model.File.Pending == nil {
			count := len(plan.Servers)
			s.options.Saver.Undoable(lang.N("Brought {{.Count}} servers into “{{.Toolbox}}”", count,
				map[string]any{"Count": count, "Toolbox": kit.Line(plan.Toolbox)}))
		}
	})
}

// putIn writes the servers of a plan, if there are any, to the configuration. seen is the document from which the plan
// was made. If keep is set, putIn stores the secrets of the servers in the keychain. If the keychain cannot store
// them, nothing is written, and the error has the code "imports.not_kept".
func (s *Service) putIn(seen *config.Document, plan imports.Plan, keep bool, done func(error)) {
	if len(plan.Servers) == 0 {
		done(nil)
		return
	}
	task.Ask(s.options.Tasks, func() (undo func() error, err error) {
		if !keep {
			return func() error { return nil }, nil
		}
		return plan.Keep(keychain.System())
	}, func(undo func() error, err error) {
		if err != nil {
			done(words.NewError("imports.not_kept", "Why", err).Because(err))
			return
		}
		s.options.Saver.Save(configfile.Change{Base: seen, Says: plan.Says(),
			Ops: []store.Op{store.EditsThat(plan.Says(), plan.Ops()...)}}, func(err error) {
			if err != nil {
				s.options.Tasks.After(undo, func(failed error) { done(errors.Join(err, failed)) })
				return
			}
			done(nil)
		})
	})
}

// Move writes the servers of a plan as putIn does, tries them, and then removes those that work from the files of
// their apps. An app that is running might put them back: if wait is set, Move first waits until such an app quits,
// otherwise it fails. If the configuration could not be saved, Move removes nothing, because otherwise the servers
// would be in neither file.
func (s *Service) Move(ctx context.Context, offer Offer, plan imports.Plan, keep, wait bool,
	done func(Moved, error)) {
	apps := s.options.Apps
	ctx, stop := s.options.Tasks.Join(ctx)
	s.options.Tasks.After(func() error { return apps.QuitAll(ctx, apps.Leaving(plan), waiting(wait)) }, func(err error) {
		switch {
		case ctx.Err() != nil: // the user has cancelled
			stop()
		case err != nil:
			stop()
			done(Moved{}, err)
		default:
			s.putIn(offer.seen, plan, keep, func(err error) {
				if problem := saving.Unsaved(s.options.Model.Snapshot); err == nil && problem != "" {
					err = errors.New(kit.Together(problem,
						lang.L("Nothing was removed from the app. Save the change, then open this again.")))
				}
				if err != nil {
					stop()
					done(Moved{}, err)
					return
				}
				s.tryOut(ctx, plan, func(plan imports.Plan) {
					stop()
					task.Find(s.options.Tasks, func() setup.Moved { return apps.TakeOut(plan) }, func(taken setup.Moved) {
						done(Moved{Moved: taken, Plan: plan}, nil)
						s.Find()
					})
				})
			})
		}
	})
}

// tryOut tries the servers of a plan and returns the plan with what came out. It does not call done once ctx has
// ended.
func (s *Service) tryOut(ctx context.Context, plan imports.Plan, done func(imports.Plan)) {
	trials := model.TrialsOf(plan)
	out := &outcome{s.options.Program, &trials, func() { done(trials.Outcome(plan)) }}
	if !trials.Trying() { // none of them can be tried
		done(plan)
		return
	}
	trying.NewRunner(ctx, &trials, out).Next()
}

// outcome waits for the end of trials.
type outcome struct {
	program Program
	trials  *model.Trials
	ended   func() // called once
}

// Try starts a server.
func (o *outcome) Try(ctx context.Context, toolbox, server string, report, done func(status.Server)) {
	o.program.TryOne(ctx, toolbox, server, report, done)
}

// Changed looks whether all trials have ended.
func (o *outcome) Changed(*model.Trial) {
	if ended := o.ended; ended != nil && !o.trials.Trying() {
		o.ended = nil
		ended()
	}
}

// TakeOver connects an app whose servers were brought in, and removes these servers from its file.
func (s *Service) TakeOver(ctx context.Context, plan engine.Plan, brought imports.Plan, wait bool,
	done func(setup.Moved, error)) {
	ctx, stop := s.options.Tasks.Join(ctx)
	task.Ask(s.options.Tasks, func() (setup.Moved, error) {
		defer stop()
		return s.options.Apps.TakeOver(ctx, plan.Client.ID, brought, waiting(wait))
	}, func(moved setup.Moved, err error) {
		if !errors.Is(err, context.Canceled) { // otherwise the user has cancelled
			done(moved, err)
		}
		s.Find()
	})
}

// Preview finds out what TakeOver would do.
func (s *Service) Preview(plan engine.Plan, brought imports.Plan, done func(setup.Preview)) {
	task.Find(s.options.Tasks, func() setup.Preview { return s.options.Apps.Preview(plan, brought) }, done)
}
