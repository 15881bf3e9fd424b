package main

import (
	"os"
	"path/filepath"
	"regexp"
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
