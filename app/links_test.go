package app

import (
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/requests"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// TestLinkFromOutside checks that a link from outside opens the review and does nothing else. Of the next thousand
// links, one shows a message and the others do nothing.
func TestLinkFromOutside(t *testing.T) {
	b := newBench(t, oneServer, nil)
	asked := requests.New()
	go b.handleRequests(t.Context(), asked, func() {})
	link := "workbench://add?name=notes&config=" +
		url.QueryEscape(`{"command":"sh","args":["-c","echo hello from a page"]}`)
	b.visible.Store(false)
	asked.Open(link)
	b.until(func() string {
		if b.adding.Dialog() == nil {
			return "nothing is shown"
		}
		return ""
	})
	first := b.adding.Dialog()
	if said := b.reading(); !strings.Contains(said, "This comes from a link.") ||
		!strings.Contains(said, "echo hello from a page") || !b.visible.Load() {
		t.Errorf("the review says: %s", said)
	}
	if focused, ok := b.window.Window.Canvas().Focused().(*kit.Button); !ok || focused.Text != "Cancel" {
		t.Error("Cancel does not have the focus, so a key that was meant for another window could add the server")
	}
	sentences := 0
	for range 1000 {
		b.window.Toast.Show("before", "", nil)
		b.openThis(link)
		if strings.HasPrefix(b.toast(), "A file or link was not opened") {
			sentences++
		}
	}
	if sentences != 1 || b.adding.Dialog() != first || len(b.window.Window.Canvas().Overlays().List()) != 1 {
		t.Errorf("%d messages, %d overlays", sentences, len(b.window.Window.Canvas().Overlays().List()))
	}
	if !strings.Contains(b.overlay(), "A file or link was not opened") {
		t.Errorf("the dialog, which covers the toast, says %q", b.overlay())
	}
	first.Close()
	b.openThis(link)
	if b.adding.Dialog() != nil {
		t.Error("a link is opened right after a flood of links")
	}
	if text := b.text(); text != oneServer {
		t.Errorf("the configuration is now %s", text)
	}
}

// TestFileFromOutsideBehindDialog checks that the dialog says that a file was not opened, because the dialog covers
// the message of the window.
func TestFileFromOutsideBehindDialog(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.adding.Open(add.Start{})
	b.openThis("/nowhere/x.toolbox.json")
	if !strings.Contains(b.overlay(), "A file or link was not opened") {
		t.Errorf("the dialog says %q", b.overlay())
	}
}

// TestLinksBringTheWindowRarely checks that links and files bring the window to the front only if none came for a
// while, even if they are refused. A request by the user to show the window works at once.
func TestLinksBringTheWindowRarely(t *testing.T) {
	b := newBench(t, oneServer, nil)
	asked := requests.New()
	var now atomic.Int64
	asked.Now = func() time.Time { return time.Unix(now.Load(), 0) }
	go b.handleRequests(t.Context(), asked, func() {})
	comes := func(what, sentence string, shown bool) {
		t.Helper()
		b.visible.Store(false)
		b.window.Toast.Show("before", "", nil)
		asked.Open(what)
		b.until(func() string {
			if got := b.toast(); !strings.HasPrefix(got, sentence) {
				return "it says " + got
			}
			return ""
		})
		if b.visible.Load() != shown {
			t.Errorf("after %s at %d s, the window is in front: %t", what, now.Load(), !shown)
		}
	}
	bad := "workbench://run?command=calc.exe"
	now.Store(100)
	comes(bad, "A link was not opened.", true)
	for range 20 { // for longer than the pause
		now.Add(4)
		comes(bad, "A file or link was not opened", false)
		comes("/nowhere/x.toolbox.json", "A file or link was not opened", false)
	}
	b.visible.Store(false)
	asked.Show()
	b.until(func() string {
		if !b.visible.Load() {
			return "the person waits for the window"
		}
		return ""
	})
	now.Add(5)
	comes(bad, "A link was not opened.", true)
	if b.adding.Dialog() != nil {
		t.Error("a dialog is open")
	}
}

// TestBadLinkFromOutside checks that a link which does not add a server is refused with a message.
func TestBadLinkFromOutside(t *testing.T) {
	for _, link := range []string{"workbench://run?command=calc.exe", "https://evil.example/mcp",
		"workbench://add?config=e30", `{"command":"sh"}`} {
		b := newBench(t, oneServer, nil)
		b.adding.OpenLink(link)
		if b.adding.Dialog() != nil || !strings.HasPrefix(b.toast(), "A link was not opened") {
			t.Errorf("%s was opened", link)
		}
	}
}

// TestSecondStartHandsItsLinkOver checks that a start with a link passes it to the running app.
func TestSecondStartHandsItsLinkOver(t *testing.T) {
	at := shortDir(t) + "/l"
	got := make(chan string, 1)
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: at, OnShow: func(link string) { got <- link }})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = hub.Run(t.Context()) }()
	options := Options{Open: "workbench://add?name=x"}
	options.Link = at
	if _, err := listen(t.Context(), options, func(string) {}, nil); err == nil {
		t.Fatal("two programs listen at one endpoint")
	}
	if link := <-got; link != "workbench://add?name=x" {
		t.Errorf("the running app got %q", link)
	}
}
