package app

import (
	"regexp"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// If two apps run a server that they could share, the card says how often it runs and how much memory that takes, and
// the page of the server offers to share it. It says so only while the window is visible, and until the entry says
// that the server is shared.
func TestSharingIsOffered(t *testing.T) {
	servers := strings.Replace(fakes(map[string]fakeserver.Script{"a": {}}), `"command"`,
		`"startupTimeout": 120, "command"`, 1) // a busy machine may need long for two
	b := newBench(t, servers, nil)
	b.visible.Store(false)
	for id, name := range map[string]string{"cursor": "cursor-vscode", "zed": "Zed"} {
		manager, _ := b.client(id, name)
		if _, err := manager.Open(t.Context(), "dev", nil); err != nil {
			t.Fatal(err)
		}
	}
	detail := func() string { return b.serverShown("a").Detail }
	b.until(func() string {
		if len(b.now.Live.Server("dev", "a").Clients) < 2 {
			return "not both apps use it"
		}
		return ""
	})
	if got := detail(); !strings.HasPrefix(got, "Used by ") {
		t.Errorf("while the window is hidden, the card says %q", got)
	}
	b.open()
	says := regexp.MustCompile(`^Runs 2 times for (Cursor and Zed|Zed and Cursor): 2 processes, [0-9.]+ MB\.$`)
	b.until(func() string {
		if !says.MatchString(detail()) {
			return "the card says " + detail()
		}
		return ""
	})
	b.showServer(model.Choice{Toolbox: "dev", Server: "a"})
	b.until(func() string {
		if text := b.shownText(); !strings.Contains(text, "What the server remembers or has open is then common to the apps.") {
			return "the page says " + text
		}
		return ""
	})
	kittest.Tap(t, kittest.Seen(b.window.Window.Content()), "Share one")
	b.until(func() string {
		switch text := b.text(); {
		case !strings.Contains(text, `"share": true`):
			return "the file is " + text
		case strings.Contains(b.shownText(), "Share one"):
			return "it is still offered"
		}
		return ""
	})
}
