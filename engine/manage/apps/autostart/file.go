package autostart

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxFile is the largest size in bytes that a file of ours can have.
const maxFile = 64 << 10

// file is a system that keeps the entry in a file of its own.
type file struct {
	path   string
	format func(program string) ([]byte, error)
	parse  func(text []byte) entry
}

func (f *file) where() string { return f.path }

func (f *file) read() (entry, bool, error) {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(f.path); err == nil {
			return entry{foreign: true}, true, nil // a broken link, which somebody made on purpose
		}
		return entry{}, false, nil
	case err != nil:
		return entry{}, false, err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return entry{foreign: true}, true, nil
	}
	opened, err := os.Open(f.path)
	if err != nil {
		return entry{}, false, err
	}
	defer opened.Close()
	text, err := io.ReadAll(io.LimitReader(opened, maxFile))
	if err != nil {
		return entry{}, false, err
	}
	return f.parse(text), true, nil
}

func (f *file) write(program string) error {
	text, err := f.format(program)
	if err != nil {
		return err
	}
	// Other programs make this folder with the same permissions.
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return err
	}
	if err := atomicfile.Overwrite(f.path, text); err != nil {
		return err
	}
	// The file is readable by all: some desktops list it as another user.
	if err := os.Chmod(f.path, 0o644); err != nil {
		return words.NewError("autostart.mode", "Why", err)
	}
	return nil
}

func (f *file) remove() error { return os.Remove(f.path) }
