package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/driver"
)

// TestClient tests the engine as a client with the suite.
func TestClient(t *testing.T) {
	needSuite(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range suites() {
		revision, ok := strings.CutPrefix(name, "client-")
		if !ok {
			continue
		}
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			engine := []string{driver.Variable + "=" + program}
			if *scenario != "" {
				s.only(*scenario).run(t, engine, "--command", filepath.ToSlash(self))
				return
			}
			compare(t, name, func(s suite) (direct, through result) {
				return s.run(t, nil, "--command", filepath.ToSlash(everythingClient)),
					s.run(t, engine, "--command", filepath.ToSlash(self))
			})
		})
	}
}
