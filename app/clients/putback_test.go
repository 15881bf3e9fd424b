package clients

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

func movedOf(names ...string) []setup.MovedFile {
	return []setup.MovedFile{{Client: "cursor", File: "/home/ada/.cursor/mcp.json", Names: names}}
}

// backOf returns a real plan that disconnects, and what its file becomes when a server is put back.
func backOf(t *testing.T) Proposal {
	found := planOf(t, "cursor", false)
	file := found.Plan.Changes[0].File
	found.Moved = movedOf("memory")
	found.Back = []engine.Difference{{File: file, Unified: "--- " + file + "\n+++ " + file + "\n@@ -2,3 +2,3 @@\n" +
		"   \"mcpServers\": {\n-    \"workbench\": {\"command\": \"/opt/workbench\"}\n" +
		"+    \"memory\": {\"command\": \"memory\"}\n   }\n"}}
	return found
}

// TestDisconnectAllPutsBack: servers also go back into apps that have no entry, and into those whose file is only
// read.
func TestDisconnectAllPutsBack(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	known := facts()
	known.Statuses = []engine.Status{client("cursor", engine.NotConnected, noon), client("zed", engine.Connected, noon)}
	known.Sources, known.Moved = []string{"cursor", "roo"}, map[string]bool{"cursor": true, "roo": true}
	o := open(t, NewView(known), normal)
	o.fake.plan = func(id string, _ bool, done func(Proposal, error)) {
		found := Proposal{Plan: engine.Plan{Client: engine.Client{}}}
		found.Plan.Client.ID = id
		if id != "zed" {
			found.Moved = movedOf(id + "-server")
		}
		done(found, nil)
	}
	o.fake.carry = func(_ context.Context, _ engine.Plan, _ bool, done func(error)) { done(nil) }
	test.Tap(o.buttons[" disconnect"])
	o.reads(t, "Put cursor-server back into Cursor", "Put roo-server back into")
	o.tap(t, "Disconnect")
	o.back(nil)
	o.back(nil)
	if want := []string{"back cursor-server", "back roo-server"}; !slices.Equal(o.did[len(o.did)-2:], want) {
		t.Errorf("it did %q", o.did)
	}
	o.reads(t, "No AI app is connected now.")
}

// TestDisconnectPutsBack: the dialog that disconnects an app puts back what was moved out of it, after our entry is
// gone, unless people say otherwise.
func TestDisconnectPutsBack(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	begin := func(moved []setup.MovedFile) *opened {
		o := open(t, NewView(facts()), normal)
		o.disconnect(Card{ID: "cursor", Name: "Cursor"})
		o.planned(Proposal{Plan: planOf(t, "cursor", true).Plan, Moved: moved}, nil)
		return o
	}
	o := begin(movedOf("memory", "clio"))
	o.reads(t, "Put memory and clio back into Cursor")
	o.tap(t, "Disconnect")
	if slices.Contains(o.did, "back memory,clio") {
		t.Error("the servers were put back before Workbench was gone")
	}
	o.carried(nil)
	if o.last() != "back memory,clio" {
		t.Fatalf("it did %q", o.did)
	}
	o.back(nil)
	if o.dialog != nil {
		t.Error("the dialog is still open")
	}

	o = open(t, NewView(facts()), normal)
	o.disconnect(Card{ID: "cursor", Name: "Cursor"})
	o.planned(backOf(t), nil)
	box := func() *kit.Check {
		for _, object := range seen(o.top()) {
			if check, ok := object.(*kit.Check); ok && strings.HasPrefix(check.Text, "Put memory back") {
				return check
			}
		}
		t.Fatalf("there is no box:\n%s", o.texts())
		return nil
	}
	for range 2 {
		o.reads(t, `"memory": {"command": "memory"}`)
		test.Tap(box())
		if strings.Contains(o.texts(), `"memory": {"command"`) || o.window.Canvas().Focused() != fyne.Focusable(box()) {
			t.Error("what is not put back is shown, or the box has lost the keyboard")
		}
		test.Tap(box())
	}

	o = begin(movedOf("memory"))
	for _, object := range seen(o.top()) {
		if check, ok := object.(*kit.Check); ok && strings.HasPrefix(check.Text, "Put memory back") {
			test.Tap(check)
		}
	}
	o.tap(t, "Disconnect")
	o.carried(nil)
	if slices.ContainsFunc(o.did, func(did string) bool { return strings.HasPrefix(did, "back") }) || o.dialog != nil {
		t.Errorf("people did not want them back: %q", o.did)
	}

	o = begin(movedOf("memory"))
	o.tap(t, "Disconnect")
	o.carried(nil)
	o.back(errors.New("the file has another entry \"memory\" now"))
	o.reads(t, "The file has another entry")

	o = begin(nil)
	if strings.Contains(o.texts(), "back into") {
		t.Error("nothing was moved, and it is offered to put it back")
	}
	o.tap(t, "Disconnect")
	o.carried(errors.New("it failed"))
	if slices.ContainsFunc(o.did, func(did string) bool { return strings.HasPrefix(did, "back") }) {
		t.Error("servers were put back although disconnecting failed")
	}
}
