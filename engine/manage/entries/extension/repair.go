package extension

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// repair restores the files in a folder that are missing or differ from the bundle. Each file is replaced
// atomically. All other files, such as a server's database, are left alone.
func (x *Extension) repair(ctx context.Context, a *archive, folder string) error {
	info, err := os.Lstat(folder)
	if err == nil && !info.IsDir() {
		return inTheWay(folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return x.failed(err)
	}
	defer root.Close()
	made := map[string]bool{".": true}
	for _, f := range a.files {
		if sameFile(ctx, root, f) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		err := makeFolder(root, path.Dir(f.Name), made)
		if err == nil {
			err = x.rewrite(ctx, root, f)
		}
		var ours *Error
		if err != nil && !isContext(err) && !errors.As(err, &ours) {
			return &Error{words.New("extension.not_repaired", "Path", filepath.Join(folder, filepath.FromSlash(f.Name)), "Why",
				paths.Cause(err)), words.New("extension.stop_server")}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rewrite writes a file beside its place and renames it, so that a server never reads half of it.
func (x *Extension) rewrite(ctx context.Context, root *os.Root, f *zip.File) error {
	name := filepath.FromSlash(f.Name)
	if info, err := root.Lstat(name); err == nil && info.IsDir() {
		return inTheWay(filepath.Join(root.Name(), name))
	}
	beside := path.Join(path.Dir(f.Name), unpacking+rand.Text())
	err := x.write(ctx, root, f, beside)
	if err == nil {
		err = atomicfile.Patiently(func() error { return root.Rename(filepath.FromSlash(beside), name) })
	}
	if err != nil {
		_ = root.Remove(filepath.FromSlash(beside)) // it may not exist
	}
	return err
}

// inTheWay returns an error: something that is not ours to remove is in the place of an extension's file or
// folder.
func inTheWay(path string) error {
	return &Error{words.New("extension.in_the_way", "Path", path), words.New("extension.move_away")}
}

func sameFile(ctx context.Context, root *os.Root, f *zip.File) bool {
	name := filepath.FromSlash(f.Name)
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(f.UncompressedSize64) {
		return false
	}
	file, err := root.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	return copyTo(&contextWriter{ctx, &comparer{bufio.NewReader(file)}}, f) == nil
}

// comparer is a writer that fails when what is written differs from what the reader has.
type comparer struct{ r io.Reader }

var errDiffers = errors.New("it differs")

func (c *comparer) Write(b []byte) (int, error) {
	have := make([]byte, len(b))
	if _, err := io.ReadFull(c.r, have); err != nil || !bytes.Equal(have, b) {
		return 0, errDiffers
	}
	return len(b), nil
}
