package clients

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

func movedOf(names ...string) []setup.MovedFile {
	return []setup.MovedFile{{Client: "cursor", File: "/home/ada/.cursor/mcp.json", Names: names}}
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
	o.reads(t, "Put memory, clio back into Cursor")
	o.tap(t, "Disconnect")
	if slices.Contains(o.did, "back memory,clio") {
		t.Error("the servers were put back before Workbench was gone")
	}
	o.carried(nil)
	if o.last() != "back memory,clio" {
		t.Fatalf("it did %q", o.did)
	}
	o.back(nil)
	if o.dialog != nil || o.last() != "say Cursor is disconnected." {
		t.Errorf("it did %q", o.did)
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
