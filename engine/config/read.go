package config

import (
	"bytes"
	"errors"
	"io/fs"
	"syscall"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Read reads and diagnoses the file at a location. A missing default file is a valid document without
// toolboxes.
//
// An error means that the file is missing, not a file, not readable or too large. It says what to do, and
// matches fs.ErrNotExist, fs.ErrPermission or [atomicfile.ErrTooLarge] in these cases. Problems in the
// content are no errors but [Document.Diagnostics]. If the content is that of one of the known documents, that one is
// returned.
func Read(location Location, known ...*Document) (*Document, error) {
	source, err := atomicfile.Read(location.Path, MaxSize)
	if errors.Is(err, fs.ErrNotExist) && !location.Named {
		return emptyDocument(location.Path), nil
	}
	if err != nil {
		return nil, location.explain(err)
	}
	for _, document := range known {
		if document.Name == location.Path && document.Source != nil && bytes.Equal(document.Source, source) {
			return document, nil
		}
	}
	return Parse(location.Path, source), nil
}

// emptyDocument returns the document of a default file that does not exist. Unlike the document of an empty file, its
// source is nil.
func emptyDocument(name string) *Document {
	return &Document{Name: name, Config: &Config{ToolMode: ModeAuto}}
}

// explain returns an error that says why the file could not be read.
func (l Location) explain(err error) error {
	file := words.Foreign(l.Path)
	if l.Named && l.Source != "" {
		file = words.New("config.named_by", "File", l.Path, "Source", l.Source)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return words.NewError("config.read_missing", "File", file).Because(err)
	case errors.Is(err, syscall.ENOTDIR):
		return words.NewError("config.read_below_file", "File", file).Because(err)
	case paths.Withheld(err):
		return words.NewError("config.read_failed", "File", file, "Why", paths.Cause(err)).Because(err)
	case errors.Is(err, fs.ErrPermission):
		return words.NewError("config.read_permission", "File", file).Because(err)
	case errors.Is(err, atomicfile.ErrIsFolder):
		return words.NewError("config.read_folder", "File", file, "Example", FileName).Because(err)
	case errors.Is(err, atomicfile.ErrNotAFile):
		return words.NewError("config.read_device", "File", file).Because(err)
	case errors.Is(err, atomicfile.ErrTooLarge):
		return words.NewError("config.read_too_large", "File", file, "Size", MaxSize>>20).Because(err)
	}
	return words.NewError("config.read_failed", "File", file, "Why", err)
}
