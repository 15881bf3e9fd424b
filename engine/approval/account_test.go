package approval_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
)

// TestVariableSwitchesNothingOff: a program that is started with variables which lead elsewhere still uses the record
// in the account's own place, whether there is a record elsewhere or not.
func TestVariableSwitchesNothingOff(t *testing.T) {
	p := newPerson(t, memory)
	p.elsewhere(memory + `,"evil":{"command":"sh"}`)
	forged := newPerson(t, `"evil":{"command":"sh"}`)
	own := filepath.Join(p.folder, "approvals.json")
	for name, elsewhere := range map[string]string{"an empty folder": t.TempDir(),
		"a folder with another record": forged.folder} {
		a := approval.New(approval.Options{Path: filepath.Join(elsewhere, "approvals.json"), Account: own})
		p.must(a.Begin(t.Context(), file, p.cfg)) // a window with these variables
		if waiting := a.Waiting(file, p.cfg); len(waiting) != 1 || waiting[0].Server.Name != "evil" ||
			waiting[0].Why != approval.Elsewhere {
			t.Errorf("%s: %v", name, waiting)
		}
	}
	p.waits("evil")
	// What is approved there is approved everywhere.
	folder := t.TempDir()
	a := approval.New(approval.Options{Path: filepath.Join(folder, "approvals.json"), Account: own})
	p.must(a.Approve(t.Context(), file, p.cfg, a.Waiting(file, p.cfg)...))
	p.waits()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("elsewhere there are %v, %v", entries, err)
	}
}

// TestNoRecordInTheAccount: a person who has set the variables for themselves has their record there.
func TestNoRecordInTheAccount(t *testing.T) {
	p := newPerson(t, memory)
	nobody := filepath.Join(t.TempDir(), "no", "such", "approvals.json")
	p.a = approval.New(approval.Options{Path: filepath.Join(p.folder, "approvals.json"), Account: nobody})
	p.elsewhere(memory + `,"b":{"command":"b"}`)
	p.waits("b")
}
