package extension

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	// unpacking begins the names of folders that are being filled or removed.
	unpacking = ".unpacking-"

	// abandoned is the age at which no program can still be using such a folder.
	abandoned = 24 * time.Hour
)

// Unpack writes the bundle's files into [Extension.Folder]. If the folder did not exist, either all files are
// written or none, and made is true.
//
// If the folder exists, another server may run from it and may have added files. made is then false, only
// missing or changed files are written, and nothing is removed.
func (x *Extension) Unpack(ctx context.Context) (made bool, err error) {
	a, file, err := x.open(ctx)
	if err != nil {
		return false, err
	}
	defer file.Close()
	target := x.Folder()
	if _, err := os.Lstat(target); err == nil {
		return false, x.repair(ctx, a, target)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return false, x.failed(err)
	}
	x.sweep()
	temporary, err := os.MkdirTemp(x.here.Folder, unpacking+"*")
	if err != nil {
		return false, x.failed(err)
	}
	defer os.RemoveAll(temporary) // after success there is nothing to remove
	if err := x.fill(ctx, a, temporary); err != nil {
		return false, x.failed(err)
	}
	if err := atomicfile.Rename(temporary, target); err != nil {
		if _, there := os.Lstat(target); there == nil { // another program was faster
			return false, x.repair(ctx, a, target)
		}
		return false, x.failed(err)
	}
	return true, nil
}

// Remove removes the unpacked files and everything else in their folder. The folder is renamed first, so that
// nobody sees it half empty.
func (x *Extension) Remove() error {
	var err error
	if _, gone := os.Lstat(x.Folder()); gone == nil {
		err = x.discard()
	}
	// The folder of this name stays while it has other versions, and the folder of all extensions stays while
	// it has any.
	for folder := filepath.Dir(x.Folder()); len(folder) >= len(x.here.Folder); folder = filepath.Dir(folder) {
		if os.Remove(folder) != nil {
			break
		}
	}
	return err
}

func (x *Extension) discard() error {
	aside, err := os.MkdirTemp(x.here.Folder, unpacking+"*")
	if err != nil {
		return err
	}
	err = atomicfile.Rename(x.Folder(), filepath.Join(aside, "old"))
	return errors.Join(err, os.RemoveAll(aside))
}

// failed turns an error of the system into one that says what could not be done.
func (x *Extension) failed(err error) error {
	var ours *Error
	if isContext(err) || errors.As(err, &ours) {
		return err
	}
	return &Error{words.New("extension.not_unpacked", "Folder", x.here.Folder, "Why", paths.Cause(err)),
		words.New("extension.make_room")}
}

// fill writes all files into an empty folder. No file name can lead out of it.
func (x *Extension) fill(ctx context.Context, a *archive, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	made := map[string]bool{".": true}
	for _, name := range a.folders {
		if err := makeFolder(root, name, made); err != nil {
			return err
		}
	}
	for _, f := range a.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := makeFolder(root, path.Dir(f.Name), made); err != nil {
			return err
		}
		if err := x.write(ctx, root, f, f.Name); err != nil {
			return err
		}
	}
	return nil
}

// makeFolder makes a folder and its parents. A link is refused, since its target is not ours.
func makeFolder(root *os.Root, name string, made map[string]bool) error {
	if made[name] {
		return nil
	}
	if err := makeFolder(root, path.Dir(name), made); err != nil {
		return err
	}
	local := filepath.FromSlash(name)
	if err := root.Mkdir(local, 0o700); err != nil {
		if info, there := root.Lstat(local); there != nil {
			return err
		} else if !info.IsDir() {
			return inTheWay(filepath.Join(root.Name(), local))
		}
	}
	made[name] = true
	return nil
}

// write makes a new file with the contents of a file of the bundle.
func (x *Extension) write(ctx context.Context, root *os.Root, f *zip.File, name string) error {
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, x.mode(f))
	if err != nil {
		return err
	}
	return errors.Join(copyTo(&contextWriter{ctx, file}, f), file.Close())
}

// contextWriter is a writer that fails when its context ends.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (p *contextWriter) Write(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}

// sweep removes folders that programs left behind when they were killed.
func (x *Extension) sweep() {
	entries, err := os.ReadDir(x.here.Folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && strings.HasPrefix(entry.Name(), unpacking) && time.Since(info.ModTime()) > abandoned {
			_ = os.RemoveAll(filepath.Join(x.here.Folder, entry.Name())) // the next sweep tries again
		}
	}
}
