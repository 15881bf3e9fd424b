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
		{"home in variable", "", environment("HOME", home, "USERPROFILE", home, EnvConfig, "~/y.json"),
			Location{filepath.Join(home, "y.json"), true, SourceEnv}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Locate(test.flag, test.env)
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v; want %+v", got, err, test.want)
			}
		})
	}
	got, err := Locate("", environment("HOME", home, "USERPROFILE", home))
	if err != nil || got.Named || got.Source != SourceDefault || filepath.Base(got.Path) != FileName ||
		!filepath.IsAbs(got.Path) {
		t.Errorf("got %+v, %v for the default", got, err)
	}
}
