package app

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
)

const ownServers = "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"files\": {\"command\": \"files\"},\n    " +
	"\"mail\": {\"command\": \"mail\"}\n  }\n}\n"

// broughtIn returns a controller that has brought in the servers of Claude Desktop, and the plan for that.
func broughtIn(t *testing.T) (*bench, *home, imports.Plan) {
	b, h := newHomeBench(t)
	h.write(t, h.claude, ownServers)
	var offer clients.Offer
	if err := b.await(func(done func(error)) {
		b.apps.ServersOf([]string{"claude-desktop"}, func(found clients.Offer, err error) { offer = found; done(err) })
	}); err != nil {
		t.Fatal(err)
	}
	if err := b.await(func(done func(error)) { b.apps.Add(offer, offer.Plan, false, done) }); err != nil {
		t.Fatal(err)
	}
	return b, h, offer.Plan
}

// over connects Claude Desktop and removes the servers that were brought in from its file.
func (b *bench) over(plan imports.Plan, wait bool) (setup.Moved, error) {
	b.t.Helper()
	client, _ := engine.ByID("claude-desktop")
	var moved setup.Moved
	err := b.await(func(done func(error)) {
		b.apps.TakeOver(b.t.Context(), engine.Plan{Client: client, Connect: true}, plan, wait,
			func(what setup.Moved, err error) { moved = what; done(err) })
	})
	return moved, err
}

// When an app is connected, the servers that it gets from Workbench are removed from its file. Disconnecting it and
// putting them back restores the file.
func TestTakeOver(t *testing.T) {
	b, h, plan := broughtIn(t)
	moved, err := b.over(plan, false)
	if err != nil || moved.Problem() != nil || len(moved.Files) != 1 ||
		strings.Join(moved.Files[0].Names, " ") != "files mail" {
		t.Fatalf("removed was %+v, %v", moved, err)
	}
	if text := h.read(t, h.claude); !strings.Contains(text, "workbench-desktop") || strings.Contains(text, "mail") ||
		!strings.Contains(text, "dark") {
		t.Errorf("the file of the app is\n%s", text)
	}
	if h.read(t, moved.Files[0].Backup) != ownServers {
		t.Error("the backup is not the original file")
	}

	if err := b.await(func(done func(error)) {
		b.apps.Plan("claude-desktop", false, func(found clients.Proposal, err error) {
			if err != nil {
				done(err)
				return
			}
			b.apps.Carry(t.Context(), found.Plan, false, done)
		})
	}); err != nil {
		t.Fatal(err)
	}
	offer := b.lookAt(clients.Ask{ID: "claude-desktop"})
	if strings.Join(setup.Names(offer.Earlier), " ") != "files mail" {
		t.Fatalf("what can be put back is %q", setup.Names(offer.Earlier))
	}
	if err := b.await(func(done func(error)) { b.apps.PutBack(offer.Earlier, done) }); err != nil {
		t.Fatal(err)
	}
	if text := h.read(t, h.claude); text != ownServers {
		t.Errorf("put back, the file is\n%s", text)
	}
}

// A server is not removed from the app's file if it is no longer in a toolbox or has changed in the app. Nothing is
// removed while the app runs.
func TestTakeOverLeavesWhatIsNeeded(t *testing.T) {
	b, h, plan := broughtIn(t)
	h.running.Store(true)
	var running *engine.RunningError
	if _, err := b.over(plan, false); !errors.As(err, &running) || h.read(t, h.claude) != ownServers {
		t.Errorf("while the app runs, the change ends with %v", err)
	}
	h.running.Store(false)
	b.undo()
	b.until(func() string {
		if strings.Contains(b.text(), "mail") {
			return "it is not undone"
		}
		return ""
	})
	moved, err := b.over(plan, false)
	if text := h.read(t, h.claude); err != nil || len(moved.Files) > 0 || !strings.Contains(text, "files") ||
		!strings.Contains(text, "mail") || !strings.Contains(text, "workbench-desktop") {
		t.Errorf("after undo, removed was %+v, %v\n%s", moved, err, text)
	}
}

// If an app would undo the change when it ends, Workbench waits for its end, and keeps what the app wrote.
func TestTakeOverAfterQuitting(t *testing.T) {
	b, h, plan := broughtIn(t)
	h.running.Store(true)
	client, _ := engine.ByID("claude-desktop")
	result := make(chan setup.Moved, 1)
	b.apps.TakeOver(t.Context(), engine.Plan{Client: client, Connect: true}, plan, true,
		func(moved setup.Moved, err error) {
			if err != nil {
				t.Error(err)
			}
			result <- moved
		})
	h.write(t, h.claude, strings.Replace(ownServers, `"command": "mail"`, `"command": "mail", "args": ["-v"]`, 1))
	h.running.Store(false)
	b.until(func() string {
		if len(result) == 0 {
			return "it is still waited for"
		}
		return ""
	})
	moved := <-result
	if text := h.read(t, h.claude); len(moved.Files) != 1 || strings.Join(moved.Files[0].Names, " ") != "files" ||
		!strings.Contains(text, `"-v"`) || !strings.Contains(text, "workbench-desktop") {
		t.Errorf("removed was %+v\n%s", moved, text)
	}
}

// For an app whose file Workbench does not write, the window shows commands.
func TestRemovalCommands(t *testing.T) {
	b, h := newHomeBench(t)
	h.write(t, filepath.Join(h.folder, ".claude.json"), `{"mcpServers": {"files": {"command": "files"}}}`)
	var offer clients.Offer
	if err := b.await(func(done func(error)) {
		b.apps.ServersOf([]string{"claude-code"}, func(found clients.Offer, err error) { offer = found; done(err) })
	}); err != nil {
		t.Fatal(err)
	}
	if err := b.await(func(done func(error)) { b.apps.Add(offer, offer.Plan, false, done) }); err != nil {
		t.Fatal(err)
	}
	var commands []string
	client, _ := engine.ByID("claude-code")
	if err := b.await(func(done func(error)) {
		b.apps.Preview(engine.Plan{Client: client}, offer.Plan, func(found setup.Preview) {
			commands = found.Commands
			done(nil)
		})
	}); err != nil || strings.Join(commands, "\n") != "claude mcp remove -s user files" {
		t.Errorf("the commands are %q, %v", commands, err)
	}
}
