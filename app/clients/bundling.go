package clients

import (
	"bytes"
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/bundle"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// bundling returns what the dialog needs to make the bundle for Claude Desktop.
func (s *Service) bundling() Bundling {
	if s.options.Apps == nil {
		return Bundling{}
	}
	return Bundling{
		Place: func(done func(string, *config.Server)) {
			starts := &config.Server{Transport: config.TransportStdio}
			task.Find(s.options.Tasks, func() string {
				// if this fails, starts stays empty; Make reports the error
				if options, err := s.options.Apps.Bundle(s.options.Version, nil); err == nil {
					starts.Command, starts.Args = options.Starts()
				}
				return filepath.Join(s.options.Apps.Downloads(), bundle.FileName)
			}, func(place string) { done(place, starts) })
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

// bundleElsewhere lets the user choose where to save the bundle. It proposes a path.
func (s *Service) bundleElsewhere(path string, done func(path string, err error)) {
	s.options.Window.AskWhere(path, func(path string, before []byte) error {
		options, err := s.options.Apps.Bundle(s.options.Version, assets.AppIcon)
		if err != nil {
			return err
		}
		var made bytes.Buffer
		if err := bundle.Make(&made, options); err != nil {
			return err
		}
		return paths.Cause(atomicfile.Replace(path, made.Bytes(), before))
	}, func(path string) { done(path, nil) })
}
