package built

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRaces: a race in the program is found however the program is started, and is reported once.
func TestRaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no shell scripts")
	}
	// A known function hides its own races and no others.
	p, err := Recipe{Package: "./testdata/racy", Race: true,
		Known: []string{"main.known.func1", "main.ma", "ain.main"}}.Into(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if races := p.Races(); len(races) > 0 {
		t.Errorf("races before the program ran: %q", races)
	}
	cmd := exec.Command(p.Path, "an argument", "'another'")
	cmd.Env = []string{"HOME=/"}
	said, err := cmd.Output()
	if want := "[an argument 'another'] "; !strings.HasPrefix(string(said), want) {
		t.Errorf("the output is %q, want %q and a number", said, want)
	}
	if err == nil {
		t.Error("the program ended with status 0")
	}
	if races := p.Races(); len(races) != 1 || strings.Count(races[0], "DATA RACE") != 1 ||
		!strings.Contains(races[0], "main.main.func1()") {
		t.Errorf("the races are %q", races)
	}
	if races := p.Races(); len(races) > 0 {
		t.Errorf("the races are reported again: %q", races)
	}
}

func TestWithout(t *testing.T) {
	folder := t.TempDir()
	p, err := Recipe{Package: "./testdata/racy"}.Into(folder)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(p.Path) != folder {
		t.Errorf("the program is at %s", p.Path)
	}
	if said, err := exec.Command(p.Path, "x").Output(); err != nil || !strings.HasPrefix(string(said), "[x]") {
		t.Errorf("the output is %q, %v", said, err)
	}
	if races := p.Races(); len(races) > 0 {
		t.Errorf("races: %q", races)
	}
}

// TestHome: Home leaves no variable that leads to files of the user who runs the tests, except for the caches of go
// and npm.
func TestHome(t *testing.T) {
	person, folder := t.TempDir(), filepath.Join(t.TempDir(), "home")
	kept := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "npm_config_cache", "npm_config_userconfig"}
	for _, name := range kept {
		t.Setenv(name, filepath.Join(person, name))
	}
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
		"WORKBENCH_CONFIG", "GOENV"} {
		t.Setenv(name, os.Getenv(name)) // so that it is restored after the test
	}
	t.Setenv("XDG_STATE_HOME", person)
	if err := Home(folder); err != nil {
		t.Fatal(err)
	}
	if home, err := os.UserHomeDir(); home != folder || err != nil {
		t.Errorf("the home folder is %s, %v", home, err)
	}
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "WORKBENCH_CONFIG"} {
		if value := os.Getenv(name); value != "" {
			t.Errorf("%s is %s", name, value)
		}
	}
	for _, name := range kept {
		if value := os.Getenv(name); value != filepath.Join(person, name) {
			t.Errorf("%s is %q", name, value)
		}
	}
}
