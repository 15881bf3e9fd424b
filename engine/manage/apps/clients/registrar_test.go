package clients

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const twoServers = "{\n  \"mcpServers\": {\n    \"files\": {\"command\": \"npx\"} // mine\n  }\n}\n"

func (p *place) file(id string) string { return p.system.Locate(rowOf(p.t, id)).Files[0].Path }

// whole checks that nothing of ours is left, neither in the ledger nor beside the file.
func (p *place) whole(file string) {
	p.t.Helper()
	if ids, err := p.Connected(); err != nil || len(ids) > 0 {
		p.t.Errorf("the ledger still has %v, %v", ids, err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"+atomicfile.TemporaryEnd))
	if len(left) > 0 {
		p.t.Errorf("%v was left", left)
	}
}

func TestRandomThereAndBack(t *testing.T) {
	p := newPlace(t)
	file := p.file("cursor")
	for seed := range uint64(150) {
		r := random{rand.New(rand.NewPCG(seed, 2))}
		before := r.space(true) + r.object(0, []string{"x", "mcpServers", "y"}[:r.IntN(4)], true) + r.space(true)
		p.put(file, before)
		p.must(p.connect("cursor"))
		connected := p.text(file)
		p.must(p.connect("cursor"))
		if p.text(file) != connected {
			t.Fatalf("seed %d: twice is not once: %q", seed, before)
		}
		p.must(p.disconnect("cursor"))
		if got := p.text(file); got != before {
			t.Fatalf("seed %d: %q became %q", seed, before, got)
		}
	}
	p.whole(file)
}

func TestHugeAndEmptyFiles(t *testing.T) {
	huge := "{\n" + strings.Repeat("  \"k\": [1, 2, 3], // c\n", 100_000) + "  \"mcpServers\": {}\n}\n"
	for _, before := range []string{"", " \n", "{}", huge, "\ufeff{}\r\n"} {
		p := newPlace(t)
		file := p.file("cursor")
		p.put(file, before)
		plan := p.must(p.connect("cursor"))
		if strings.HasPrefix(before, byteOrderMark) &&
			(len(plan.Notes) == 0 || !strings.HasPrefix(p.text(file), byteOrderMark)) {
			t.Errorf("the mark: %q", plan.Notes)
		}
		p.must(p.disconnect("cursor"))
		if p.text(file) != before {
			t.Errorf("%.20q did not come back", before)
		}
	}
}

// TestOtherChangesStay: all other changes stay.
func TestOtherChangesStay(t *testing.T) {
	p := newPlace(t)
	file := p.file("cursor")
	p.put(file, twoServers)
	p.must(p.connect("cursor"))
	p.put(file, strings.Replace(p.text(file), `"npx"`, `"uvx"`, 1))
	p.must(p.disconnect("cursor"))
	if got, want := p.text(file), strings.Replace(twoServers, "npx", "uvx", 1); got != want {
		t.Errorf("%q, want %q", got, want)
	}

	// A blank file, and one that we made, are restored if they have no other content, even if they were
	// rewritten meanwhile.
	for _, before := range []string{"\n", "(none)"} {
		if before == "(none)" {
			_ = os.Remove(file)
		} else {
			p.put(file, before)
		}
		p.must(p.connect("cursor"))
		p.put(file, strings.ReplaceAll(p.text(file), "  ", "\t"))
		p.must(p.disconnect("cursor"))
		if got := p.text(file); got != before {
			t.Errorf("%q, want %q", got, before)
		}
	}
	p.must(p.connect("cursor"))
	p.put(file, strings.Replace(p.text(file), "{", "{\"more\": 1,", 1))
	p.must(p.disconnect("cursor"))
	if got := p.text(file); got != "{\"more\": 1\n}\n" {
		t.Errorf("%q", got)
	}
	p.whole(file)
}

func TestMovedProgram(t *testing.T) {
	p := newPlace(t)
	file := p.file("cursor")
	p.put(file, twoServers)
	p.must(p.connect("cursor"))
	old := p.launch.Program
	p.launch.Program = filepath.Join(p.home, "new", "workbench-desktop")
	p.put(p.launch.Program, "#!")
	states := func() State {
		all, err := p.Status(p.launch)
		if err != nil {
			t.Fatal(err)
		}
		for _, status := range all {
			if status.Client.ID == "cursor" {
				return status.State
			}
		}
		return ""
	}
	if got := states(); got != Outdated {
		t.Error(got)
	}
	if plan := p.must(p.connect("cursor")); !plan.Changes[0].Corrects {
		t.Error("the plan does not say that an entry is corrected")
	}
	if text := p.text(file); strings.Contains(text, escaped(old)) || strings.Count(text, `"workbench"`) != 1 ||
		states() != Connected {
		t.Errorf("%s\n%s", text, states())
	}
	p.must(p.disconnect("cursor"))
	if p.text(file) != twoServers {
		t.Errorf("%q", p.text(file))
	}

	// The same holds after other changes, and with a name that the user has chosen.
	p.must(p.connect("cursor"))
	p.put(file, strings.NewReplacer(`"workbench"`, `"mine"`, "npx", "uvx").Replace(p.text(file)))
	p.launch.Program = old
	p.must(p.connect("cursor"))
	if text := p.text(file); !strings.Contains(text, escaped(old)) || !strings.Contains(text, `"mine"`) ||
		strings.Contains(text, `"workbench"`) {
		t.Error(text)
	}
	p.must(p.disconnect("cursor"))
	if got, want := p.text(file), strings.Replace(twoServers, "npx", "uvx", 1); got != want {
		t.Errorf("%q, want %q", got, want)
	}

	// The file was emptied.
	p.must(p.connect("cursor"))
	p.put(file, "{}")
	if got := states(); got != Lost {
		t.Error(got)
	}
	p.must(p.connect("cursor"))
	p.must(p.disconnect("cursor"))
	if p.text(file) != "{}" {
		t.Errorf("%q", p.text(file))
	}
	p.put(file, "{")
	p.whole(file)
}

// TestEntriesOfOthers: an entry that people wrote as the README says is ours too; another entry with that
// name is not.
func TestEntriesOfOthers(t *testing.T) {
	p := newPlace(t)
	file := p.file("cursor")
	foreign := "{\n  \"mcpServers\": {\n    \"workbench\": {\"command\": \"node\", \"args\": [\"workbench.js\", " +
		"\"stdio\"]}\n  }\n}\n"
	p.put(file, foreign)
	plan := p.must(p.connect("cursor"))
	if plan.Changes[0].Name != "workbench-2" ||
		!strings.Contains(strings.Join(words.English().Texts(plan.Notes), " "), `ours is called "workbench-2"`) {
		t.Errorf("%q, %q", plan.Changes[0].Name, plan.Notes)
	}
	if !strings.Contains(p.text(file), "workbench.js") {
		t.Error(p.text(file))
	}
	p.must(p.disconnect("cursor"))
	if p.text(file) != foreign {
		t.Error(p.text(file))
	}
	if plan := p.must(p.disconnect("cursor")); plan.Changed() {
		t.Error("disconnecting would remove an entry that is not ours")
	}

	p.put(file, strings.Replace(twoServers, `"files": {"command": "npx"}`,
		`"workbench": {"command": "/opt/workbench-desktop", "args": ["stdio"]}`, 1))
	p.must(p.disconnect("cursor"))
	if got := p.text(file); strings.Contains(got, "workbench") || !strings.Contains(got, "// mine") {
		t.Error(got)
	}

	// An entry of ours that was turned into something else is not removed.
	p.put(file, twoServers)
	p.must(p.connect("cursor"))
	changed := strings.Replace(p.text(file), escaped(p.launch.Program), "/usr/bin/other", 1)
	p.put(file, changed)
	p.must(p.disconnect("cursor"))
	if p.text(file) != changed {
		t.Error(p.text(file))
	}
	p.whole(file)
}

func TestChangedMeanwhile(t *testing.T) {
	p := newPlace(t)
	file := p.file("cursor")
	p.put(file, twoServers)
	plan := p.must(p.PlanConnect(rowOf(t, "cursor"), p.launch))
	p.put(file, "{}")
	err := p.Apply(t.Context(), plan)
	if !errors.Is(err, atomicfile.ErrChanged) || !strings.Contains(err.Error(), file) || p.text(file) != "{}" {
		t.Errorf("%v, %q", err, p.text(file))
	}
	p.whole(file)

	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	p.must(p.connect("cursor"))
	plan = p.must(p.PlanDisconnect(rowOf(t, "cursor")))
	p.put(file, "{\"new\": 1}")
	if err := p.Apply(t.Context(), plan); !errors.Is(err, atomicfile.ErrChanged) || p.text(file) != "{\"new\": 1}" {
		t.Errorf("%v", err)
	}
}

func TestLeftAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes are not those of Windows")
	}
	p := newPlace(t)
	file := p.file("cursor")
	p.put(filepath.Join(file, "in the way"), "")
	_, err := p.connect("cursor")
	if !errors.Is(err, atomicfile.ErrIsFolder) || !strings.Contains(err.Error(), "move the folder away") {
		t.Error(err)
	}
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("b", file),
		os.Symlink("mcp.json", filepath.Join(filepath.Dir(file), "b"))); err != nil {
		t.Fatal(err)
	}
	if _, err := p.connect("cursor"); !errors.Is(err, atomicfile.ErrLinks) {
		t.Error(err)
	}

	// A link to a file stays a link, and the file keeps its mode.
	real := filepath.Join(p.home, "dotfiles", "mcp.json")
	p.put(real, twoServers)
	if err := errors.Join(os.Chmod(real, 0o640), os.Remove(file), os.Symlink(real, file)); err != nil {
		t.Fatal(err)
	}
	p.must(p.connect("cursor"))
	if info, err := os.Lstat(file); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 ||
		!strings.Contains(p.text(real), "workbench") {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	// Our own files are accessible only to the user.
	for name, want := range map[string]fs.FileMode{p.Folder(): 0o700, p.ledger.entries().path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	backups, err := filepath.Glob(filepath.Join(p.Folder(), "*.backup"))
	if err != nil || len(backups) != 1 {
		t.Fatal(backups, err)
	}
	if info, err := os.Stat(backups[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	p.must(p.disconnect("cursor"))
	if p.text(real) != twoServers {
		t.Error(p.text(real))
	}
	if there(backups[0]) {
		t.Error("the backup was left, though the file is that again")
	}

	if os.Getuid() == 0 {
		return // root may do everything
	}
	if err := os.Chmod(real, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := p.connect("cursor"); !errors.Is(err, fs.ErrPermission) || p.text(real) != twoServers {
		t.Error(err)
	}
	p.whole(file)
}

func TestTwoFiles(t *testing.T) {
	p := newPlace(t)
	c := rowOf(t, "windsurf")
	devin := ".config/devin"
	if p.system.OS == "windows" {
		devin = "AppData/Roaming/devin"
	}
	for _, folder := range []string{devin, ".codeium/windsurf"} {
		p.put(filepath.Join(p.home, folder, "mcp_config.json"), twoServers)
	}
	plan := p.must(p.connect("windsurf"))
	if len(plan.Changes) != 2 || !strings.Contains(strings.Join(words.English().Texts(plan.Notes), " "), "2 files") {
		t.Errorf("%d, %q", len(plan.Changes), plan.Notes)
	}
	if lost, err := p.StillThere(plan); lost != "" || err != nil {
		t.Errorf("%q, %v", lost, err)
	}
	p.put(plan.Changes[1].File, "{}")
	if lost, err := p.StillThere(plan); lost != plan.Changes[1].File || err != nil {
		t.Errorf("%q, %v", lost, err)
	}
	p.must(p.disconnect("windsurf"))
	for i, file := range p.system.Locate(c).Files {
		if want := []string{twoServers, "{}"}[i]; p.text(file.Path) != want {
			t.Errorf("%s: %q", file.Path, p.text(file.Path))
		}
	}
}

func TestWaitUntilQuit(t *testing.T) {
	p := newPlace(t)
	c := rowOf(t, "claude-desktop")
	looks := 0
	p.Registrar.system.Processes = func() ([]Process, error) {
		if looks++; looks > 4 {
			return nil, nil
		}
		return p.claude(), nil
	}
	plan := p.must(p.PlanConnect(c, p.launch))
	var running *RunningError
	if err := p.Apply(t.Context(), plan); !errors.As(err, &running) || there(p.file(c.ID)) {
		t.Errorf("%v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		if err := p.WaitUntilQuit(t.Context(), c); err != nil || looks != 5 {
			t.Errorf("%v after %d looks", err, looks)
		}
		looks = -1 << 40
		ctx, cancel := context.WithTimeout(t.Context(), waitPause*3/2)
		defer cancel()
		if err := p.WaitUntilQuit(ctx, c); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

func TestLaunch(t *testing.T) {
	for _, test := range []struct {
		os, executable string
		env            map[string]string
		files          []string
		want, refused  string
	}{
		{"linux", "/usr/bin/workbench-desktop", nil, nil, "/usr/bin/workbench-desktop", ""},
		{"linux", "/tmp/.mount_x/usr/bin/workbench-desktop", map[string]string{"APPIMAGE": "/home/ada/Workbench.AppImage"},
			[]string{"/home/ada/Workbench.AppImage"}, "/home/ada/Workbench.AppImage", ""},
		{"linux", "/tmp/.mount_x/usr/bin/workbench-desktop", nil, nil, "", "AppImage"},
		{"linux", "/app/bin/workbench-desktop", map[string]string{"FLATPAK_ID": "io.github.workbench_mcp.WorkbenchDesktop"},
			nil, "/usr/bin/flatpak", ""},
		// These are started from the terminal of an editor that is itself an AppImage or a Flatpak.
		{"linux", "/usr/bin/workbench-desktop",
			map[string]string{"APPIMAGE": "/home/ada/Cursor.AppImage", "APPDIR": "/tmp/.mount_Cursor"},
			[]string{"/home/ada/Cursor.AppImage"}, "/usr/bin/workbench-desktop", ""},
		{"linux", "/home/ada/bin/workbench-desktop", map[string]string{"FLATPAK_ID": "com.visualstudio.code"}, nil,
			"/home/ada/bin/workbench-desktop", ""},
		{"linux", "/tmp/extracted/usr/bin/workbench-desktop",
			map[string]string{"APPIMAGE": "/home/ada/Workbench.AppImage", "APPDIR": "/tmp/extracted/"},
			[]string{"/home/ada/Workbench.AppImage"}, "/home/ada/Workbench.AppImage", ""},
		{"linux", "/tmp/go-build1/b001/exe/workbench-desktop", nil, nil, "", "go build"},
		{"linux", "workbench-desktop", nil, nil, "", "whole path"},
		{"linux", "/a\nb/workbench-desktop", nil, nil, "", "characters"},
		{"darwin", "/Applications/Workbench.app/Contents/MacOS/workbench-desktop", nil, nil,
			"/Applications/Workbench.app/Contents/MacOS/workbench-desktop", ""},
		{"darwin", "/private/var/folders/x/AppTranslocation/y/d/Workbench.app/Contents/MacOS/workbench-desktop", nil, nil,
			"", "Applications folder"},
		{"darwin", "/Volumes/Workbench/Workbench.app/Contents/MacOS/workbench-desktop", nil, nil, "", "Applications folder"},
		{"windows", `C:\Program Files\Workbench\workbench-desktop.exe`, nil, nil,
			`C:\Program Files\Workbench\workbench-desktop.exe`, ""},
		// The folder of a version goes with the next one.
		{"linux", "/home/linuxbrew/.linuxbrew/Cellar/workbench-engine/0.1.0/bin/workbench-engine", nil,
			[]string{"/home/linuxbrew/.linuxbrew/opt/workbench-engine/bin/workbench-engine"},
			"/home/linuxbrew/.linuxbrew/opt/workbench-engine/bin/workbench-engine", ""},
		{"darwin", "/opt/homebrew/Cellar/workbench-engine/0.1.0/bin/workbench-engine", nil, nil,
			"/opt/homebrew/Cellar/workbench-engine/0.1.0/bin/workbench-engine", ""},
		{"windows", `C:\Users\Ada\scoop\apps\workbench\0.1.0\workbench-desktop.exe`, nil,
			[]string{`C:\Users\Ada\scoop\apps\workbench\current\workbench-desktop.exe`,
				`C:\Users\Ada\scoop\apps\workbench\current\workbench-engine.exe`},
			`C:\Users\Ada\scoop\apps\workbench\current\workbench-engine.exe`, ""},
		// With the engine beside the program.
		{"linux", "/usr/bin/workbench-desktop", nil, []string{"/usr/bin/workbench-engine"}, "/usr/bin/workbench-engine", ""},
		{"darwin", "/Applications/Workbench.app/Contents/MacOS/workbench-desktop", nil,
			[]string{"/Applications/Workbench.app/Contents/Helpers/Workbench Engine.app/Contents/MacOS/workbench-engine"},
			"/Applications/Workbench.app/Contents/Helpers/Workbench Engine.app/Contents/MacOS/workbench-engine", ""},
		{"linux", "/usr/bin/workbench-engine", nil, []string{"/usr/bin/workbench-desktop"}, "/usr/bin/workbench-engine", ""},
		{"linux", "/home/ada/bin/workbench-desktop", nil, []string{"/usr/bin/workbench-engine"},
			"/home/ada/bin/workbench-desktop", ""},
		{"linux", "/usr/bin/workbench-desktop", nil, []string{"/usr/bin/workbench-engine/"}, "/usr/bin/workbench-desktop",
			""},
		{"linux", "/tmp/.mount_x/usr/bin/workbench-desktop", map[string]string{"APPIMAGE": "/home/ada/Workbench.AppImage"},
			[]string{"/home/ada/Workbench.AppImage", "/tmp/.mount_x/usr/bin/workbench-engine"}, "/home/ada/Workbench.AppImage",
			""},
		{"linux", "/app/bin/workbench-desktop", map[string]string{"FLATPAK_ID": "io.github.workbench_mcp.WorkbenchDesktop"},
			[]string{"/app/bin/workbench-engine"}, "/usr/bin/flatpak", ""},
		{"darwin", "/Applications/Workbench.app/Contents/MacOS/workbench-desktop", nil,
			[]string{"/Applications/Workbench.app/Contents/MacOS/workbench-engine"},
			"/Applications/Workbench.app/Contents/MacOS/workbench-engine", ""},
		{"windows", `C:\Program Files\Workbench\workbench-desktop.exe`, nil,
			[]string{`C:\Program Files\Workbench\workbench-engine.exe`}, `C:\Program Files\Workbench\workbench-engine.exe`, ""},
		{"windows", `C:\Program Files\Workbench\Workbench-Desktop.EXE`, nil,
			[]string{`C:\Program Files\Workbench\workbench-engine.EXE`}, `C:\Program Files\Workbench\workbench-engine.EXE`, ""},
		{"windows", `C:\Program Files\Workbench\workbench.exe`, nil,
			[]string{`C:\Program Files\Workbench\workbench-engine.exe`}, `C:\Program Files\Workbench\workbench-engine.exe`, ""},
		{"windows", `C:\Program Files\Workbench\workbench.exe`, nil, nil, `C:\Program Files\Workbench\workbench.exe`, ""},
		{"linux", "/opt/workbench-desktop", nil, []string{"/opt/workbench"}, "/opt/workbench-desktop", ""},
		{"windows", `C:\Users\Ada\AppData\Local\Temp\go-build1\b001\exe\workbench-desktop.exe`, nil, nil, "", "go build"},
	} {
		config := "/home/ada/c.json"
		if test.os == "windows" {
			config = `C:\c.json`
		}
		l, err := made(test.os, "/home/ada", test.env, test.files...).Launch(test.executable, config)
		if l.Program != test.want || (err != nil) != (test.refused != "") || err != nil &&
			!strings.Contains(err.Error(), test.refused) {
			t.Errorf("%s %s: %q, %v", test.os, test.executable, l.Program, err)
		}
		if err == nil && !IsOurs(l.Program, l.Args("x")) {
			t.Errorf("%v is not ours?", l)
		}
	}
	for _, other := range []string{"npx", "/usr/bin/workbench", "node", "/usr/bin/flatpak"} {
		if runtime.GOOS == "windows" && other == "/usr/bin/workbench" {
			continue // there, it is ours
		}
		if IsOurs(other, []string{"run", "org.other", "stdio"}) {
			t.Errorf("%s is ours?", other)
		}
	}
	words := made("windows", ada, nil).lines([]Command{addCommand(rowOf(t, "claude-code"), testLaunch(), usualName)})
	if want := `claude mcp add -s user workbench -- "C:\Program Files\Workbench\workbench-desktop.exe" stdio --client claude-code --config C:\Users\Ada\.workbench\workbench-config.json`; words != want {
		t.Error(words)
	}
}
