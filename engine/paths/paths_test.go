package paths

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func environment(pairs ...string) func(string) string {
	values := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return values[name] }
}

func TestOwnPlaces(t *testing.T) {
	for _, test := range []struct {
		name, goos, home string
		env              func(string) string
		config, history  string // "" if an error is expected
	}{
		{"linux", "linux", "/home/ada", environment(), "/home/ada/.config/workbench/x.json",
			"/home/ada/.local/state/workbench/history"},
		{"linux, no variables", "linux", "/home/ada", nil, "/home/ada/.config/workbench/x.json",
			"/home/ada/.local/state/workbench/history"},
		{"linux, home with a slash", "linux", "/home/ada/", environment(), "/home/ada/.config/workbench/x.json",
			"/home/ada/.local/state/workbench/history"},
		{"linux, XDG", "linux", "/home/ada", environment("XDG_CONFIG_HOME", "/data/cfg/", "XDG_STATE_HOME", "/state/"),
			"/data/cfg/workbench/x.json", "/state/workbench/history"},
		{"linux, XDG at the top", "linux", "/home/ada", environment("XDG_CONFIG_HOME", "/"), "/workbench/x.json",
			"/home/ada/.local/state/workbench/history"},
		{"linux, XDG without home", "linux", "", environment("XDG_CONFIG_HOME", "/data"), "/data/workbench/x.json", ""},
		{"linux, XDG relative", "linux", "/home/ada", environment("XDG_CONFIG_HOME", "cfg", "XDG_STATE_HOME", "state"),
			"/home/ada/.config/workbench/x.json", "/home/ada/.local/state/workbench/history"},
		{"freebsd", "freebsd", "/home/ada", environment(), "/home/ada/.config/workbench/x.json",
			"/home/ada/.local/state/workbench/history"},
		{"darwin", "darwin", "/Users/ada", environment("XDG_CONFIG_HOME", "/data", "XDG_STATE_HOME", "/state"),
			"/Users/ada/Library/Application Support/Workbench/x.json",
			"/Users/ada/Library/Application Support/Workbench/history"},
		{"windows", "windows", `C:\Users\ada`,
			environment("XDG_CONFIG_HOME", "/data", "APPDATA", `C:\x`, "LOCALAPPDATA", `C:\x`),
			`C:\Users\ada\.workbench\x.json`, `C:\Users\ada\.workbench\history`},
		{"linux, no home", "linux", "", environment(), "", ""},
		{"darwin, no home", "darwin", "", environment("XDG_CONFIG_HOME", "/data"), "", ""},
		{"windows, no home", "windows", "", environment(), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := Folders{test.goos, test.home, test.env}
			if got, err := f.Config("x.json"); got != test.config || (err == nil) != (test.config != "") {
				t.Errorf("configuration: got %q, %v; want %q", got, err, test.config)
			}
			if got, err := f.History(); got != test.history || (err == nil) != (test.history != "") {
				t.Errorf("history: got %q, %v; want %q", got, err, test.history)
			}
		})
	}
	f := Folders{"linux", "/h", environment("XDG_DATA_HOME", "/data", "WORKBENCH_CONFIG", "/elsewhere/x.json")}
	for want, place := range map[string]func() (string, error){
		"/h/.config/workbench/preferences.json": f.Preferences, "/h/.local/state/workbench/clients": f.Clients,
		"/h/.local/state/workbench/sign-ins": f.SignIns, "/data/workbench/extensions": f.Extensions,
		"/data/workbench/runtimes": f.Runtimes,
	} {
		if got, err := place(); got != want || err != nil {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
}

func TestBaseFolders(t *testing.T) {
	windows := Folders{"windows", `C:\Users\ada`, environment("APPDATA", `D:\Roaming`, "LOCALAPPDATA", "relative")}
	flatpak := Folders{"linux", "/h",
		environment("FLATPAK_ID", "x", "XDG_CONFIG_HOME", "/h/.var/app/x/config", "HOST_XDG_CONFIG_HOME", "/h/cfg")}
	for _, test := range []struct{ got, want string }{
		{windows.AppData(), `D:\Roaming`},
		{windows.LocalAppData(), `C:\Users\ada\AppData\Local`},
		{Folders{OS: "windows"}.AppData(), ""},
		{Folders{OS: "darwin", Home: "/Users/ada"}.Support(), "/Users/ada/Library/Application Support"},
		{Folders{OS: "darwin"}.Support(), ""},
		{flatpak.ConfigHome(), "/h/.var/app/x/config"},
		{flatpak.HostConfigHome(), "/h/cfg"},
		{Folders{OS: "linux"}.DataHome(), ""},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestHere(t *testing.T) {
	given, relative := environment("HOME", "/home/ada", "USERPROFILE", `C:\x`),
		environment("HOME", "relative", "USERPROFILE", "relative")
	want := "/home/ada"
	if runtime.GOOS == "windows" {
		want = `C:\x`
	}
	if f := Here(given); f.Home != want || f.OS != runtime.GOOS {
		t.Errorf("got %+v, want %s", f, want)
	}
	if f := Here(relative); !filepath.IsAbs(f.Home) {
		t.Errorf("a relative home is accepted: %s", f.Home)
	}
}

func TestIsAbs(t *testing.T) {
	for _, test := range []struct {
		goos, path string
		want       bool
	}{
		{"linux", "/", true}, {"linux", "a/b", false}, {"linux", `C:\a`, false}, {"linux", "", false},
		{"windows", `C:\a`, true}, {"windows", "c:/a", true}, {"windows", `\\server\share`, true}, {"windows", `\a`, false},
		{"windows", "C:a", false}, {"windows", "/a", false},
	} {
		if got := IsAbs(test.goos, test.path); got != test.want {
			t.Errorf("%s: %q is %v", test.goos, test.path, got)
		}
	}
}

func TestUserFolders(t *testing.T) {
	home := t.TempDir()
	f := Folders{OS: "linux", Home: home}
	usual := UserFolders{home + "/Desktop", home + "/Documents", home + "/Downloads"}
	if got := f.UserFolders(); got != usual {
		t.Errorf("without a file: %+v", got)
	}
	if err := os.Mkdir(filepath.Join(home, ".config"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "# x\nXDG_DESKTOP_DIR=\"$HOME/Schreibtisch\"\nXDG_DOCUMENTS_DIR=\"/mnt/d\"\nXDG_DOWNLOAD_DIR=\"nowhere\"\n"
	if err := os.WriteFile(filepath.Join(home, ".config", "user-dirs.dirs"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := UserFolders{home + "/Schreibtisch", "/mnt/d", usual.Downloads}
	if got := f.UserFolders(); got != want && runtime.GOOS != "windows" { // paths differ there
		t.Errorf("got %+v, want %+v", got, want)
	}
	f.OS = "darwin"
	if got := f.UserFolders(); got != usual {
		t.Errorf("the file is read on macOS: %+v", got)
	}
}

// TestRuntimesOfWindows: they are in the part of the profile that stays on the computer.
func TestRuntimesOfWindows(t *testing.T) {
	f := Folders{"windows", `C:\Users\ada`, environment("LOCALAPPDATA", `D:\Local`)}
	if got, err := f.Runtimes(); got != `D:\Local\Workbench\runtimes` || err != nil {
		t.Errorf("they are in %q, %v", got, err)
	}
}
