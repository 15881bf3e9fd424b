package built

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A race in the program is found however it is started, and it is told once.
func TestRaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has no shell scripts")
	}
	// A known function hides its own races, and no others.
	p, err := Recipe{Package: "./testdata/racy", Race: true, Known: []string{"main.known.func1", "main.ma", "ain.main"}}.Into(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if races := p.Races(); len(races) > 0 {
		t.Errorf("races before it ran: %q", races)
	}
	cmd := exec.Command(p.Path, "an argument", "'another'")
	cmd.Env = []string{"HOME=/"}
	said, err := cmd.Output()
	if want := "[an argument 'another'] "; !strings.HasPrefix(string(said), want) {
		t.Errorf("it said %q, want %q and a number", said, want)
	}
	if err == nil {
		t.Error("it ended well")
	}
	if races := p.Races(); len(races) != 1 || strings.Count(races[0], "DATA RACE") != 1 || !strings.Contains(races[0], "main.main.func1()") {
		t.Errorf("the races are %q", races)
	}
	if races := p.Races(); len(races) > 0 {
		t.Errorf("they are told again: %q", races)
	}
}

func TestWithout(t *testing.T) {
	folder := t.TempDir()
	p, err := Recipe{Package: "./testdata/racy"}.Into(folder)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(p.Path) != folder {
		t.Errorf("it is at %s", p.Path)
	}
	if said, err := exec.Command(p.Path, "x").Output(); err != nil || !strings.HasPrefix(string(said), "[x]") {
		t.Errorf("it said %q, %v", said, err)
	}
	if races := p.Races(); len(races) > 0 {
		t.Errorf("races: %q", races)
	}
}
