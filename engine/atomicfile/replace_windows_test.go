package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

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
