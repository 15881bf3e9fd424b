package app

import (
	"net/url"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// TestLinkFromOutside holds that a link which arrives at the running app opens the review and nothing else, that of a thousand one does and the
// others end in one sentence, and that none is opened right after that.
func TestLinkFromOutside(t *testing.T) {
	b := newBench(t, oneServer, nil)
	asked := newAsked()
	go b.heed(t.Context(), asked, func() {})
	link := "workbench://add?name=notes&config=" + url.QueryEscape(`{"command":"sh","args":["-c","echo hello from a page"]}`)
	b.visible.Store(false)
	asked.toOpen(link)
	b.until(func() string {
		if b.adding.Dialog() == nil {
			return "nothing is shown"
		}
		return ""
	})
	first := b.adding.Dialog()
	if said := b.reading(); !strings.Contains(said, "This comes from a link.") || !strings.Contains(said, "echo hello from a page") || !b.visible.Load() {
		t.Errorf("it reads: %s", said)
	}
	if focused, ok := b.window.Window.Canvas().Focused().(*kit.Button); !ok || focused.Text != "Cancel" {
		t.Error("a key that was meant for another window could add it")
	}
	sentences := 0
	for range 1000 {
		b.window.Toast.Show("before", "", nil)
		b.openThis(link)
		if strings.HasPrefix(b.toast(), "A link was not opened") {
			sentences++
		}
	}
	if sentences != 1 || b.adding.Dialog() != first || len(b.window.Window.Canvas().Overlays().List()) != 1 {
		t.Errorf("%d sentences, %d things over the window", sentences, len(b.window.Window.Canvas().Overlays().List()))
	}
	if !strings.Contains(b.overlay(), "A link was not opened") {
		t.Errorf("the dialog, which lies over the sentence, says %q", b.overlay())
	}
	first.Close()
	b.openThis(link)
	if b.adding.Dialog() != nil {
		t.Error("the next of a flood is opened")
	}
	if text := b.text(); text != oneServer {
		t.Errorf("the configuration is now %s", text)
	}
}

// TestBadLinkFromOutside holds that a link which does not add a server is refused with a sentence.
func TestBadLinkFromOutside(t *testing.T) {
	for _, link := range []string{"workbench://run?command=calc.exe", "https://evil.example/mcp", "workbench://add?config=e30", `{"command":"sh"}`} {
		b := newBench(t, oneServer, nil)
		b.adding.OpenLink(link)
		if b.adding.Dialog() != nil || !strings.HasPrefix(b.toast(), "A link was not opened") {
			t.Errorf("%s was opened", link)
		}
	}
}

// TestSecondStartHandsItsLinkOver holds that a start with a link gives it to the app that runs.
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
		t.Fatal("there are two")
	}
	if link := <-got; link != "workbench://add?name=x" {
		t.Errorf("it got %q", link)
	}
}
