package environ

import (
	"slices"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// TestCachesOutsideAppData: below an app from the Store, uv and npm keep what they download where all apps see it,
// unless the user has chosen a place; and servers get the variables.
func TestCachesOutsideAppData(t *testing.T) {
	user := paths.Folders{OS: "windows", Home: `C:\Users\ada`}
	got := outsideAppData([]string{`uv_cache_dir=D:\uv`, "NPM_CONFIG_CACHE="}, user)
	want := []string{`UV_PYTHON_INSTALL_DIR=C:\Users\ada\.workbench\cache\uv-python`,
		`UV_TOOL_DIR=C:\Users\ada\.workbench\cache\uv-tools`, `npm_config_cache=C:\Users\ada\.workbench\cache\npm`}
	if !slices.Equal(got, want) {
		t.Errorf("added are %q", got)
	}
	for _, cache := range caches {
		if !Inherits("windows", cache.name) {
			t.Errorf("servers do not get %s", cache.name)
		}
	}
}
