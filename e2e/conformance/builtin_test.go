package conformance

import (
	"net/http/httptest"
	"os"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/bridge"
	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/session"
)

// TestBuiltIn tests the servers that come with the program with those scenarios of the suite that ask for no tools of
// its reference server.
func TestBuiltIn(t *testing.T) {
	needSuite(t)
	home := built.Folder(t)
	for name, args := range map[string][]string{"files": {home}, "notes": nil, "web": nil, "time": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bridge.New(session.Options{
				Command: append([]string{program, "server", name}, args...),
				Env:     append(os.Environ(), "HOME="+home, "USERPROFILE="+home),
			})
			server := httptest.NewServer(b)
			t.Cleanup(func() {
				server.CloseClientConnections()
				b.Close()
				server.Close()
			})
			for _, scenario := range []string{"server-initialize", "ping", "tools-list"} {
				found := suites()["server-2025-11-25"].only(scenario).run(t, nil, "--url", server.URL)
				passed := 0
				for c, o := range found {
					switch o.status {
					case "pass":
						passed++
					case "fail", "warn":
						t.Errorf("%s %s: %s: %s", c.scenario, c.id, o.status, o.why)
					}
				}
				if passed < 2 { // the scenario, and a check of it
					t.Errorf("%s: nothing was checked: %v", scenario, found)
				}
			}
		})
	}
}
