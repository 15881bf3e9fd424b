package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// folder is an allowed folder, which the person has chosen.
type folder struct {
	path string // absolute, as it was chosen
	real string // absolute, without symbolic links
}

// item is a file or folder in an allowed folder. It is opened relative to that folder, so that links cannot lead out
// of it.
type item struct {
	in   folder // the allowed folder
	name string // relative to the folder; "." for the folder itself
}

func (p item) String() string { return filepath.Join(p.in.path, p.name) }

// newFolders returns the allowed folders. At least one of them must exist; the others may be on a disk that is not
// there.
func newFolders(paths []string) ([]folder, error) {
	if len(paths) == 0 {
		return nil, errors.New("name at least one folder")
	}
	var all []folder
	missing := ""
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		real := absolute
		if resolved, err := filepath.EvalSymlinks(absolute); err == nil {
			real = resolved
		} else if missing == "" {
			missing = absolute
		}
		all = append(all, folder{absolute, real})
	}
	if !slices.ContainsFunc(all, func(f folder) bool { return exists(item{f, "."}) }) {
		return nil, fmt.Errorf("the folder %s does not exist", missing)
	}
	return all, nil
}

// at returns the item at a path, which is absolute or relative to an allowed folder. A relative path that exists in
// several folders means the first of them.
func (s *server) at(path string) (item, error) {
	path = filepath.FromSlash(path)
	if strings.ContainsRune(path, 0) {
		return item{}, errors.New("a path cannot contain a zero byte")
	}
	if !filepath.IsAbs(path) {
		if path == "" {
			path = "."
		}
		if !filepath.IsLocal(path) {
			return item{}, s.outside(path)
		}
		first := item{s.folders[0], filepath.Clean(path)}
		for _, f := range s.folders[1:] {
			if exists(item{f, first.name}) && !exists(first) {
				return item{f, first.name}, nil
			}
		}
		return first, nil
	}
	for _, f := range s.folders {
		for _, base := range []string{f.path, f.real} {
			if name, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(name) {
				return item{f, name}, nil
			}
		}
	}
	return item{}, s.outside(path)
}

func exists(p item) bool {
	root, err := os.OpenRoot(p.in.path)
	if err != nil {
		return false
	}
	defer root.Close()
	_, err = root.Lstat(p.name)
	return err == nil
}

func (s *server) outside(path string) error {
	var all []string
	for _, f := range s.folders {
		all = append(all, f.path)
	}
	return fmt.Errorf("%q is outside of the folders that were chosen: %s", path, strings.Join(all, ", "))
}

// open opens the allowed folder of an item. The folder may have been removed since the server was started.
func (p item) open() (*os.Root, error) {
	root, err := os.OpenRoot(p.in.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder %s is not there any more", p.in.path)
	}
	return root, err
}

// within calls do with the opened folder of an item. It returns errors that a model understands.
func (p item) within(do func(root *os.Root) error) error {
	root, err := p.open()
	if err != nil {
		return err
	}
	defer root.Close()
	return p.explain(do(root))
}

func (p item) explain(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsRune(p.name, utf8.RuneError):
		return fmt.Errorf("%s does not exist; if the name is in a list, it is not UTF-8, and the person has to rename it", p)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", p)
	case paths.Withheld(err):
		return fmt.Errorf("%s: %w", p, paths.Cause(err))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the system does not allow this for %s", p)
	case err != nil && strings.Contains(err.Error(), "escapes from parent"):
		return fmt.Errorf("%s is a link that leads out of the folder %s", p, p.in.path)
	}
	return err
}

// regular opens a file for reading. Devices and pipes are refused, since reading them may never end.
func (p item) regular(root *os.Root) (*os.File, os.FileInfo, error) {
	info, err := root.Stat(p.name)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return nil, nil, fmt.Errorf("%s is a folder; list_directory shows what is in it", p)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is no file that can be read", p)
	}
	opened, err := root.Open(p.name)
	return opened, info, err
}
