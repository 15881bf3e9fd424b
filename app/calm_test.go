package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// moving matches the widgets of Fyne that are redrawn all the time.
var moving = regexp.MustCompile(`widget\.(New)?(ProgressBarInfinite|Activity)\b`)

// TestNothingMovesWhileWaiting checks that nothing in the window moves while it waits for something. Without a
// graphics card, that would take up to half of a core. See kit.NewMarked.
func TestNothingMovesWhileWaiting(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		source, err := os.ReadFile(path)
		if found := moving.Find(source); found != nil {
			t.Errorf("%s: %s is redrawn as long as it is visible", path, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Fatalf("found only %d files; the test looks in the wrong place", files)
	}
}
