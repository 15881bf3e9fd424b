package app

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// lookInto looks which servers there are for a toolbox, in an app or in a file.
func (d *controller) lookInto(ask clients.Ask, done func(clients.Offer, error)) {
	seen := d.now.File.Now
	var existing *config.Config
	if seen != nil {
		if !seen.Valid() && len(seen.Source) > 0 {
			done(clients.Offer{}, errors.New(lang.L("The configuration has an error that must be corrected first.")))
			return
		}
		existing = seen.Config
	}
	apps := d.options.Apps
	d.tasks.Background(func() {
		options := imports.Options{System: apps.System, File: ask.File, Projects: ask.Projects, Into: ask.Into, Existing: existing}
		if ask.ID != "" {
			options.Clients = []string{ask.ID}
		}
		offer := clients.Offer{Plan: imports.Make(options)}
		if client, ok := engine.ByID(ask.ID); ok {
			offer.Running = apps.Registrar.CheckRunning(client) != nil
		}
		earlier := movedOut(apps, ask.ID)
		for _, file := range earlier {
			offer.Earlier = append(offer.Earlier, file.Names...)
		}
		d.tasks.Do(func() {
			offer.Bring = func(plan imports.Plan, keep bool, done func(error)) { d.bring(seen, plan, keep, done) }
			if len(earlier) > 0 {
				offer.Back = func(done func(error)) {
					d.tasks.After(func() error { return apps.PutAllBack(d.tasks.Context(), earlier, nil) }, done)
				}
			}
			if ask.ID != "" {
				offer.Move = func(ctx context.Context, plan imports.Plan, keep, wait bool, done func(clients.Moved, error)) {
					d.move(ctx, seen, plan, keep, wait, done)
				}
			}
			done(offer, nil)
		})
	})
}

// bring writes the servers of a plan, which was made while looking at a document, and offers to undo it. When they could not be saved the
// line above the screens says so, as for every edit.
func (d *controller) bring(seen *config.Document, plan imports.Plan, keep bool, done func(error)) {
	d.putIn(seen, plan, keep, func(err error) {
		done(err)
		if err == nil && d.now.File.Pending == nil {
			count := len(plan.Servers)
			d.undoable(lang.N("Brought {{.Count}} servers into “{{.Toolbox}}”", count, map[string]any{"Count": count, "Toolbox": kit.Line(plan.Toolbox)}))
		}
	})
}

// putIn writes the servers of a plan, if there are any.
func (d *controller) putIn(seen *config.Document, plan imports.Plan, keep bool, done func(error)) {
	if len(plan.Servers) == 0 {
		done(nil)
		return
	}
	d.tasks.Background(func() {
		undo, err := func() error { return nil }, error(nil)
		if keep {
			undo, err = plan.Keep(keychain.System())
		}
		d.tasks.Do(func() {
			if err != nil {
				done(&clients.KeychainError{Err: err})
				return
			}
			d.save(configfile.Change{Base: seen, Label: plan.Label(), Ops: []store.Op{store.EditsThat(plan.Says(), plan.Ops()...)}}, func(err error) {
				if err != nil {
					d.tasks.After(undo, func(failed error) { done(errors.Join(err, failed)) })
					return
				}
				done(nil)
			})
		})
	})
}

// move writes the servers of a plan, and then takes them out of the files of their apps. Nothing happens when an app runs that would put
// them back; with wait it is waited for. Nothing is taken out while ours is not saved: it would be in neither file.
func (d *controller) move(ctx context.Context, seen *config.Document, plan imports.Plan, keep, wait bool, done func(clients.Moved, error)) {
	apps := d.options.Apps
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(d.tasks.Context(), cancel)
	stop := func() {
		forget()
		cancel()
	}
	d.tasks.Background(func() {
		err := apps.QuitAll(ctx, apps.Leaving(plan), waiting(wait))
		d.tasks.Do(func() {
			switch {
			case ctx.Err() != nil: // the user has given it up
				stop()
			case err != nil:
				stop()
				done(clients.Moved{}, err)
			default:
				d.putIn(seen, plan, keep, func(err error) {
					stop()
					if problem := unsaved(d.now); err == nil && problem != "" {
						err = errors.New(problem + " " + lang.L("Until then, nothing is taken out of the app. Save it, then open this again."))
					}
					if err != nil {
						done(clients.Moved{}, err)
						return
					}
					d.tasks.Background(func() {
						moved := clients.Moved{Moved: apps.TakeOut(plan)}
						if len(moved.Files) > 0 {
							moved.Back = func(done func(error)) {
								d.tasks.After(func() error { return apps.PutAllBack(d.tasks.Context(), moved.Files, nil) }, done)
							}
						}
						d.tasks.Do(func() {
							done(moved, nil)
							d.findApps()
						})
					})
				})
			}
		})
	})
}

// movedOut returns what was moved out of an app and can be put back; nothing where that cannot be told.
func movedOut(apps *setup.Setup, id string) []setup.MovedFile {
	files, err := apps.MovedBefore()
	if err != nil || id == "" {
		return nil
	}
	return slices.DeleteFunc(files, func(file setup.MovedFile) bool { return file.Client != id })
}
