package atomicfile

import (
	"errors"
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
	for path, want := range map[string]string{`\\server\share\` + strings.Repeat("x", 300): `\\?\UNC\server\share\`,
		`C:\` + strings.Repeat("x", 300): `\\?\C:\`, `C:\x`: `C:\x`} {
		if got := long(path); !strings.HasPrefix(got, want) {
			t.Errorf("%.20s becomes %.30s", path, got)
		}
	}
}

// TestHeldForGood: a file that another program has open and shares with nobody gives an error, and no second file
// stays.
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
	if !errors.Is(err, ErrInUse) || time.Since(begun) > time.Minute {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("the folder has %v", entries)
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("it has %q", text)
	}
}

// TestWhatBelongsToAFileStays: a file that is hidden, has a stream and rules of its own has them after a new text was
// written to it, whether it takes those of its folder too or not.
func TestWhatBelongsToAFileStays(t *testing.T) {
	me, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		t.Fatal(err)
	}
	for name, protection := range map[string]windows.SECURITY_INFORMATION{
		"alone":                    windows.PROTECTED_DACL_SECURITY_INFORMATION,
		"with those of the folder": windows.UNPROTECTED_DACL_SECURITY_INFORMATION,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "settings.json")
			if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			streams := findFirstStream.Find() == nil && os.WriteFile(path+":mark", []byte("mine"), 0o600) == nil
			rules, err := windows.SecurityDescriptorFromString("D:(A;;FA;;;" + me.User.Sid.String() + ")")
			if err != nil {
				t.Fatal(err)
			}
			list, _, err := rules.DACL()
			if err != nil {
				t.Fatal(err)
			}
			if err := windows.SetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION|protection,
				nil, nil, list, nil); err != nil {
				t.Fatal(err)
			}
			file, _ := windows.UTF16PtrFromString(path)
			if err := windows.SetFileAttributes(file, windows.FILE_ATTRIBUTE_HIDDEN); err != nil {
				t.Fatal(err)
			}
			hidden, _ := windows.GetFileAttributes(file) // not every disk below Wine has this
			access := accessOf(t, path)
			if err := Replace(path, []byte("new"), []byte("old")); err != nil {
				t.Fatal(err)
			}
			if now, err := windows.GetFileAttributes(file); err != nil ||
				now&windows.FILE_ATTRIBUTE_HIDDEN != hidden&windows.FILE_ATTRIBUTE_HIDDEN {
				t.Errorf("its attributes were %#x and are %#x, %v", hidden, now, err)
			}
			if now := accessOf(t, path); now != access {
				t.Errorf("its rules were %s and are %s", access, now)
			}
			if mark, err := os.ReadFile(path + ":mark"); streams && (string(mark) != "mine" || err != nil) {
				t.Errorf("its stream has %q, %v", mark, err)
			}
			if text, err := os.ReadFile(path); string(text) != "new" || err != nil {
				t.Errorf("it has %q, %v", text, err)
			}
			t.Logf("attributes %#x, streams %v, rules %s", hidden, streams, access)
		})
	}
}

// accessOf returns a file's access list as text.
func accessOf(t *testing.T, path string) string {
	t.Helper()
	descriptor, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		t.Fatal(err)
	}
	return descriptor.String()
}
