package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
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
	where := l.Path
	if l.Named && l.Source != "" {
		where += " (named by " + l.Source + ")"
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &explained{err, fmt.Sprintf("there is no configuration file %s; create it with {\"toolboxes\": {}} in it, or correct the path", where)}
	case errors.Is(err, syscall.ENOTDIR):
		return &explained{err, fmt.Sprintf("there is no configuration file %s: a part of the path is a file, not a folder; correct the path", where)}
	case errors.Is(err, fs.ErrPermission):
		return &explained{err, fmt.Sprintf("no permission to read the configuration file %s; give your user account the right to read it and to enter its folders", where)}
	case errors.Is(err, errIsFolder):
		return &explained{err, fmt.Sprintf("%s is a folder, not a configuration file; name the file in it, for example %s", where, FileName)}
	case errors.Is(err, errNotAFile):
		return &explained{err, fmt.Sprintf("%s is a device, a pipe or a socket, not a file; name a regular file", where)}
	case errors.Is(err, ErrTooLarge):
		return &explained{err, fmt.Sprintf("the configuration file %s is larger than %d MiB, so it is hardly a configuration; check that the path names the right file", where, MaxSize>>20)}
	default:
		return fmt.Errorf("reading the configuration file %s: %w", where, err)
	}
}

// explained is a text for people with the reason for programs.
type explained struct {
	reason error
	text   string
}

func (e *explained) Error() string { return e.text }
func (e *explained) Unwrap() error { return e.reason }
