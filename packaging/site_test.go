package packaging_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSite makes the documentation as a site and follows the links of each page, as a browser does. A page with a
// link that leads nowhere is refused.
func TestSite(t *testing.T) {
	out := t.TempDir()
	program := filepath.Join(out, "site")
	if said, err := exec.CommandContext(t.Context(), "go", "-C", "tools", "build", "-o", program,
		"./site").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	pages := filepath.Join(out, "pages")
	if said, err := exec.CommandContext(t.Context(), program, "..", pages).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	all := map[string]string{}
	err := filepath.WalkDir(pages, func(path string, entry os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".html" {
			data, err := os.ReadFile(path)
			all[path] = string(data)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index", "guide/index", "configuration", "commands", "security", "architecture",
		"adr/index", "install", "contributing"} {
		if all[filepath.Join(pages, filepath.FromSlash(name)+".html")] == "" {
			t.Errorf("there is no page %s", name)
		}
	}
	for path, text := range all {
		for _, link := range regexp.MustCompile(`(?:href|src|srcset)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			file, anchor, _ := strings.Cut(link[1], "#")
			if strings.HasPrefix(file, "https:") || strings.HasPrefix(file, "mailto:") {
				continue
			}
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s has %s: %v", filepath.Base(path), link[1], err)
			}
			if page := all[target]; anchor != "" && !strings.Contains(page, `id="`+anchor+`"`) {
				t.Errorf("%s has %s, where nothing is", filepath.Base(path), link[1])
			}
		}
		if strings.Count(text, `aria-current="page"`) > 1 || !strings.Contains(text, "<h1 ") {
			t.Errorf("%s has no title, or is in the menu twice", filepath.Base(path))
		}
	}
	data, err := os.ReadFile(filepath.Join(pages, "search.js"))
	if err != nil {
		t.Fatal(err)
	}
	var index []struct{ U, P, H, T string }
	list := strings.TrimSuffix(strings.TrimPrefix(string(data), "window.workbenchPages = "), ";\n")
	if err := json.Unmarshal([]byte(list), &index); err != nil || len(index) < 200 || index[0].U != "index.html" {
		t.Errorf("%d parts can be searched for, the first is %+v, %v", len(index), index[0], err)
	}

	said, err := exec.CommandContext(t.Context(), program, filepath.Join("testdata", "site"),
		filepath.Join(out, "wrong")).CombinedOutput()
	const want = `site: docs/one.md: ../../outside.md is outside of the repository
docs/one.md: docs/README.md has no heading "gone"
docs/one.md: gone.md leads nowhere
`
	if _, made := os.Stat(filepath.Join(out, "wrong")); err == nil || string(said) != want || made == nil {
		t.Errorf("links that lead nowhere: %v\n%s", err, said)
	}
}
