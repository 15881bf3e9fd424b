package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestUpdates asks a list of releases that has a newer version, one that is broken, and none at all where only the
// daily request is allowed.
func TestUpdates(t *testing.T) {
	answer, requests := `[{"tag_name":"v7.0.1"},{"tag_name":"v0.0.1"}]`, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		_, _ = w.Write([]byte(answer))
	}))
	defer server.Close()
	t.Setenv("WORKBENCH_RELEASES", server.URL)
	home := t.TempDir()
	out, log := runEvil(t, home, "", "", "updates")
	if !strings.HasPrefix(out, "Version 7.0.1 is there. This is "+version+".\n") ||
		!strings.Contains(out, "/releases/tag/v7.0.1, and install it over this one.\n") ||
		!strings.Contains(log, "does not look for newer versions by itself") {
		t.Errorf("it says\n%s\n%s", out, log)
	}
	if out, _ := runEvil(t, home, "", "", "updates", "on"); !strings.Contains(out, "once a day") {
		t.Errorf("on: %s", out)
	}
	if requests != 1 {
		t.Errorf("allowing the requests has sent %d", requests-1)
	}
	out, _ = runEvil(t, home, "", "", "updates", "--json")
	var found struct {
		Version, Newest, Page, Command string
		Newer, Daily                   bool
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil || found.Version != version || found.Newest != "7.0.1" ||
		!found.Newer || !found.Daily || found.Command != "" {
		t.Errorf("%v\n%s", err, out)
	}
	answer = `[{"tag_name":"v0.0.1"}]`
	if out, _ := runEvil(t, home, "", "", "updates"); !strings.Contains(out, "The newest release is 0.0.1, so there is "+
		"nothing to update") {
		t.Errorf("an older one: %s", out)
	}
	answer = "[]"
	if out, _ := runEvil(t, home, "", "", "updates"); out != "There is no release yet. This is "+version+".\n" {
		t.Errorf("none: %s", out)
	}
	answer = "<html>"
	if out, log := runEvil(t, home, "", "", "updates"); out != "" || !strings.Contains(log, "is no list of releases") {
		t.Errorf("a broken one: %s\n%s", out, log)
	}
	if out, _ := runEvil(t, home, "", "", "updates", "off"); !strings.Contains(out, "does not look") {
		t.Errorf("off: %s", out)
	}
}
