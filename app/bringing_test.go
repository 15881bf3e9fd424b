package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// lookAt reads which servers can be brought in, and waits for the result.
func (b *bench) lookAt(ask clients.Ask) clients.Offer {
	b.t.Helper()
	var offer clients.Offer
	if err := b.await(func(done func(error)) {
		b.apps.Actions().Import(ask, func(found clients.Offer, err error) { offer = found; done(err) })
	}); err != nil {
		b.t.Fatal(err)
	}
	return offer
}

// moveAll moves the servers of an offer and waits for the result.
func (b *bench) moveAll(offer clients.Offer, wait bool) (clients.Moved, error) {
	b.t.Helper()
	var moved clients.Moved
	err := b.await(func(done func(error)) {
		b.apps.Move(b.t.Context(), offer, offer.Plan, true, wait, func(what clients.Moved, err error) { moved = what; done(err) })
	})
	return moved, err
}

// Servers that are moved are in the toolbox and no longer in the app's file, and can be put back. The app's connection
// does not change.
func TestMoveServers(t *testing.T) {
	keychaintest.Mock(t)
	b, h := newHomeBench(t)
	moved, err := b.moveAll(b.lookAt(clients.Ask{ID: "cursor", Into: "dev"}), false)
	if err != nil || moved.Problem() != nil || len(moved.Files) != 1 || moved.Files[0].File != h.cursor {
		t.Fatalf("moved was %+v, %v", moved, err)
	}
	if text := b.text(); !strings.Contains(text, "server-github") || !strings.Contains(text, `"notes"`) ||
		strings.Contains(text, "ghp_") {
		t.Errorf("the configuration is\n%s", text)
	}
	if text := h.read(t, h.cursor); text != "{\n\t// mine\n\t\"mcpServers\": {\n\t},\n}\n" {
		t.Errorf("the file of the app is\n%s", text)
	}
	if h.read(t, moved.Files[0].Backup) != cursorFile {
		t.Error("the backup is not the original file")
	}
	if word := b.clientWord("Cursor"); word != "Not connected" {
		t.Errorf("the app is %s", word)
	}
	if err := b.await(func(done func(error)) { b.apps.PutBack(moved.Files, done) }); err != nil {
		t.Fatal(err)
	}
	if h.read(t, h.cursor) != cursorFile {
		t.Error("the servers were not put back")
	}

	// They can also be put back later, even if they were moved several times.
	for range 2 {
		offer := b.lookAt(clients.Ask{ID: "cursor", Into: "second"})
		offer.Plan.Servers = offer.Plan.Servers[:1]
		if _, err := b.moveAll(offer, false); err != nil {
			t.Fatal(err)
		}
	}
	offer := b.lookAt(clients.Ask{ID: "cursor"})
	if strings.Join(setup.Names(offer.Earlier), " ") != "github notes" {
		t.Errorf("the servers that can be put back are %q", setup.Names(offer.Earlier))
	}
	if err := b.await(func(done func(error)) { b.apps.PutBack(offer.Earlier, done) }); err != nil {
		t.Fatal(err)
	}
	if h.read(t, h.cursor) != cursorFile {
		t.Errorf("after the servers were put back, the file is\n%s", h.read(t, h.cursor))
	}
}

// What does not start here stays in the app, which can start it perhaps. The others are taken out.
func TestMoveWhatStarts(t *testing.T) {
	keychaintest.Mock(t)
	b, h := newHomeBench(t)
	h.write(t, h.cursor, `{"mcpServers": {"notes": {"command": "uvx", "args": ["notes"]}, "gone": {"command": "/no/such/program"}, "off": {"command": "/nor/this", "disabled": true}}}`)
	moved, err := b.moveAll(b.lookAt(clients.Ask{ID: "cursor", Into: "dev"}), false)
	if err != nil || moved.Problem() != nil || len(moved.Files) != 1 ||
		strings.Join(moved.Files[0].Names, " ") != "notes off" {
		t.Fatalf("moved was %+v, %v", moved, err)
	}
	if len(moved.Stay) != 1 || moved.Stay[0].Name != "gone" ||
		moved.Stay[0].Reason.String() != "It stays until gone starts here." {
		t.Errorf("what stays is %+v", moved.Stay)
	}
	if text := h.read(t, h.cursor); !strings.Contains(text, "/no/such/program") || strings.Contains(text, "notes") {
		t.Errorf("the file of the app is\n%s", text)
	}
	if text := b.text(); !strings.Contains(text, "/no/such/program") {
		t.Errorf("the configuration is\n%s", text)
	}
}

// Nothing is removed from an app until our file is saved, even if the servers are looked for again.
func TestMoveWithoutSaving(t *testing.T) {
	keychaintest.Mock(t)
	b, h := newHomeBench(t)
	text := b.text()
	// Even root cannot write a file over a folder.
	if err := os.Rename(b.path, b.path+".away"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(b.path, 0o700); err != nil {
		t.Fatal(err)
	}
	b.window.Toast.Hide()
	copied := b.lookAt(clients.Ask{ID: "cursor", Into: "dev"})
	if err := b.await(func(done func(error)) { b.apps.Bring(copied, copied.Plan, true, done) }); err != nil {
		t.Fatal(err)
	}
	if !b.window.Unsaved.Visible() || b.toast() != "" {
		t.Errorf("the toast says %q; the line about the unsaved change is shown: %v", b.toast(), b.window.Unsaved.Visible())
	}
	b.saver.Discard()
	b.until(func() string {
		if b.now.File.Pending != nil {
			return "it still waits to be saved"
		}
		return ""
	})
	offer := copied
	for _, looked := range []string{"before", "since"} {
		moved, err := b.moveAll(offer, false)
		if err == nil || !strings.HasPrefix(err.Error(), "Not saved: ") || len(moved.Files) > 0 ||
			h.read(t, h.cursor) != cursorFile {
			t.Fatalf("with the offer from %s the failed save: %+v, %v; the file of the app is\n%s", looked, moved, err,
				h.read(t, h.cursor))
		}
		if offer = b.lookAt(clients.Ask{ID: "cursor", Into: "dev"}); len(offer.Plan.Servers) > 0 {
			t.Fatalf("servers of the toolbox are offered again: %+v", offer.Plan.Servers)
		}
	}
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	b.write(text)
	b.saver.Retry()
	b.until(func() string {
		if b.now.File.Pending != nil {
			return "it still waits to be saved"
		}
		return ""
	})
	moved, err := b.moveAll(b.lookAt(clients.Ask{ID: "cursor", Into: "dev"}), false)
	if err != nil || len(moved.Files) != 1 || !strings.Contains(b.text(), `"notes"`) ||
		strings.Contains(h.read(t, h.cursor), `"notes"`) {
		t.Errorf("after saving, moved is %+v, %v; the configuration is\n%s", moved, err, b.text())
	}
}

// Servers that were copied can be removed from the app later, if the entries in the toolbox are the same. A token that
// is in the keychain now does not prevent that.
func TestMoveWhatIsHere(t *testing.T) {
	keychaintest.Mock(t)
	b, h := newHomeBench(t)
	copied := b.lookAt(clients.Ask{ID: "cursor", Into: "dev"})
	if err := b.await(func(done func(error)) { b.apps.Bring(copied, copied.Plan, true, done) }); err != nil {
		t.Fatal(err)
	}
	saved := b.text()
	moved, err := b.moveAll(b.lookAt(clients.Ask{ID: "cursor", Into: "dev"}), false)
	if err != nil || len(moved.Files) != 1 || strings.Join(moved.Files[0].Names, " ") != "github notes" {
		t.Fatalf("moved was %+v, %v", moved, err)
	}
	if text := h.read(t, h.cursor); strings.Contains(text, "ghp_") || strings.Contains(text, "notes") || b.text() != saved {
		t.Errorf("the file of the app is\n%s", text)
	}
}

// If an app writes its file from memory, Workbench waits until the app has ended, and keeps what it wrote at the end.
func TestMoveAfterQuitting(t *testing.T) {
	b, h := newHomeBench(t)
	h.write(t, h.claude, `{"mcpServers": {"files": {"command": "files"}, "memory": {"command": "memory"}}}`)
	h.running.Store(true)
	before := b.text()
	offer := b.lookAt(clients.Ask{ID: "claude-desktop"})
	var running *engine.RunningError
	if _, err := b.moveAll(offer, false); !offer.Running || !errors.As(err, &running) || b.text() != before {
		t.Errorf("without waiting, the move ends with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.apps.Move(ctx, offer, offer.Plan, true, true, func(_ clients.Moved, err error) {
		t.Errorf("the cancelled move reports %v", err)
	})
	cancel()
	result := make(chan clients.Moved, 1)
	b.apps.Move(t.Context(), offer, offer.Plan, true, true, func(moved clients.Moved, err error) {
		if err != nil {
			t.Error(err)
		}
		result <- moved
	})
	h.write(t, h.claude, `{"theme": "light", "mcpServers": {"files": {"command": "files"}, "memory": {"command": "memory", "args": ["-v"]}}}`)
	h.running.Store(false)
	b.until(func() string {
		if len(result) == 0 {
			return "it is still waited for"
		}
		return ""
	})
	moved := <-result
	if len(moved.Files) != 1 || len(moved.Stay) != 1 || moved.Stay[0].Name != "memory" ||
		moved.Stay[0].Reason.String() != "It has changed meanwhile." {
		t.Errorf("moved was %+v", moved)
	}
	if text := h.read(t, h.claude); text != `{"theme": "light", "mcpServers": {"memory": {"command": "memory", "args": ["-v"]}}}` {
		t.Errorf("the file of the app is %s", text)
	}
}

// A file of any app can be brought in. Its servers cannot be moved.
func TestBringInFile(t *testing.T) {
	b, h := newHomeBench(t)
	path := filepath.Join(h.folder, "mcp-servers.json")
	h.write(t, path, `{"mcpServers": {"router": {"command": "router", "args": []}}}`)
	offer := b.lookAt(clients.Ask{File: path, Into: "dev"})
	if len(offer.Plan.Servers) != 1 || offer.Movable {
		t.Fatalf("the offer is %+v", offer.Plan)
	}
	if err := b.await(func(done func(error)) { b.apps.Bring(offer, offer.Plan, false, done) }); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.text(), `"router"`) {
		t.Errorf("the configuration is\n%s", b.text())
	}
}

// The bundle is saved in the downloads folder, and starts what an entry would start.
func TestMakeBundle(t *testing.T) {
	b, h := newHomeBench(t)
	where := func() (place string) {
		t.Helper()
		if err := b.await(func(done func(error)) {
			b.apps.PlaceBundle(func(found string, starts *config.Server) {
				place = found
				if starts.Command == "" || !slices.Contains(starts.Args, "stdio") {
					t.Errorf("the bundle is said to start %q %q", starts.Command, starts.Args)
				}
				done(nil)
			})
		}); err != nil {
			t.Fatal(err)
		}
		return place
	}
	if place := where(); place != filepath.Join(h.folder, "workbench.mcpb") {
		t.Errorf("without a downloads folder, the path is %s", place)
	}
	for _, folder := range []string{"Downloads", "Geladenes"} {
		if err := os.Mkdir(filepath.Join(h.folder, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		if folder != "Downloads" {
			h.write(t, filepath.Join(h.folder, ".config", "user-dirs.dirs"),
				"# of the desktop\nXDG_DESKTOP_DIR=\"$HOME/Desktop\"\nXDG_DOWNLOAD_DIR=\"$HOME/"+folder+"\"\n")
		}
		place := where()
		if place != filepath.Join(h.folder, folder, "workbench.mcpb") {
			t.Errorf("the path is %s", place)
		}
		if err := b.await(func(done func(error)) {
			b.apps.MakeBundle(place, func(path string, err error) {
				if path != place {
					t.Errorf("the saved path is %s", path)
				}
				done(err)
			})
		}); err != nil {
			t.Fatal(err)
		}
		if data := h.read(t, place); !strings.Contains(data,
			`"command": "`+filepath.Join(h.folder, "bin", "workbench-desktop")+`"`) {
			t.Error("the bundle does not start this program")
		}
		h.write(t, place, "mine")
		if err := b.await(func(done func(error)) {
			b.apps.MakeBundle(place, func(_ string, err error) { done(err) })
		}); err == nil {
			t.Error("another file was replaced")
		}
	}
}

// An app is said to have a server twice, and to get rid of its own entry, once the server is complete in a toolbox and
// can start here.
func TestThereTwice(t *testing.T) {
	keychaintest.Mock(t)
	b, h := newHomeBench(t)
	h.write(t, h.cursor, `{"mcpServers": {"gone": {"command": "clio-is-not-here"},
		"keyed": {"command": "npx", "args": ["keyed"], "env": {"API_KEY": ""}}, "ready": {"command": "npx", "args": ["ready"]}}}`)
	found, err := b.plan("cursor", true)
	if err == nil {
		err = b.await(func(done func(error)) { b.apps.Carry(t.Context(), found.Plan, false, done) })
	}
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"": "ready", "made-up": "keyed ready"} {
		b.write(`{"toolboxes": {"dev": {"mcpServers": {"gone": {"command": "clio-is-not-here"},
			"keyed": {"command": "npx", "args": ["keyed"], "env": {"API_KEY": "` + key + `"}}, "ready": {"command": "npx", "args": ["ready"]}}}}}`)
		b.until(func() string {
			b.apps.Find()
			for _, card := range b.apps.View(&b.model).Cards {
				if card.ID == "cursor" {
					return differs(strings.Join(card.Twice, " "), want)
				}
			}
			return "there is no card"
		})
		offer := b.lookAt(clients.Ask{ID: "cursor", Twice: true})
		if got := strings.Join(offer.Plan.Doubles(), " "); got != want {
			t.Errorf("the dialog takes out %q, want %q", got, want)
		}
	}
}
