package extension

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

const (
	// unpacking begins the names of folders that are being filled, and of those that are being taken away.
	unpacking = ".unpacking-"

	// abandoned is the age at which such a folder is certainly nobody's any more.
	abandoned = 24 * time.Hour
)

// Unpack puts the bundle's files into [Extension.Folder], all or none. When they are there already nothing is done, and made is false.
func (x *Extension) Unpack(ctx context.Context) (made bool, err error) {
	a, file, err := x.open(ctx)
	if err != nil {
		return false, err
	}
	defer file.Close()
	target := x.Folder()
	if same(ctx, a, target) {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return false, x.failed(err)
	}
	x.sweep()
	temporary, err := os.MkdirTemp(x.here.Folder, unpacking+"*")
	if err != nil {
		return false, x.failed(err)
	}
	defer os.RemoveAll(temporary) // nothing is left of it when all went well
	if err := x.fill(ctx, a, temporary); err != nil {
		return false, x.failed(err)
	}
	return x.replace(ctx, a, temporary, target)
}

// replace moves the unpacked files to their place. What is there is not whole, or was changed.
func (x *Extension) replace(ctx context.Context, a *archive, temporary, target string) (made bool, err error) {
	back := func() error { return nil }
	if _, err := os.Lstat(target); err == nil {
		aside, err := os.MkdirTemp(x.here.Folder, unpacking+"*")
		if err != nil {
			return false, x.failed(err)
		}
		defer os.RemoveAll(aside)
		old := filepath.Join(aside, "old")
		if err := rename(target, old); err != nil {
			return false, &Error{fmt.Sprintf("The files in %s cannot be replaced: %s.", target, reason(err)), "Stop the server that is started from there, then try again."}
		}
		back = func() error { return rename(old, target) }
	}
	if err := rename(temporary, target); err != nil {
		if same(ctx, a, target) { // somebody else was faster
			return false, nil
		}
		return false, errors.Join(x.failed(err), back())
	}
	return true, nil
}

// Remove takes the unpacked files away again.
func (x *Extension) Remove() error {
	err := os.RemoveAll(x.Folder())
	// The folder of the name stays as long as there are other versions in it, the one of all extensions as long as there are any.
	for folder := filepath.Dir(x.Folder()); len(folder) >= len(x.here.Folder); folder = filepath.Dir(folder) {
		if os.Remove(folder) != nil {
			break
		}
	}
	return err
}

// failed says of an error of the system what could not be done.
func (x *Extension) failed(err error) error {
	var ours *Error
	if isContext(err) || errors.As(err, &ours) {
		return err
	}
	return &Error{fmt.Sprintf("It could not be unpacked to %s: %s.", x.here.Folder, reason(err)), "Make sure that there is room and that you may write there, then try again."}
}

// reason is an error of the system without the path, which would be that of a temporary folder.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err.Error()
	}
	return err.Error()
}

// fill writes all files into an empty folder. Nothing can get out of it, whatever the names are.
func (x *Extension) fill(ctx context.Context, a *archive, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	made := map[string]bool{".": true}
	for _, name := range a.folders {
		if err := root.MkdirAll(filepath.FromSlash(name), 0o700); err != nil {
			return err
		}
	}
	for _, f := range a.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if parent := path.Dir(f.Name); !made[parent] {
			if err := root.MkdirAll(filepath.FromSlash(parent), 0o700); err != nil {
				return err
			}
			made[parent] = true
		}
		if err := x.write(ctx, root, f); err != nil {
			return err
		}
	}
	return nil
}

func (x *Extension) write(ctx context.Context, root *os.Root, f *zip.File) error {
	file, err := root.OpenFile(filepath.FromSlash(f.Name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, x.mode(f))
	if err != nil {
		return err
	}
	return errors.Join(copyTo(&patientWriter{ctx, file}, f), file.Close())
}

// patientWriter writes until a context ends.
type patientWriter struct {
	ctx context.Context
	w   io.Writer
}

func (p *patientWriter) Write(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}

// same tells whether every file is in a folder with the bundle's contents. What a server has put there beside them does not count.
func same(ctx context.Context, a *archive, folder string) bool {
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() {
		return false
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return false
	}
	defer root.Close()
	for _, f := range a.files {
		if ctx.Err() != nil || !sameFile(root, f) {
			return false
		}
	}
	return true
}

func sameFile(root *os.Root, f *zip.File) bool {
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
	return copyTo(&comparer{bufio.NewReader(file)}, f) == nil
}

// comparer fails when something else is written than a reader has.
type comparer struct{ r io.Reader }

var errDiffers = errors.New("it differs")

func (c *comparer) Write(b []byte) (int, error) {
	have := make([]byte, len(b))
	if _, err := io.ReadFull(c.r, have); err != nil || !bytes.Equal(have, b) {
		return 0, errDiffers
	}
	return len(b), nil
}

// sweep takes away what programs that were ended meanwhile have left.
func (x *Extension) sweep() {
	entries, err := os.ReadDir(x.here.Folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && strings.HasPrefix(entry.Name(), unpacking) && time.Since(info.ModTime()) > abandoned {
			_ = os.RemoveAll(filepath.Join(x.here.Folder, entry.Name())) // the next one tries again
		}
	}
}
