package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

func TestReplaceFile(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "not", "there")
	name := filepath.Join(folder, "file.json")
	if err := replaceFile(name, []byte("one"), nil); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{name: 0o600, folder: 0o700, filepath.Dir(folder): 0o700} {
			info, err := os.Stat(path)
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
			}
		}
	}
	for _, wrong := range [][]byte{nil, {}, []byte("two")} {
		if err := replaceFile(name, []byte("never"), wrong); !errors.Is(err, atomicfile.ErrChanged) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if err := replaceFile(name, []byte{}, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(name, []byte("three"), []byte{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(name, []byte("never"), []byte("three")); !errors.Is(err, atomicfile.ErrChanged) {
		t.Error(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) > 0 {
		t.Errorf("%v was left, %v", entries, err)
	}
}

func TestLinksStayLinks(t *testing.T) {
	p := placed(t, small)
	real := filepath.Join(t.TempDir(), "dotfiles")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	link := func(target, name string) {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err) // Windows requires a permission that few users have
		}
		if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Skip("symbolic links don't work here")
		}
	}
	target := filepath.Join(real, "a.json")
	if err := os.Rename(p.file, target); err != nil {
		t.Fatal(err)
	}
	link("a.json", filepath.Join(real, "b.json"))
	linked := filepath.Join(filepath.Dir(p.file), "folder")
	link(real, linked)
	link(filepath.Join("folder", "b.json"), p.file)
	s := p.open()
	edited(t, s, "added a", addToolbox("a"))
	check(t, "through the links", strings.Contains(p.read(), `"a"`), true)
	for _, name := range []string{p.file, filepath.Join(real, "b.json"), linked} {
		if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no longer a link: %v", name, err)
		}
	}
	if info, err := os.Lstat(target); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v", err)
	}

	// A link whose target does not exist yet.
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	s = p.open()
	edited(t, s, "added b", addToolbox("b"))
	if _, err := os.Stat(target); err != nil {
		t.Error(err)
	}

	// Links in a circle.
	if err := errors.Join(os.Remove(target), os.Symlink("b.json", target)); err != nil {
		t.Fatal(err)
	}
	err := replaceFile(p.file, []byte("x"), nil)
	if !errors.Is(err, atomicfile.ErrLinks) || !strings.Contains(err.Error(), p.file) {
		t.Error(err)
	}
}

func TestFileIsGone(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	if err := os.Remove(p.file); err != nil {
		t.Fatal(err)
	}
	_, err := s.Edit(t.Context(), "added a", addToolbox("a"))
	var failed *SaveError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "removed meanwhile") ||
		!strings.Contains(err.Error(), p.file) {
		t.Fatal(err)
	}
	check(t, "pending", toolboxes(s.Snapshot().Pending.Document), "dev a")
	if _, err := os.Stat(p.file); !os.IsNotExist(err) {
		t.Fatal("the file was created again although nobody asked for it")
	}
	// Another edit is done on top of the pending one.
	if _, err := s.Edit(t.Context(), "added b", addToolbox("b")); !errors.As(err, &failed) {
		t.Fatal(err)
	}
	check(t, "pending", s.Snapshot().Pending.Label+": "+toolboxes(s.Snapshot().Pending.Document),
		"added a; added b: dev a b")

	if err := os.Mkdir(p.file, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = s.Retry(t.Context())
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "folder in its place") ||
		!strings.Contains(err.Error(), "move the folder away") {
		t.Fatal(err)
	}
	check(t, "problem", s.Snapshot().Problem != nil, true)
	if err := os.Remove(p.file); err != nil {
		t.Fatal(err)
	}
	change, err := s.Retry(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	check(t, "saved", toolboxes(change.After), "dev a b")
	check(t, "file", p.read(), string(change.After.Source))
	check(t, "nothing pending", s.Snapshot().Pending == nil, true)
	check(t, "no problem", s.Snapshot().Problem, nil)
	if _, err := s.Retry(t.Context()); !errors.Is(err, ErrNothingToSave) {
		t.Error(err)
	}
	p.clean()
}

func TestPendingIsDropped(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	fail := func() {
		t.Helper()
		if err := os.Rename(p.file, p.file+".away"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Edit(t.Context(), "added a", addToolbox("a")); err == nil {
			t.Fatal("saved")
		}
		if err := os.Rename(p.file+".away", p.file); err != nil {
			t.Fatal(err)
		}
	}
	number := s.Snapshot().Edits
	another := func() {
		t.Helper()
		before := number
		number = s.Snapshot().Edits
		check(t, "another edit", number != before, true)
	}
	fail()
	another()
	check(t, "undo", undoes(s), "added a")
	if _, err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	another()
	check(t, "nothing pending", s.Snapshot().Pending == nil, true)
	fail()
	another()
	s.Discard()
	another()
	edited(t, s, "added b", addToolbox("b"))
	check(t, "toolboxes", toolboxes(s.Current()), "dev b")
}
