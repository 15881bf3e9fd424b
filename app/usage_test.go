package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/usage"
)

// Calls that engines count appear on the screen and on the cards. The switch in Settings deletes the counts and stops
// counting.
func TestUsageComesAndGoes(t *testing.T) {
	var source engines.UsageSource
	b := newBench(t, `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh"}}}}}`,
		func(o *Options) {
			folder := t.TempDir()
			source = engines.UsageSource{Folder: usage.Folder(filepath.Join(folder, "usage")),
				Preferences: filepath.Join(folder, "preferences.json")}
			o.Usage = source
			var err error
			if o.Preferences, err = model.OpenPreferences(source.Preferences); err != nil {
				t.Fatal(err)
			}
		})
	calls := func(server string, when time.Time) {
		w := usage.NewWriter(usage.Options{Folder: source.Folder, Preferences: source.Preferences, Config: b.path,
			App: "cursor", Now: func() time.Time { return when }})
		w.SetOffered(func() []usage.Toolbox { return []usage.Toolbox{{Name: "dev", Servers: []string{"a", "b"}}} })
		w.Call("dev", server, "read", time.Millisecond, false)
		w.Close(time.Minute)
	}
	said := func(server string) string {
		for _, shown := range b.now.view.Toolboxes[0].Servers {
			if shown.Name == server {
				return fmt.Sprint(shown.Used, " ", shown.Unused)
			}
		}
		return ""
	}
	says := func(server, want string) {
		t.Helper()
		b.until(func() string {
			if got := said(server); got != want {
				return server + " says " + got
			}
			return ""
		})
	}
	b.places.Choose(placeUsage)
	b.until(func() string {
		if b.model.Usage.Report == nil {
			return "nothing was read"
		}
		return ""
	})
	calls("a", time.Now().AddDate(0, 0, -40))
	calls("a", time.Now().AddDate(0, 0, -2))
	b.aggregator.LookAtUsage()
	says("a", "Last used 2 days ago false")
	b.until(func() string {
		if said("b") == "" || !strings.HasSuffix(said("b"), " true") {
			return "b says " + said("b")
		}
		return ""
	})
	b.toolboxes.ShowUnused()

	b.prefer(func(p *model.Preferences) { p.Usage = false }, func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
	says("a", " false")
	b.until(func() string {
		if _, err := os.Stat(source.Folder.File(time.Now())); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Sprint("the store is there: ", err)
		}
		if !strings.Contains(b.toast(), "deleted") {
			return "it says " + b.toast()
		}
		return ""
	})
	calls("a", time.Now())
	if _, err := os.Stat(source.Folder.File(time.Now())); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an engine still counts: %v", err)
	}
}
