package app

import (
	"bytes"
	"errors"
	"path/filepath"
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/bundle"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// bundling makes the bundle for Claude Desktop.
func (d *desk) bundling() clients.Bundling {
	if d.options.Apps == nil {
		return clients.Bundling{}
	}
	return clients.Bundling{
		Place: func(done func(string)) {
			d.background(func() {
				place := filepath.Join(downloads(d.options.Apps.System), bundle.FileName)
				d.do(func() { done(place) })
			})
		},
		Make: func(path string, done func(string, error)) {
			d.after(func() error {
				options, err := d.bundleOptions()
				if err != nil {
					return err
				}
				return bundle.Save(path, options)
			}, func(err error) { done(path, err) })
		},
		Elsewhere: d.bundleElsewhere, Show: d.openPath,
	}
}

func (d *desk) bundleOptions() (bundle.Options, error) {
	launch, err := d.options.Apps.Launch()
	return bundle.Options{Launch: launch, Version: d.options.Version, OS: runtime.GOOS, Icon: assets.AppIcon}, err
}

// bundleElsewhere lets the user choose where the bundle is put. It is made first: the file that is chosen is emptied at once.
func (d *desk) bundleElsewhere(done func(path string, err error)) {
	d.background(func() {
		options, err := d.bundleOptions()
		var made bytes.Buffer
		if err == nil {
			err = bundle.Make(&made, options)
		}
		folder, wrong := storage.ListerForURI(storage.NewFileURI(downloads(d.options.Apps.System)))
		d.do(func() {
			if err != nil {
				done("", err)
				return
			}
			ask := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
				switch {
				case err != nil:
					done("", err)
				case file != nil:
					d.after(func() error {
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

// downloads returns the folder in which people look for files that they have just got; the home folder where there is none.
func downloads(system engine.System) string {
	folder := paths.Folders{OS: system.OS, Home: system.Home, Getenv: system.Getenv}.UserFolders().Downloads
	if info, err := system.Stat(folder); err != nil || !info.IsDir() {
		return system.Home
	}
	return folder
}
