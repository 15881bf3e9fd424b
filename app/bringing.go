package app

import (
	"errors"
	"fmt"

	"fyne.io/fyne/v2/lang"
	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/clients/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/store"
)

// lookInto looks which servers an app has for a toolbox.
func (d *desk) lookInto(id, into string, done func(clients.Offer, error)) {
	seen := d.now.page.Now
	var existing *config.Config
	if seen != nil {
		if !seen.Valid() && len(seen.Source) > 0 {
			done(clients.Offer{}, errors.New(lang.L("The configuration has an error that must be corrected first.")))
			return
		}
		existing = seen.Config
	}
	system := d.options.Apps.System
	d.background(func() {
		plan := imports.Make(imports.Options{System: system, Clients: []string{id}, Into: into, Existing: existing})
		d.do(func() {
			done(clients.Offer{Plan: plan, Bring: func(plan imports.Plan, keep bool, done func(error)) { d.bring(seen, plan, keep, done) }}, nil)
		})
	})
}

// bring writes the servers of a plan, which was made while looking at a document.
func (d *desk) bring(seen *config.Document, plan imports.Plan, keep bool, done func(error)) {
	d.background(func() {
		undo, err := func() error { return nil }, error(nil)
		if keep {
			undo, err = plan.Keep(keychain{})
		}
		d.do(func() {
			if err != nil {
				done(fmt.Errorf("nothing was brought in: %w", err))
				return
			}
			d.save(change{seen, plan.Label(), []store.Op{store.Edits(plan.Ops()...)}}, func(err error) {
				if err != nil {
					d.after(undo, func(failed error) { done(errors.Join(err, failed)) })
					return
				}
				done(nil)
				count := len(plan.Servers)
				d.undoable(lang.N("Brought {{.Count}} servers into “{{.Toolbox}}”", count, map[string]any{"Count": count, "Toolbox": kit.Line(plan.Toolbox)}))
			})
		})
	})
}

// keychain is that of the user, for what is brought in.
type keychain struct{}

func (keychain) Get(name string) (string, error) {
	value, err := keyring.Get(config.KeyringService, name)
	if errors.Is(err, keyring.ErrNotFound) {
		return "", imports.ErrNoSecret
	}
	return value, err
}

func (keychain) Set(name, value string) error { return setSecret(name, value) }
func (keychain) Delete(name string) error     { return deleteSecret(name) }
