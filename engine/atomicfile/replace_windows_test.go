package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/process/underwine"
)

// TestWhatBelongsToTheFileStays: a hidden file is hidden after a new text was written to it, and keeps its streams.
func TestWhatBelongsToTheFileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	streams := os.WriteFile(path+":mark", []byte("mine"), 0o600) == nil
	name, _ := windows.UTF16PtrFromString(path)
	if err := windows.SetFileAttributes(name, windows.FILE_ATTRIBUTE_HIDDEN); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("new"), []byte("old")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); string(text) != "new" || err != nil {
		t.Errorf("it has %q, %v", text, err)
	}
	underwine.Skip(t, "ReplaceFile does not keep properties")
	if attributes, err := windows.GetFileAttributes(name); err != nil || attributes&windows.FILE_ATTRIBUTE_HIDDEN == 0 {
		t.Errorf("its attributes are %#x, %v", attributes, err)
	}
	if mark, err := os.ReadFile(path + ":mark"); streams && (string(mark) != "mine" || err != nil) {
		t.Errorf("its stream has %q, %v", mark, err)
	}
}

// TestPathsThatAreLong: a file deep down, whose path has more than 260 characters, is written and read.
func TestPathsThatAreLong(t *testing.T) {
	folder := t.TempDir()
	for len(folder) < 300 {
		folder = filepath.Join(folder, strings.Repeat("long ", 9)+"name")
	}
	path := filepath.Join(folder, "workbench-config.json")
	for _, step := range []struct{ expected, text []byte }{{nil, []byte("one")}, {[]byte("one"), []byte("two")}} {
		if err := Replace(path, step.text, step.expected); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
	for path, want := range map[string]string{`\\server\share\` + strings.Repeat("x", 300): `\\?\UNC\server\share\`, `C:\` + strings.Repeat("x", 300): `\\?\C:\`, `C:\x`: `C:\x`} {
		if got := long(path); !strings.HasPrefix(got, want) {
			t.Errorf("%.20s becomes %.30s", path, got)
		}
	}
}

// TestHeldForGood: a file that another program has open and shares with nobody gives an error, and no second file stays.
func TestHeldForGood(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "config.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	name, _ := windows.UTF16PtrFromString(path)
	held, err := windows.CreateFile(name, windows.GENERIC_READ, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	err = Overwrite(path, []byte("new"))
	windows.CloseHandle(held)
	if err == nil || time.Since(begun) > time.Minute {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("the folder has %v", entries)
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("it has %q", text)
	}
}
