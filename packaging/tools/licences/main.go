// Command licences prints the licences of everything that is inside the packages, for all systems: docs/licences.md.
// It reads them from the modules that Go has downloaded, so nothing can be forgotten.
//
//	licences ROOT     ROOT is the repository
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: licences ROOT")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// goItself stands for Go's library and runtime, whose folder has a licence for all of it.
const goItself = "Go, its library and its runtime"

// module is a module that is inside, and the folders of its packages that are.
type module struct {
	path, folder string
	packages     []string
}

// licence is a text, and the modules that have it.
type licence struct {
	kind, text string
	of         []string
}

func write(w io.Writer, root string) error {
	modules, err := inside(root)
	if err != nil {
		return err
	}
	var all []*licence
	var rows []string
	for _, m := range modules {
		texts, err := m.licences()
		if err != nil {
			return err
		}
		var kinds []string
		for _, name := range slices.Sorted(keys(texts)) {
			text := texts[name]
			kind, err := kindOf(text)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", m.path, name, err)
			}
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			of := m.path
			if filepath.ToSlash(name) != filepath.Base(name) {
				of += " (" + filepath.ToSlash(filepath.Dir(name)) + ")"
			}
			at := slices.IndexFunc(all, func(l *licence) bool { return l.text == text })
			if at < 0 {
				at, all = len(all), append(all, &licence{kind: kind, text: text})
			}
			if !slices.Contains(all[at].of, of) {
				all[at].of = append(all[at].of, of)
			}
		}
		if len(kinds) == 0 {
			return fmt.Errorf("%s has no licence", m.path)
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |\n", m.path, strings.Join(kinds, ", ")))
	}
	fmt.Fprint(w, "# Licences of others\n\n"+
		"Workbench is under the MIT licence, and contains these modules. `packaging/tools/licences` collects them, for all\n"+
		"systems. Which version of which module is in a package, says its bill of materials.\n\n"+
		"The marks of apps and services in the window are from Simple Icons, under CC0 1.0. They are trademarks of their\n"+
		"owners, who have nothing to do with Workbench.\n\n"+
		"| module | licences |\n|---|---|\n"+strings.Join(rows, "")+"\n## The texts\n")
	for _, l := range all {
		fmt.Fprintf(w, "\n### %s\n\n", l.kind)
		for _, of := range l.of {
			fmt.Fprintf(w, "* `%s`\n", of)
		}
		fmt.Fprintf(w, "\n```text\n%s\n```\n", l.text)
	}
	return nil
}

func keys(texts map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range texts {
			if !yield(name) {
				return
			}
		}
	}
}

// inside returns the modules that are inside, Go's own library first.
func inside(root string) ([]*module, error) {
	found := map[string]*module{}
	for _, build := range []string{"linux 1 no_emoji", "windows 1 ", "darwin 1 ", "linux 0 headless", "windows 0 headless",
		"darwin 0 headless"} {
		var system, cgo, tags string
		_, _ = fmt.Sscan(build, &system, &cgo, &tags) // the last word may be missing
		list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Standard,Module", "-tags", tags,
			"./cmd/workbench-desktop")
		list.Dir, list.Stderr = root, os.Stderr
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED="+cgo)
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", build, err)
		}
		for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
			var one struct {
				Dir      string
				Standard bool
				Module   *struct {
					Path, Dir string
					Main      bool
				}
			}
			if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if one.Module == nil || one.Module.Main {
				continue
			}
			m := found[one.Module.Path]
			if m == nil {
				m = &module{path: one.Module.Path, folder: one.Module.Dir}
				found[m.path] = m
			}
			m.packages = append(m.packages, one.Dir)
		}
	}
	goRoot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	folder := strings.TrimSpace(string(goRoot))
	all := []*module{{path: goItself, folder: folder, packages: []string{folder}}}
	var others []*module
	for _, m := range found {
		others = append(others, m)
	}
	slices.SortFunc(others, func(a, b *module) int { return cmp.Compare(a.path, b.path) })
	return append(all, others...), nil
}

// licences returns the texts of a module by the names of their files: those that hold for all of it, for a package
// that is inside, and for what such a package has in folders of its own, such as the source of a library in C.
func (m *module) licences() (map[string]string, error) {
	name := regexp.MustCompile(`(?i)^(un)?(licen[sc]e|copying|notice|patents)([-_.].*)?$`)
	found := map[string]string{}
	err := filepath.WalkDir(m.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == "testdata" || path != m.folder && m.path == goItself {
				return fs.SkipDir
			}
			return nil
		}
		if !name.MatchString(entry.Name()) || filepath.Ext(path) == ".go" || !m.counts(filepath.Dir(path)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(m.folder, path)
		found[relative] = tidy(string(text))
		return err
	})
	return found, err
}

// counts reports whether what lies in a folder is about something that is inside.
func (m *module) counts(folder string) bool {
	within := func(inner, outer string) bool {
		return inner == outer || strings.HasPrefix(inner, outer+string(filepath.Separator))
	}
	source, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	return slices.ContainsFunc(m.packages, func(used string) bool {
		return within(used, folder) || within(folder, used) && len(source) == 0
	})
}

// tidy returns a text without spaces at the ends of lines, so that the same licences are the same texts.
func tidy(text string) string {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	text = regexp.MustCompile(`[ \t\f]+\n`).ReplaceAllString(text+"\n", "\n")
	return strings.Trim(strings.ReplaceAll(text, "```", "'''"), "\n")
}

// kindOf returns what a licence is called. One that is not known here has to be read by a person first.
func kindOf(text string) (string, error) {
	flat := strings.Join(strings.Fields(text), " ")
	for _, known := range [][2]string{
		{"GNU GENERAL PUBLIC LICENSE", ""}, {"GNU AFFERO", ""}, {"GNU LESSER", ""},
		{"SIL OPEN FONT LICENSE", "OFL-1.1"}, {"Apache License", "Apache-2.0"}, {"Mozilla Public License", "MPL-2.0"},
		{"Additional IP Rights Grant", "Google's patent grant"}, {"Bitstream Vera", "Bitstream Vera"},
		{"altered from any source distribution", "Zlib"}, {"must not be misrepresented", "Zlib"},
		{"Permission to use, copy, modify, and/or distribute", "ISC"},
		{"Permission is hereby granted, free of charge", "MIT"}, {"Neither the name", "BSD-3-Clause"},
		{"Redistributions in binary form", "BSD-2-Clause"}, {"Attribution 4.0 International", "CC-BY-4.0"},
	} {
		if strings.Contains(flat, known[0]) && known[1] != "" {
			return known[1], nil
		} else if strings.Contains(flat, known[0]) && !strings.Contains(flat, "Mozilla") {
			break
		}
	}
	return "", fmt.Errorf("not a licence that is known here, so somebody has to read it: %.200s", flat)
}
