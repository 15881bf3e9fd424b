package config

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// SeenIn reports whether sessions see the toolbox that work in folders, which are absolute paths: one of them must be
// a folder of the toolbox or lie in it. lookup has the values of references. Links are followed.
func (t *Toolbox) SeenIn(lookup Lookup, folders []string) bool {
	return t.Folders == nil || slices.ContainsFunc(t.Folders, func(text string) bool {
		limit, err := lookup.folder(text)
		return err == nil && limit != "" &&
			slices.ContainsFunc(folders, func(folder string) bool { return liesIn(realPath(folder), realPath(limit)) })
	})
}

// folder returns the path of an element of [Toolbox.Folders]: ~ at its beginning is the home folder, and references
// are replaced.
func (l Lookup) folder(text string) (string, error) {
	if text == "~" || strings.HasPrefix(text, "~/") || strings.HasPrefix(text, `~\`) {
		text = "${HOME}" + text[1:]
	}
	e := expander{lookup: l, server: &Server{}}
	return e.replace(text, func(error) bool { return false })
}

// liesIn reports whether a folder is another one or lies in it.
func liesIn(folder, other string) bool {
	inside, err := filepath.Rel(other, folder)
	return err == nil && inside != ".." && !strings.HasPrefix(inside, ".."+string(filepath.Separator))
}

// realPath returns a path without symbolic links, as the disk compares it.
func realPath(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return paths.Fold(path)
	}
	return path
}
