package app

import (
	"bytes"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/bundle"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
)

// bundling makes the bundle for Claude Desktop.
func (d *controller) bundling() clients.Bundling {
	if d.options.Apps == nil {
		return clients.Bundling{}
	}
	return clients.Bundling{
		Place: func(done func(string)) {
			d.tasks.Background(func() {
				place := filepath.Join(d.options.Apps.Downloads(), bundle.FileName)
				d.tasks.Do(func() { done(place) })
			})
		},
		Make: func(path string, done func(string, error)) {
			d.tasks.After(func() error {
				options, err := d.options.Apps.Bundle(d.options.Version, assets.AppIcon)
				if err != nil {
					return err
				}
				_, err = setup.SaveBundle(path, options)
				return err
			}, func(err error) { done(path, err) })
		},
		Elsewhere: d.bundleElsewhere, Show: d.openPath,
	}
}

// bundleElsewhere lets the user choose where the bundle is put. It is made first: the file that is chosen is emptied at once.
func (d *controller) bundleElsewhere(done func(path string, err error)) {
	d.tasks.Background(func() {
		options, err := d.options.Apps.Bundle(d.options.Version, assets.AppIcon)
		var made bytes.Buffer
		if err == nil {
			err = bundle.Make(&made, options)
		}
		folder, wrong := storage.ListerForURI(storage.NewFileURI(d.options.Apps.Downloads()))
		d.tasks.Do(func() {
			if err != nil {
				done("", err)
				return
			}
			ask := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
				switch {
				case err != nil:
					done("", err)
				case file != nil:
					d.tasks.After(func() error {
						_, err := file.Write(made.Bytes())
						return errors.Join(err, file.Close())
					}, func(err error) { done(filepath.FromSlash(file.URI().Path()), err) })
				}
			}, d.window.window)
			ask.SetFileName(bundle.FileName)
			if wrong == nil {
				ask.SetLocation(folder)
			}
			d.showDialog(ask)
		})
	})
}
