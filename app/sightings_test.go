package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// card returns the card of an app.
func (b *bench) card(name string) clients.Card {
	for _, card := range b.apps.View(&b.model).Cards {
		if card.Name == name {
			return card
		}
	}
	return clients.Card{Word: "(no app)"}
}

func (b *bench) untilCard(name, word string) {
	b.t.Helper()
	b.until(func() string { return differs(b.card(name).Word, word) })
}

// carries connects or disconnects an app as the window does.
func (b *bench) carries(id string, connect bool) {
	b.t.Helper()
	found, err := b.plan(id, connect)
	if err == nil {
		err = b.await(func(done func(error)) { b.apps.Carry(b.t.Context(), found.Plan, false, done) })
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// An app is shown as connected when its entry has started Workbench. It is still shown so after the window was closed
// and opened.
func TestProofOfAnApp(t *testing.T) {
	b, h := newHomeBench(t)
	b.carries("cursor", true)
	b.untilCard("Cursor", "Set up")

	// None of these starts proves that the app's own entry works: one has another configuration, one was made by another
	// app, and one by hand.
	path := b.path
	b.path += ".other"
	b.write(oneServer)
	_, end := b.client("cursor", "cursor-vscode")
	b.until(func() string {
		return differs(b.window.Status.Right.Text(), "1 AI app uses another file · No tray here: closing the window quits")
	})
	b.path = path
	_, end2 := b.client("cursor", "Visual Studio Code")
	b.until(func() string { return differs(b.window.Status.Clients.Text(), "VS Code: connected") })
	_, end3 := b.client("", "cursor-vscode")
	b.until(func() string { return differs(b.window.Status.Clients.Text(), "VS Code, Cursor: connected") })
	if card := b.card("Cursor"); card.Word != "Set up" || card.Used != "Using Workbench now" {
		t.Errorf("the card is %+v", card)
	}
	end()
	end2()
	end3()
	b.until(func() string {
		if got := b.window.Status.Clients.Text(); strings.Contains(got, "connected") {
			return "it says " + got
		}
		return ""
	})
	proofs, err := b.options.Apps.Registrar.Proofs()
	if err != nil || len(proofs) > 0 {
		t.Errorf("the proofs are %v, %v, want none", proofs, err)
	}

	_, end = b.client("cursor", "cursor-vscode")
	b.untilCard("Cursor", "Connected")
	b.until(func() string { return differs(b.window.Status.Clients.Text(), "Cursor: connected") })
	end()
	b.until(func() string {
		if got := b.window.Status.Clients.Text(); !strings.HasPrefix(got, "Cursor — last seen ") {
			return "it says " + got
		}
		return ""
	})

	// A new window.
	b.until(func() string {
		seen, err := b.options.Apps.Registrar.Seen()
		if err != nil || seen["cursor"].IsZero() || !seen["cursor"].After(b.proofOf("cursor").Time) {
			return "when it left is not kept"
		}
		return ""
	})
	again := newBench(t, oneServer, func(o *Options) { o.Apps = b.options.Apps })
	again.places.Choose(placeClients)
	again.untilCard("Cursor", "Connected")
	again.until(func() string {
		if got := again.window.Status.Clients.Text(); !strings.HasPrefix(got, "Cursor — last seen ") {
			return "it says " + got
		}
		if lines := strings.Join(live.ClientLines(again.now.Snapshot), "\n"); !strings.Contains(lines,
			"Cursor — last seen ") {
			return "the tray says " + lines
		}
		return ""
	})

	b.carries("cursor", false)
	b.untilCard("Cursor", "Not connected")
	b.carries("cursor", true)
	b.untilCard("Cursor", "Set up")
	if text := h.read(t, h.cursor); !strings.Contains(text, "// mine") {
		t.Error(text)
	}
	file := filepath.Join(b.options.Apps.Registrar.Folder(), "proofs.json")
	h.write(t, file, `{"format": 99}`)
	b.apps.Find()
	b.until(func() string {
		if !strings.Contains(b.apps.View(&b.model).Note, "another version of Workbench. It lists the AI apps") {
			return "it does not say why nothing is proven: " + b.apps.View(&b.model).Note
		}
		return ""
	})
}

func (b *bench) proofOf(id string) engine.Proof {
	proofs, err := b.options.Apps.Registrar.Proofs()
	if err != nil {
		b.t.Fatal(err)
	}
	return proofs[id]
}

// If an app removes its entry, Workbench restores it. If the app removes it again, the window asks.
func TestGuardOfAnApp(t *testing.T) {
	b, h := newHomeBench(t)
	notes := make(chan string, 10)
	b.options.Notices = noticed(func(notice notify.Notice) { notes <- notice.Text })
	b.carries("claude-desktop", true)
	b.untilCard("Claude Desktop", "Set up")
	good := h.read(t, h.claude)

	h.running.Store(true)
	h.write(t, h.claude, `{"theme": "dark"}`)
	b.untilCard("Claude Desktop", "No longer connected")
	b.until(func() string {
		return differs(b.toast(), "Claude Desktop removed Workbench. Quit it and we'll restore the entry.")
	})
	if next := strings.Join(b.card("Claude Desktop").Next, " "); !strings.Contains(next, "we'll restore the entry") {
		t.Errorf("its card says %q", next)
	}
	b.visible.Store(false)
	h.running.Store(false)
	mended := "Claude Desktop had removed Workbench. The entry is back; start Claude Desktop again."
	b.until(func() string { return differs(b.toast(), mended) })
	b.visible.Store(true)
	if got := <-notes; got != mended {
		t.Errorf("the notification is %q", got)
	}
	if text := h.read(t, h.claude); text != good {
		t.Errorf("the file is\n%s", text)
	}
	b.untilCard("Claude Desktop", "Set up")

	b.places.Choose(placeToolboxes)
	if err := os.Remove(h.claude); err != nil {
		t.Fatal(err)
	}
	b.until(func() string {
		return differs(b.toast(), "Workbench is no longer in the file of Claude Desktop. Show")
	})
	b.toastButton().Tapped(nil)
	if b.places.At() != placeClients {
		t.Error("the AI apps are not shown")
	}
	b.until(func() string {
		if card := b.card("Claude Desktop"); !card.LeaveOut || card.Way != "Reconnect…" {
			return "the card does not ask"
		}
		return ""
	})
	b.apps.Actions().LeaveOut("claude-desktop")
	b.untilCard("Claude Desktop", "Not connected")
	if _, err := os.Stat(h.claude); err == nil {
		t.Error("the file was created again")
	}
}
