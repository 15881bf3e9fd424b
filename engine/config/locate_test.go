package config

import (
	"path/filepath"
	"testing"
)

func environment(pairs ...string) func(string) string {
	values := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return values[name] }
}

func TestDefaultPath(t *testing.T) {
	for _, test := range []struct {
		name, goos, home string
		env              func(string) string
		want             string
	}{
		{"linux", "linux", "/home/ada", environment(), "/home/ada/.config/workbench/workbench-config.json"},
		{"linux, XDG", "linux", "/home/ada", environment("XDG_CONFIG_HOME", "/data/cfg/"), "/data/cfg/workbench/workbench-config.json"},
		{"linux, XDG without home", "linux", "", environment("XDG_CONFIG_HOME", "/data"), "/data/workbench/workbench-config.json"},
		{"linux, XDG relative", "linux", "/home/ada", environment("XDG_CONFIG_HOME", "cfg"), "/home/ada/.config/workbench/workbench-config.json"},
		{"freebsd", "freebsd", "/home/ada", environment(), "/home/ada/.config/workbench/workbench-config.json"},
		{"darwin", "darwin", "/Users/ada", environment("XDG_CONFIG_HOME", "/data"), "/Users/ada/Library/Application Support/Workbench/workbench-config.json"},
		{"windows", "windows", `C:\Users\ada`, environment("XDG_CONFIG_HOME", "/data", "APPDATA", `C:\x`), `C:\Users\ada\.workbench\workbench-config.json`},
		{"linux, no home", "linux", "", environment(), ""},
		{"windows, no home", "windows", "", environment(), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := defaultPath(test.goos, test.home, test.env)
			if got != test.want || (err == nil) != (test.want != "") {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestUserHome(t *testing.T) {
	for _, test := range []struct {
		goos string
		env  func(string) string
		want string
	}{
		{"linux", environment("HOME", "/home/ada", "USERPROFILE", `C:\x`), "/home/ada"},
		{"darwin", environment("HOME", "/Users/ada"), "/Users/ada"},
		{"windows", environment("HOME", "/home/ada", "USERPROFILE", `C:\Users\ada`), `C:\Users\ada`},
	} {
		if got := userHome(test.goos, test.env); got != test.want {
			t.Errorf("%s: got %q, want %q", test.goos, got, test.want)
		}
	}
	if got := userHome("linux", environment("HOME", "relative")); got == "relative" {
		t.Error("a relative HOME is taken")
	}
}

func TestLocate(t *testing.T) {
	home := t.TempDir()
	absolute := func(path string) string {
		t.Helper()
		path, err := filepath.Abs(path)
		must(t, err)
		return path
	}
	env := environment("HOME", home, "USERPROFILE", home, EnvConfig, "from-env.json")
	for _, test := range []struct {
		name, flag string
		env        func(string) string
		want       Location
	}{
		{"flag before variable", "flag.json", env, Location{absolute("flag.json"), true, SourceFlag}},
		{"variable", "", env, Location{absolute("from-env.json"), true, SourceEnv}},
		{"home in flag", "~/x.json", env, Location{filepath.Join(home, "x.json"), true, SourceFlag}},
		{"home in variable", "", environment("HOME", home, "USERPROFILE", home, EnvConfig, "~/y.json"), Location{filepath.Join(home, "y.json"), true, SourceEnv}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Locate(test.flag, test.env)
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v; want %+v", got, err, test.want)
			}
		})
	}
	got, err := Locate("", environment("HOME", home, "USERPROFILE", home))
	if err != nil || got.Named || got.Source != SourceDefault || filepath.Base(got.Path) != FileName || !filepath.IsAbs(got.Path) {
		t.Errorf("got %+v, %v for the default", got, err)
	}
}
