package applications

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/autostart"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// description is the description of an app with an identifier.
func description(identifier string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>` +
		identifier + `</string></dict></plist>`
}

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// downloaded returns what moves an app from the downloads of a made-up Mac, and the folder with its two Applications
// folders.
func downloaded(t *testing.T) (*Mover, string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("apps are those of macOS")
	}
	root := t.TempDir()
	app := filepath.Join(root, "Downloads", "Workbench.app")
	put(t, filepath.Join(app, "Contents", "Info.plist"), description(autostart.ID), 0o644)
	put(t, filepath.Join(app, "Contents", "MacOS", "workbench-desktop"), "#!/bin/sh\n", 0o755)
	if err := os.Symlink("MacOS/workbench-desktop", filepath.Join(app, "Contents", "link")); err != nil {
		t.Fatal(err)
	}
	m := newMover(paths.Folders{OS: "darwin", Home: root}, filepath.Join(app, "Contents", "MacOS", "workbench-desktop"))
	if m == nil || m.app != app || m.folders[0] != "/Applications" ||
		m.folders[1] != filepath.Join(root, "Applications") {
		t.Fatalf("it is moved by %+v", m)
	}
	m.folders = []string{filepath.Join(root, "all"), filepath.Join(root, "mine")}
	m.open = filepath.Join(root, "open")
	put(t, m.open, "#!/bin/sh\nprintf %s \"$1\" >\""+root+"/opened.new\"\nmv \""+root+"/opened.new\" \""+root+
		"/opened\"\n", 0o755)
	return m, root
}

// TestMove moves an app and waits until the copy is opened, which is when the process of the app has ended.
func TestMove(t *testing.T) {
	m, root := downloaded(t)
	running := exec.Command("sleep", "600")
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	m.pid = running.Process.Pid
	app, err := m.Move()
	if want := filepath.Join(root, "all", "Workbench.app"); err != nil || app != want {
		t.Fatalf("%s, %v", app, err)
	}
	if info, err := os.Stat(filepath.Join(app, "Contents", "MacOS", "workbench-desktop")); err != nil ||
		info.Mode().Perm()&0o111 == 0 {
		t.Errorf("the program there is %v, %v", info, err)
	}
	if target, err := os.Readlink(filepath.Join(app, "Contents", "link")); target != "MacOS/workbench-desktop" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	opened := filepath.Join(root, "opened")
	if _, err := os.Stat(opened); err == nil {
		t.Error("the copy is opened while the app still runs")
	}
	if err := running.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = running.Wait()
	waited := exec.Command("/bin/sh", "-c", `until [ -e "$1" ]; do sleep 0.1; done`, "sh", opened)
	if err := waited.Run(); err != nil {
		t.Fatal(err)
	}
	if got := text(t, opened); got != app {
		t.Errorf("opened is %q", got)
	}
	if left, err := os.ReadDir(filepath.Join(root, "all")); err != nil || len(left) != 1 {
		t.Errorf("left in the folder are %v, %v", left, err)
	}
}

// TestMoveOverAnother: an earlier version is replaced, and another app of the name is not.
func TestMoveOverAnother(t *testing.T) {
	m, root := downloaded(t)
	m.pid = 1 << 30 // no process
	old := filepath.Join(root, "all", "Workbench.app")
	put(t, filepath.Join(old, "Contents", "Info.plist"), description(autostart.ID), 0o644)
	put(t, filepath.Join(old, "Contents", "gone"), "", 0o644)
	if _, err := m.Move(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(old, "Contents", "gone")); err == nil {
		t.Error("the earlier version is mixed with the new one")
	}
	put(t, filepath.Join(old, "Contents", "Info.plist"), description("com.example.other"), 0o644)
	if _, err := m.Move(); err == nil || !strings.Contains(err.Error(), old) ||
		!strings.Contains(text(t, filepath.Join(old, "Contents", "Info.plist")), "com.example.other") {
		t.Errorf("another app: %v", err)
	}
}

// TestMoveToTheUsersFolder: who may not change the folder of all users gets the app in their own.
func TestMoveToTheUsersFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may change every folder")
	}
	m, root := downloaded(t)
	m.pid = 1 << 30
	if err := os.Mkdir(filepath.Join(root, "all"), 0o500); err != nil {
		t.Fatal(err)
	}
	if app, err := m.Move(); err != nil || app != filepath.Join(root, "mine", "Workbench.app") {
		t.Errorf("%s, %v", app, err)
	}
}

// TestNothingToMove: an app that can stay, and a program without an app.
func TestNothingToMove(t *testing.T) {
	here := paths.Folders{OS: "darwin", Home: "/Users/ada"}
	for _, program := range []string{"/Applications/Workbench.app/Contents/MacOS/workbench-desktop",
		"/Users/ada/Downloads/workbench-desktop", "/usr/local/bin/workbench-desktop"} {
		if m := newMover(here, program); m != nil {
			t.Errorf("%s: %+v", program, m)
		}
	}
	if m := newMover(here, "/private/var/folders/x/AppTranslocation/4711/d/Workbench.app/Contents/MacOS/workbench-desktop"); m == nil {
		t.Error("an app that macOS shows elsewhere is not moved")
	}
}
