package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// keptIn returns the usage that is stored in a home folder.
func keptIn(t *testing.T, home, config string) *usage.Report {
	t.Helper()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	folder, preferences, err := usagePlaces()
	if err != nil {
		t.Fatal(err)
	}
	r, err := usage.Read(folder, preferences, config, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestUsageOfManyEngines checks that engines that write at the same time lose no call. An engine that is killed loses
// only its own counts of the last seconds.
func TestUsageOfManyEngines(t *testing.T) {
	config, home := configWith(t, map[string]string{"s": `{"echo": true}`}), t.TempDir()
	const calls = 300
	engines := []*aiClient{startEngineIn(t, home, linkOff, config), startEngineIn(t, home, linkOff, config),
		startEngineIn(t, home, linkOff, config)}
	for _, e := range engines {
		e.initialize()
		e.open()
	}
	// The last engine calls until some of its counts are stored, and is killed while it calls.
	victim := engines[2]
	for done := false; !done; {
		for range calls {
			victim.echo()
		}
		done = keptIn(t, home, config).Count > 0
	}
	if err := victim.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.cmd.Wait()
	close(victim.ended)
	left := keptIn(t, home, config).Count // the other two have not called anything
	if left == 0 {
		t.Fatal("the stored counts are gone")
	}
	for range calls {
		for _, e := range engines[:2] {
			e.echo()
		}
	}
	for _, e := range engines[:2] {
		_ = e.in.Close()
	}
	for _, e := range engines[:2] {
		_ = e.cmd.Wait()
		close(e.ended)
	}
	r := keptIn(t, home, config)
	if r.Count != left+2*calls || r.Failed != 0 || len(r.Apps) != 1 || r.Apps[0].App != "cursor" {
		t.Errorf("%d calls are stored, %d failed, by %+v; want %d and twice %d", r.Count, r.Failed, r.Apps, left, calls)
	}
	if len(r.Toolboxes) != 1 || r.Toolboxes[0].Used != 3 || r.Toolboxes[0].Opened != 3 || r.Toolboxes[0].Tokens == 0 ||
		r.Saved != 0 {
		t.Errorf("the toolboxes are %+v", r.Toolboxes)
	}
	// the servers, and the day, which may have ended meanwhile
	if files, _ := filepath.Glob(filepath.Join(home, "*", "*", "*", "usage", "*.jsonl")); len(files) > 3 {
		t.Errorf("the files are %q", files)
	}
}
