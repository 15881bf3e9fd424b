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

// PlaceBundle returns where the bundle for Claude Desktop is saved, and what it starts.
func (s *Service) PlaceBundle(done func(path string, starts *config.Server)) {
	starts := &config.Server{Transport: config.TransportStdio}
	task.Find(s.options.Tasks, func() string {
		// if this fails, starts stays empty; MakeBundle reports the error
		if options, err := s.options.Apps.Bundle(s.options.Version, nil); err == nil {
			starts.Command, starts.Args = options.Starts()
		}
		return filepath.Join(s.options.Apps.Downloads(), bundle.FileName)
	}, func(place string) { done(place, starts) })
}

// MakeBundle saves the bundle at a path.
func (s *Service) MakeBundle(path string, done func(path string, err error)) {
	s.options.Tasks.After(func() error {
		options, err := s.options.Apps.Bundle(s.options.Version, assets.AppIcon)
		if err != nil {
			return err
		}
		_, err = setup.SaveBundle(path, options)
		return err
	}, func(err error) { done(path, err) })
}

// MakeBundleElsewhere lets the user choose where to save the bundle. It proposes a path.
func (s *Service) MakeBundleElsewhere(path string, done func(path string, err error)) {
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
