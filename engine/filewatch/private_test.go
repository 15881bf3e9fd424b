package filewatch

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// TestPrivate checks which folders of a Mac are watched.
func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	is := private("/Users/J\u00fcrgen/")
	for _, folder := range []string{
		"/Users/J\u00fcrgen", "/Users/Ju\u0308rgen", "/users/j\u00fcrgen", "/Users", "/", "/Volumes", "/Volumes/Stick",
		"/Users/J\u00fcrgen/Documents", "/Users/J\u00fcrgen/Library",
		"/Users/J\u00fcrgen/Library/Application Support",
		"/Users/J\u00fcrgen/Library/Mobile Documents/com~apple~CloudDocs/config",
		"/Users/J\u00fcrgen/Library/Group Containers/x", "/Users/J\u00fcrgen/Library/Containers/com.example.app/Data",
	} {
		if !is(folder) {
			t.Errorf("%s is watched", folder)
		}
	}
	for _, folder := range []string{
		"/Users/J\u00fcrgen/.config/workbench", "/Users/J\u00fcrgen/.cursor",
		"/Users/J\u00fcrgen/Library/Application Support/Claude", "/Users/J\u00fcrgen/Documents/project",
		"/Users/other", "/Users/J\u00fcrgens", "/etc/workbench", "/Volumes/Stick/config",
	} {
		if is(folder) {
			t.Errorf("%s is not watched", folder)
		}
	}
}

// TestTheHomeFolderIsNotWatched: in a folder that must not be opened, only the file itself is watched, also when it
// was replaced, and nothing is watched above a missing folder.
func TestTheHomeFolderIsNotWatched(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("only folders can be watched on Windows, and watching one there asks nobody for permission")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	file := filepath.Join(home, ".claude.json")
	deep := filepath.Join(home, ".missing", "mcp.json")
	write(t, file)
	write(t, filepath.Join(home, "private"))
	must(t, os.Mkdir(filepath.Join(home, "Documents"), 0o700))
	w := New(Options{Above: true, Opens: private(home)})
	defer w.Close()
	watched := func(want ...string) {
		t.Helper()
		if got := w.notices.WatchList(); !slices.Equal(got, want) {
			t.Errorf("watched are %q, want %q", got, want)
		}
	}
	if added, complete := w.Follow(file, deep); !added || complete {
		t.Errorf("added %v, complete %v", added, complete)
	}
	watched(file)
	write(t, file)
	expect(t, "a file written in place", w.Touched)
	write(t, file+".new")
	must(t, os.Rename(file+".new", file))
	expect(t, "a file that was replaced", w.Touched)
	if added, _ := w.Follow(file, deep); !added {
		t.Error("the new file is not watched")
	}
	watched(file)
	write(t, file)
	expect(t, "the new file", w.Touched)
	must(t, os.Remove(file))
	expect(t, "the end of the file", w.Touched)
	w.Follow(file, deep)
	watched()
}

// TestNamesAreFolded: the name in a notification may have other accents and another case than the path that is
// followed.
func TestNamesAreFolded(t *testing.T) {
	folder := t.TempDir()
	w := New(Options{})
	defer w.Close()
	w.Follow(filepath.Join(folder, "J\u00dcRGEN.json"))
	write(t, filepath.Join(folder, "ju\u0308rgen.json"))
	expect(t, "another spelling", w.Touched)
}
