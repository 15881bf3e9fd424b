// Command site makes web pages of the documentation: of the same files that are read in the repository, so that
// nothing is written twice. The pages need no server, and can be read without scripts; those are for the search and
// the switch between light and dark.
//
//	site ROOT OUT     ROOT is the repository
//
// A link that leads nowhere is an error, and nothing is written.
package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed page.html site.css site.js
var parts embed.FS

// source is where links lead that the site has no page for.
const source = "https://github.com/workbench-mcp/workbench-desktop/blob/main/"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: site ROOT OUT")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// names returns the files that become pages, by their paths in the repository, and the paths of the pages.
func names(root string) (map[string]string, error) {
	found := map[string]string{
		"README.md": "index.html", "CONTRIBUTING.md": "contributing.html", "SECURITY.md": "reporting.html",
		"CHANGELOG.md": "changelog.html", "packaging/README.md": "packaging.html", "e2e/README.md": "tests.html",
		"bench/README.md": "bench.html",
	}
	err := fs.WalkDir(os.DirFS(root), "docs", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(name) == ".md" {
			page := strings.TrimSuffix(strings.TrimPrefix(name, "docs/"), ".md")
			switch {
			case page == "README":
				page = "docs"
			case path.Base(page) == "README":
				page = path.Join(path.Dir(page), "index")
			}
			found[name] = page + ".html"
		}
		return err
	})
	return found, err
}

func write(root, out string) error {
	paths, err := names(root)
	if err != nil {
		return err
	}
	s := &site{root: root, paths: paths, pages: map[string]*page{},
		copies: map[string]string{"assets/src/app.svg": "files/assets/src/app.svg"}}
	for name := range paths {
		if s.pages[name], err = readPage(root, name); err != nil {
			return err
		}
	}
	if err := s.connect(); err != nil {
		return err
	}
	files := map[string][]byte{}
	groups, err := s.menu()
	if err != nil {
		return err
	}
	for name, page := range s.pages {
		if files[paths[name]], err = s.html(page, groups); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for from, to := range s.copies {
		if files[to], err = os.ReadFile(filepath.Join(root, filepath.FromSlash(from))); err != nil {
			return err
		}
	}
	index, err := json.Marshal(s.index(groups))
	if err != nil {
		return err
	}
	files["search.js"] = append(append([]byte("window.workbenchPages = "), index...), ";\n"...)
	for _, name := range []string{"site.css", "site.js"} {
		if files[name], err = parts.ReadFile(name); err != nil {
			return err
		}
	}
	return save(out, files)
}

func save(out string, files map[string][]byte) error {
	var failed []error
	for name, data := range files {
		target := filepath.Join(out, filepath.FromSlash(name))
		failed = append(failed, os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, data, 0o644))
	}
	return errors.Join(failed...)
}
