package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWhereToChangeWhat checks that the places that docs/architecture.md names under "Where to change what" exist:
// files and folders, which may be patterns, and declarations (`name` in `file`).
func TestWhereToChangeWhat(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## Where to change what\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	place := regexp.MustCompile("(?:`(\\w+)` in )?`([^`]+/[^`]*)`")
	rows, places := 0, 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		rows++
		for _, m := range place.FindAllStringSubmatch(line, -1) {
			places++
			found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(m[2])))
			switch {
			case err != nil || len(found) == 0:
				t.Errorf("%s does not exist, in: %s", m[2], line)
			case m[1] != "":
				source, err := os.ReadFile(found[0])
				if err != nil || !regexp.MustCompile(`\b`+m[1]+`\b`).Match(source) {
					t.Errorf("%s is not in %s (%v), in: %s", m[1], m[2], err, line)
				}
			}
		}
	}
	if rows < 10 || places < 2*rows {
		t.Errorf("the table has %d rows and %d places; the test looks in the wrong place", rows, places)
	}
}

// TestPicturesOfAWay checks that the steps of a call and of a reload in docs/architecture.md are in the files that the
// pictures name: methods of a type, or types of a package.
func TestPicturesOfAWay(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, title := range []string{"## A call\n", "## A reload\n"} {
		_, picture, _ := strings.Cut(string(page), title)
		_, picture, _ = strings.Cut(picture, "```")
		picture, _, _ = strings.Cut(picture, "```")
		for _, step := range regexp.MustCompile(`(?m)^ ([\w.]+)\s+(\w+\.go)\s`).FindAllStringSubmatch(picture, -1) {
			steps++
			path := strings.Split(step[1], ".")
			owner, name := path[len(path)-2], path[len(path)-1]
			method := regexp.MustCompile(`(?m)^func \(\w+ \*?` + owner + `\) ` + name + `\b`)
			typ := regexp.MustCompile(`(?m)^type ` + name + `\b`)
			files, err := filepath.Glob(filepath.Join("..", "..", "engine", "*", step[2]))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(files, func(file string) bool {
				source, err := os.ReadFile(file)
				return err == nil &&
					(method.Match(source) || filepath.Base(filepath.Dir(file)) == owner && typ.Match(source))
			}) {
				t.Errorf("%s is not declared in a file %s of the engine", step[1], step[2])
			}
		}
	}
	if steps < 10 {
		t.Errorf("the pictures have %d steps", steps)
	}
}
