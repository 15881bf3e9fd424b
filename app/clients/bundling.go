package clients

import (
	"bytes"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/bundle"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
)

// bundling returns what the dialog needs to make the bundle for Claude Desktop.
func (s *Service) bundling() Bundling {
	if s.options.Apps == nil {
		return Bundling{}
	}
	return Bundling{
		Place: func(done func(string, *config.Server)) {
			s.options.Tasks.Background(func() {
				place := filepath.Join(s.options.Apps.Downloads(), bundle.FileName)
				starts := &config.Server{Transport: config.TransportStdio}
				if options, err := s.options.Apps.Bundle(s.options.Version, nil); err == nil { // if this fails, starts stays empty; Make reports the error
					starts.Command, starts.Args = options.Starts()
				}
				s.options.Tasks.Do(func() { done(place, starts) })
			})
		},
		Make: func(path string, done func(string, error)) {
			s.options.Tasks.After(func() error {
				options, err := s.options.Apps.Bundle(s.options.Version, assets.AppIcon)
				if err != nil {
					return err
				}
				_, err = setup.SaveBundle(path, options)
				return err
			}, func(err error) { done(path, err) })
		},
		Elsewhere: s.bundleElsewhere, Show: s.options.Window.OpenPath,
	}
}

// bundleElsewhere lets the user choose where to save the bundle. It makes the bundle first, because Fyne empties a file as
// soon as the user chooses it.
func (s *Service) bundleElsewhere(done func(path string, err error)) {
	s.options.Tasks.Background(func() {
		options, err := s.options.Apps.Bundle(s.options.Version, assets.AppIcon)
		var made bytes.Buffer
		if err == nil {
			err = bundle.Make(&made, options)
		}
		folder, wrong := storage.ListerForURI(storage.NewFileURI(s.options.Apps.Downloads()))
		s.options.Tasks.Do(func() {
			if err != nil {
				done("", err)
				return
			}
			ask := dialog.NewFileSave(func(file fyne.URIWriteCloser, err error) {
				switch {
				case err != nil:
					done("", err)
				case file != nil:
					s.options.Tasks.After(func() error {
						_, err := file.Write(made.Bytes())
						return errors.Join(err, file.Close())
					}, func(err error) { done(filepath.FromSlash(file.URI().Path()), err) })
				}
			}, s.options.Window.Window)
			ask.SetFileName(bundle.FileName)
			if wrong == nil {
				ask.SetLocation(folder)
			}
			s.options.Window.ShowDialog(ask)
		})
	})
}
