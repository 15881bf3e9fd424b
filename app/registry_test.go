package app

import (
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// TestRegistrySwitch checks that the dialog which adds servers can search the registry only while the preference says
// so.
func TestRegistrySwitch(t *testing.T) {
	b := newBench(t, oneServer, func(o *Options) {
		preferences, err := model.OpenPreferences(filepath.Join(t.TempDir(), "preferences.json"))
		if err != nil {
			t.Fatal(err)
		}
		o.Preferences = preferences
	})
	for _, on := range []bool{true, false, true} {
		if err := b.options.Preferences.Update(func(p *model.Preferences) { p.Registry = on }); err != nil {
			t.Fatal(err)
		}
		if got := b.adding.Registry() != nil; got != on {
			t.Errorf("the preference is %t, and the dialog can search: %t", on, got)
		}
	}
}
