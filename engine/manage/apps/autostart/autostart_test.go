package autostart

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// programs are paths that need quoting.
var programs = []string{
	"/opt/Workbench/workbench-desktop", "/home/some one/My Apps/Workbench 1.0.AppImage",
	`/tmp/a"b$c` + "`d`" + `\e\\f'g%h%%i&j;k|l<m>n~o*p?q#r(s)`,
	"/tmp/ü/日本/=x", `/tmp/ends with \`, "/tmp/%U",
}

// systems returns the systems that keep the entry in a file. They can be tested on every system.
func systems(t *testing.T) map[string]*file {
	return map[string]*file{"desktop": newDesktop(t.TempDir()), "agent": newAgent(t.TempDir())}
}

func TestOnAndOff(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	for name, system := range systems(t) {
		a := &Autostart{system: system}
		if status, err := a.Status("/x"); err != nil || status.On || status.Where != system.path {
			t.Fatalf("%s: at first, the status is %+v, %v", name, status, err)
		}
		if err := a.Disable(); err != nil {
			t.Errorf("%s: switching off when already off: %v", name, err)
		}
		for _, program := range programs {
			if err := a.Enable(program); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if status, err := a.Status(program); err != nil || !status.On || status.Moved {
				t.Errorf("%s: with %q, the status is %+v, %v", name, program, status, err)
			}
			if status, _ := a.Status(program + "2"); !status.On || !status.Moved {
				t.Errorf("%s: after a move, the status is %+v", name, status)
			}
		}
		if info, err := os.Stat(system.path); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: the file is %v, %v", name, info, err)
		}
		if err := a.Disable(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(system.path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the file is still there: %v", name, err)
		}
		for _, bad := range []string{"", "workbench", "./workbench", "/tmp/two\nlines"} {
			if err := a.Enable(bad); err == nil {
				t.Errorf("%s: %q is accepted", name, bad)
			}
		}
	}
}

// TestOnlyWhatStaysIsStarted: the path of an app in Downloads is not written down.
func TestOnlyWhatStaysIsStarted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	home := t.TempDir()
	a := &Autostart{newAgent(home), paths.Folders{OS: "darwin", Home: home}}
	if err := a.Enable(home + "/Downloads/Workbench.app/Contents/MacOS/workbench-desktop"); err == nil ||
		!strings.Contains(err.Error(), "Applications folder") {
		t.Errorf("an app in Downloads: %v", err)
	}
	if err := a.Enable(home + "/Applications/Workbench.app/Contents/MacOS/workbench-desktop"); err != nil {
		t.Error(err)
	}
}

// TestForeignEntries checks that an entry that is not ours is left alone.
func TestForeignEntries(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	for name, system := range systems(t) {
		for _, text := range []string{"", "something else", "[Desktop Entry]\nExec=/usr/bin/other --hidden\n",
			"<plist><dict><key>Label</key><string>other</string></dict></plist>",
			"[Other]\nX-Workbench-Autostart=true\n", strings.Repeat("x", maxFile+1)} {
			if err := os.MkdirAll(filepath.Dir(system.path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(system.path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			a := &Autostart{system: system}
			if status, err := a.Status("/x"); err != nil || status.On || !status.Foreign || status.Moved {
				t.Errorf("%s: %.60q is %+v, %v", name, text, status, err)
			}
			if err := a.Enable("/x"); !errors.Is(err, ErrForeign) {
				t.Errorf("%s: %.60q is overwritten: %v", name, text, err)
			}
			if err := a.Disable(); !errors.Is(err, ErrForeign) {
				t.Errorf("%s: %.60q is removed: %v", name, text, err)
			}
			if now, err := os.ReadFile(system.path); err != nil || string(now) != text {
				t.Errorf("%s: the file is now %.60q, %v", name, now, err)
			}
		}
	}
}

// TestDesktopEntries covers entries that a desktop has turned off without removing them, and links that a
// user has made.
func TestDesktopEntries(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	system := newDesktop(t.TempDir())
	a := &Autostart{system: system}
	if err := a.Enable("/opt/a b/wb"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(system.path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nExec=\"/opt/a b/wb\" --hidden\n") {
		t.Errorf("the entry is\n%s", text)
	}
	for _, off := range []string{"Hidden=true", keyGnome + "=false"} {
		if err := os.WriteFile(system.path, append(text, off+"\n"...), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, err := a.Status("/opt/a b/wb"); err != nil || status.On || status.Foreign {
			t.Errorf("with %s, the status is %+v, %v", off, status, err)
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "dotfiles.desktop")
	if err := os.Rename(system.path, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, system.path); err != nil {
		t.Fatal(err)
	}
	if err := a.Enable("/opt/wb"); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(system.path); err != nil || target != elsewhere {
		t.Errorf("the link is now %q, %v", target, err)
	}
	if status, _ := a.Status("/opt/wb"); !status.On || status.Moved {
		t.Errorf("through a link, the status is %+v", status)
	}
	if err := os.Remove(elsewhere); err != nil {
		t.Fatal(err)
	}
	if status, err := a.Status("/opt/wb"); err != nil || !status.Foreign {
		t.Errorf("with a broken link, the status is %+v, %v", status, err)
	}
}

func TestExecutable(t *testing.T) {
	image := filepath.Join(t.TempDir(), "Workbench.AppImage")
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(own)
	env := func(name string) string { return map[string]string{"APPIMAGE": image, "APPDIR": folder}[name] }
	if got, err := Executable(env); err != nil || got != own {
		t.Errorf("without the image, the program is %q, %v", got, err)
	}
	if err := os.WriteFile(image, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := Executable(env); err != nil || got != image {
		t.Errorf("in an AppImage, the program is %q, %v", got, err)
	}
	folder = filepath.Join(folder, "elsewhere")
	if got, err := Executable(env); err != nil || got != own {
		t.Errorf("in another app's AppImage, the program is %q, %v", got, err)
	}
}

func FuzzDesktopEntry(f *testing.F) {
	for _, program := range programs {
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program string) {
		parseDesktop([]byte(program)) // any text can be in the file
		parseAgent([]byte(program))
		if !strings.HasPrefix(program, "/") || strings.ContainsFunc(program, func(r rune) bool {
			return r < ' ' || r == 0x7f || r == 0xfffd
		}) {
			return
		}
		text, err := formatDesktop(program)
		if err != nil {
			t.Fatal(err)
		}
		if found := parseDesktop(text); found.program != program || found.foreign || found.off {
			t.Errorf("%q comes back as %+v from\n%s", program, found, text)
		}
	})
}
