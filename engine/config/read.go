package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Read reads and diagnoses the file at a location. A missing default file is a valid document
// without toolboxes.
//
// The errors are about the file as such: it is missing, not a file, not readable or too large. They
// say what to do, and they match fs.ErrNotExist, fs.ErrPermission or [ErrTooLarge] where that is the reason.
// Problems in the file are not errors but [Document.Diagnostics].
func Read(location Location) (*Document, error) {
	source, err := readFile(location.Path)
	if errors.Is(err, fs.ErrNotExist) && !location.Named {
		return emptyDocument(location.Path), nil
	}
	if err != nil {
		return nil, location.explain(err)
	}
	return Parse(location.Path, source), nil
}

// emptyDocument stands for a default file that doesn't exist. Unlike that of an empty file, its
// source is nil.
func emptyDocument(name string) *Document {
	return &Document{Name: name, Config: &Config{ToolMode: ModeAuto}}
}

var (
	// ErrTooLarge is the reason when a file has more than [MaxSize] bytes.
	ErrTooLarge = errors.New("the file is too large")

	errIsFolder = errors.New("it is a folder")
	errNotAFile = errors.New("it is not a regular file")
)

func readFile(path string) ([]byte, error) {
	// Looked at before it is opened, since opening a pipe may wait for ever.
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errIsFolder
	case !info.Mode().IsRegular():
		return nil, errNotAFile
	case info.Size() > MaxSize:
		return nil, ErrTooLarge
	}
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	source, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(source) > MaxSize { // it grew meanwhile
		return nil, ErrTooLarge
	}
	return source, nil
}

// explain says in words why the file could not be read.
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
	case errors.Is(err, fs.ErrPermission):
		return words.NewError("config.read_permission", "File", file).Because(err)
	case errors.Is(err, errIsFolder):
		return words.NewError("config.read_folder", "File", file, "Example", FileName).Because(err)
	case errors.Is(err, errNotAFile):
		return words.NewError("config.read_device", "File", file).Because(err)
	case errors.Is(err, ErrTooLarge):
		return words.NewError("config.read_too_large", "File", file, "Size", MaxSize>>20).Because(err)
	}
	return words.NewError("config.read_failed", "File", file, "Why", err)
}
