package runtimes

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of unpacking. Node.js has some 6,000 files and 250 million bytes.
const (
	maxUnpacked = 1 << 30
	maxFiles    = 20_000
	maxDepth    = 64
)

// unpacked is a folder that is being filled. No path in an archive can lead out of it.
type unpacked struct {
	offer Offer
	root  *os.Root
	made  map[string]bool // folders
	links []symlink       // made at the end, so that no file is written through a link
	files int
	bytes int64
}

type symlink struct{ name, target string }

// unpack unpacks an archive into an empty folder, without the top folder of the archive.
func unpack(ctx context.Context, offer Offer, file *os.File, folder string, progress func(Progress)) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	u := &unpacked{offer: offer, root: root, made: map[string]bool{".": true}}
	tell := func(done int64) { progress(Progress{Step: Unpacking, Done: min(done, info.Size()), All: info.Size()}) }
	if strings.HasSuffix(offer.Address, ".zip") {
		err = u.zip(ctx, file, info.Size(), tell)
	} else {
		err = u.tar(&counting{ctx, file, 0, tell})
	}
	if err == nil {
		err = u.finish()
	}
	return err
}

// tar unpacks a gzipped tar file.
func (u *unpacked) tar(r io.Reader) error {
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return u.broken(err)
	}
	archive := tar.NewReader(unzipped)
	for {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			// There may be padding after the last file. A truncated archive is noticed here at the latest.
			if _, err := io.Copy(io.Discard, io.LimitReader(unzipped, maxUnpacked)); err != nil {
				return u.broken(err)
			}
			return nil
		case err != nil:
			return u.broken(err)
		}
		switch header.Typeflag {
		case tar.TypeXGlobalHeader:
		case tar.TypeDir:
			err = u.add(header.Name, fs.ModeDir, "", nil)
		case tar.TypeSymlink:
			err = u.add(header.Name, fs.ModeSymlink, header.Linkname, nil)
		case tar.TypeReg:
			err = u.add(header.Name, header.FileInfo().Mode().Perm(), "", archive)
		default: // devices and hard links
			err = u.hostile(header.Name)
		}
		if err != nil {
			return err
		}
	}
}

// zip unpacks a zip file.
func (u *unpacked) zip(ctx context.Context, file *os.File, size int64, tell func(int64)) error {
	archive, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return u.broken(err)
	}
	var done int64
	for _, f := range archive.File {
		mode := f.Mode()
		switch {
		case mode.IsDir():
			err = u.add(f.Name, fs.ModeDir, "", nil)
		case mode.IsRegular():
			err = u.zipped(ctx, f)
		default:
			err = u.hostile(f.Name)
		}
		if err != nil {
			return err
		}
		done += int64(min(f.CompressedSize64, uint64(size)))
		tell(done)
	}
	return nil
}

func (u *unpacked) zipped(ctx context.Context, f *zip.File) error {
	contents, err := f.Open()
	if err != nil {
		return u.broken(err)
	}
	defer contents.Close()
	// Windows has no mode bit for executable files
	return u.add(f.Name, f.Mode().Perm()|0o700, "", &counting{ctx, contents, 0, func(int64) {}})
}

// add makes one file, folder or link.
func (u *unpacked) add(full string, mode fs.FileMode, target string, contents io.Reader) error {
	if u.files++; u.files > maxFiles {
		return words.NewError("runtimes.too_many_files", "Name", u.offer.Name, "Most", maxFiles)
	}
	name, ok := u.within(full)
	if !ok {
		return u.hostile(full)
	}
	if mode.IsDir() {
		return u.folder(name)
	}
	if name == "." {
		return u.hostile(full)
	}
	if err := u.folder(path.Dir(name)); err != nil {
		return err
	}
	if mode&fs.ModeSymlink != 0 {
		// The target is relative and must stay inside the top folder. It must be clean: in "a/../b", a may be
		// a link.
		if target != path.Clean(target) || path.IsAbs(target) ||
			!filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(name), target))) || strings.Contains(target, `\`) {
			return u.hostile(full)
		}
		u.links = append(u.links, symlink{name, target})
		return nil
	}
	return u.file(name, mode, contents)
}

// within returns the path of an entry below the archive's top folder; false for other entries.
func (u *unpacked) within(full string) (string, bool) {
	name := strings.TrimSuffix(full, "/")
	if strings.ContainsAny(name, "\\\x00") || strings.Count(name, "/") > maxDepth {
		return "", false
	}
	name = strings.TrimPrefix(name, "./")
	if name != path.Clean(name) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", false
	}
	if u.offer.Top == "" || name == "." {
		return name, true
	}
	if name == u.offer.Top {
		return ".", true
	}
	return strings.CutPrefix(name, u.offer.Top+"/")
}

func (u *unpacked) folder(name string) error {
	if u.made[name] {
		return nil
	}
	if err := u.folder(path.Dir(name)); err != nil {
		return err
	}
	if err := u.root.Mkdir(filepath.FromSlash(name), 0o700); err != nil {
		return u.refused(name, err)
	}
	u.made[name] = true
	return nil
}

func (u *unpacked) file(name string, mode fs.FileMode, contents io.Reader) error {
	rights := fs.FileMode(0o600)
	if mode&0o111 != 0 {
		rights = 0o700
	}
	file, err := u.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, rights)
	if err != nil {
		return u.refused(name, err)
	}
	written, err := u.copy(file, contents)
	u.bytes += written
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil && u.bytes > maxUnpacked {
		err = words.NewError("runtimes.unpacked_too_big", "Name", u.offer.Name, "MB", maxUnpacked>>20)
	}
	return err
}

// copy writes the contents of a file. A read error is reported as the archive's fault, a write error as the
// disk's.
func (u *unpacked) copy(file *os.File, contents io.Reader) (written int64, err error) {
	buffer := make([]byte, 128<<10)
	for written <= maxUnpacked-u.bytes {
		n, readErr := contents.Read(buffer)
		if n > 0 {
			if _, err := file.Write(buffer[:n]); err != nil {
				return written, err
			}
			written += int64(n)
		}
		if errors.Is(readErr, io.EOF) {
			return written, nil
		}
		if readErr != nil {
			return written, u.broken(readErr)
		}
	}
	return written, nil
}

// finish makes the links, and checks that all commands exist.
func (u *unpacked) finish() error {
	for _, l := range u.links {
		if err := u.root.Symlink(filepath.FromSlash(l.target), filepath.FromSlash(l.name)); err != nil {
			return u.refused(l.name, err)
		}
	}
	for _, command := range u.offer.Commands {
		info, err := u.root.Stat(filepath.FromSlash(command)) // follows links, which must not lead out
		if err != nil || !info.Mode().IsRegular() {
			return words.NewError("runtimes.command_missing", "Name", u.offer.Name, "Command", path.Base(command))
		}
	}
	return nil
}

// refused returns why a file could not be made. A repeated name, or a file in the place of a folder, is the
// archive's fault.
func (u *unpacked) refused(name string, err error) error {
	if errors.Is(err, fs.ErrExist) || !errors.Is(err, fs.ErrPermission) && isNotFolder(u.root, path.Dir(name)) {
		return u.hostile(name)
	}
	return err
}

func isNotFolder(root *os.Root, name string) bool {
	info, err := root.Lstat(filepath.FromSlash(name))
	return err == nil && !info.IsDir()
}

func (u *unpacked) hostile(name string) error {
	return words.NewError("runtimes.hostile", "Name", u.offer.Name, "File", visible.Line(short(name)))
}

func short(name string) string { return name[:min(len(name), 80)] }

// broken returns the error for an archive that cannot be read, unless the context has ended.
func (u *unpacked) broken(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var ofSystem *fs.PathError
	if errors.As(err, &ofSystem) {
		return err
	}
	return words.NewError("runtimes.damaged", "Name", u.offer.Name)
}
