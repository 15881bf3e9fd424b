package approval_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// reasons checks the reasons for which entries of a file wait.
func (p *person) reasons(path string, cfg *config.Config, want map[string]approval.Reason) {
	p.t.Helper()
	for _, program := range []*approval.Approvals{p.a, p.program()} {
		waiting := program.Waiting(path, cfg)
		if len(waiting) != len(want) {
			p.t.Fatalf("%v wait, want %v", waiting, want)
		}
		for _, w := range waiting {
			if w.Why != want[w.Server.Name] {
				p.t.Errorf("%s waits since %q, want %q", w.Server.Name, w.Why, want[w.Server.Name])
			}
		}
	}
}

// An entry that another program has written has this reason, also in a file that was empty when the window
// was set up, and in one that the person has emptied.
func TestElsewhere(t *testing.T) {
	for _, first := range []string{``, `"a":{"command":"a"}`} {
		p := newPerson(t, first)
		p.saves(``)
		p.elsewhere(`"evil":{"command":"evil"}`)
		p.reasons(file, p.cfg, map[string]approval.Reason{"evil": approval.Elsewhere})
	}
}

// A second file has its own reasons until a person has decided something in it. Entries that waited then keep
// these reasons; later entries do not get them.
func TestSecondFile(t *testing.T) {
	p := newPerson(t, `"a":{"command":"a"}`)
	const other = "/home/u/other.json"
	cfg := parse(t, `"a":{"command":"a"}, "b":{"command":"b"}, "c":{"command":"c"}`)
	p.reasons(other, cfg, map[string]approval.Reason{"b": approval.NewFile, "c": approval.NewFile})
	waiting := p.a.Waiting(other, cfg)
	p.must(p.a.Approve(t.Context(), other, cfg, waiting[0]))
	cfg = parse(t, `"a":{"command":"a"}, "b":{"command":"b"}, "c":{"command":"c"}, "evil":{"command":"evil"}`)
	p.reasons(other, cfg, map[string]approval.Reason{"c": approval.NewFile, "evil": approval.Elsewhere})

	// The person removes it. Then another program adds it again.
	without := parse(t, `"a":{"command":"a"}, "b":{"command":"b"}, "evil":{"command":"evil"}`)
	p.must(p.a.Save(t.Context(), other, cfg, without))
	p.reasons(other, cfg, map[string]approval.Reason{"c": approval.Elsewhere, "evil": approval.Elsewhere})
	p.reasons(file, p.cfg, nil)

	// In a third file, the person has only saved something.
	const third = "/home/u/third.json"
	saved := parse(t, `"new":{"command":"new"}`)
	p.must(p.a.Save(t.Context(), third, parse(t, ``), saved))
	cfg = parse(t, `"new":{"command":"new"}, "evil":{"command":"evil too"}`)
	p.reasons(third, cfg, map[string]approval.Reason{"evil": approval.Elsewhere})
}

// An entry that a person brings back with an older version has this reason as long as it waits.
func TestReturned(t *testing.T) {
	p := newPerson(t, `"a":{"command":"a"}`)
	older := parse(t, `"a":{"command":"a"}, "old":{"command":"old"}`)
	p.must(p.a.Return(t.Context(), file, p.cfg, older))
	p.reasons(file, older, map[string]approval.Reason{"old": approval.Returned})
	p.must(p.a.Save(t.Context(), file, older, p.cfg))
	p.reasons(file, older, map[string]approval.Reason{"old": approval.Elsewhere})
}

// If the record is lost, all waiting entries have this reason, also after some of them were approved.
func TestNoRecord(t *testing.T) {
	p := newPerson(t, `"a":{"command":"a"}, "b":{"command":"b"}`)
	p.must(os.WriteFile(filepath.Join(p.folder, "approvals.json"), []byte("{}"), 0o600))
	p.reasons(file, p.cfg, map[string]approval.Reason{"a": approval.NoRecord, "b": approval.NoRecord})
	waiting := p.a.Waiting(file, p.cfg)
	p.must(p.a.Approve(t.Context(), file, p.cfg, waiting[0]))
	p.reasons(file, parse(t, `"a":{"command":"a"}, "b":{"command":"b"}, "c":{"command":"c"}`),
		map[string]approval.Reason{"b": approval.NoRecord, "c": approval.Elsewhere})
}
