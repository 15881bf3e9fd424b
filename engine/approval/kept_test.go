package approval_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestWhatIsRead: the file is read again only if it has changed.
func TestWhatIsRead(t *testing.T) {
	p := &person{t: t, folder: t.TempDir()}
	path := filepath.Join(p.folder, "approvals.json")
	cfg := parse(t, memory)
	server := cfg.Toolboxes[0].Servers[0]
	check := func(a *approval.Approvals, want error) {
		t.Helper()
		if err := a.Check(file, "dev", server); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	a, other := p.program(), p.program()
	check(a, nil) // no window has been set up
	p.must(other.Begin(t.Context(), file, parse(t, `"x":{"command":"x"}`)))
	check(a, approval.ErrChanged)
	p.must(other.Approve(t.Context(), file, cfg, other.Waiting(file, cfg)...))
	check(a, nil)
	// A file with the size and time of the one already read is not read again.
	info, err := os.Stat(path)
	p.must(err)
	raw, err := os.ReadFile(path)
	p.must(err)
	p.must(os.WriteFile(path, []byte(strings.Repeat(" ", len(raw))), 0o600))
	p.must(os.Chtimes(path, info.ModTime(), info.ModTime()))
	check(a, nil)
	p.must(os.Remove(path))
	check(a, approval.ErrChanged)
}

// TestNothingShown: nothing is written if nothing is approved, or if a save does not change what runs.
func TestNothingShown(t *testing.T) {
	p := newPerson(t, memory)
	path := filepath.Join(p.folder, "approvals.json")
	before, _ := os.ReadFile(path)
	p.must(p.a.Approve(t.Context(), file, p.cfg))
	if after, _ := os.ReadFile(path); !slices.Equal(before, after) {
		t.Error("approving nothing has written the file")
	}
}

// TestFilesApart: the approvals of one file do not depend on what a person does in another.
func TestFilesApart(t *testing.T) {
	p := newPerson(t, memory)
	other := "/home/u/other.json"
	with := parse(t, memory+`,"b":{"command":"b"}`)
	p.must(p.a.Save(t.Context(), other, p.cfg, with))
	p.must(p.a.Save(t.Context(), file, p.cfg, parse(t, ``)))
	if waiting := p.a.Waiting(other, with); len(waiting) > 0 {
		t.Errorf("%v waits in the other file", waiting)
	}
	p.must(p.a.SetFree(t.Context(), file, parse(t, `"c":{"command":"c"}`), false))
	if waiting := p.a.Waiting(other, with); len(waiting) > 0 {
		t.Errorf("%v waits in the other file", waiting)
	}
}

// TestOldestIsForgotten checks the maximum number of stored entries that are not in the configuration.
func TestOldestIsForgotten(t *testing.T) {
	const most = 4096
	var entries []string
	for i := range most + 1 {
		entries = append(entries, fmt.Sprintf(`"s%d":{"command":"c%d"}`, i, i))
	}
	many := func(n int) *config.Config { return parse(t, strings.Join(entries[len(entries)-n:], ",")) }
	p := newPerson(t, `"x":{"command":"x"}`)
	for _, c := range []struct{ entries, waiting int }{{most, 0}, {most + 1, 1}} {
		all := many(c.entries)
		p.must(p.a.SetFree(t.Context(), file, all, false))
		if waiting := p.a.Waiting(file, all); len(waiting) > 0 {
			t.Errorf("%d of the configuration wait", len(waiting))
		}
		p.must(p.a.SetFree(t.Context(), "/home/u/other.json", parse(t, `"y":{"command":"y"}`), false))
		waiting := p.a.Waiting(file, all)
		if len(waiting) != c.waiting {
			t.Errorf("%d of %d wait", len(waiting), c.entries)
		}
		if len(waiting) == 1 && waiting[0].Server.Name != "s0" {
			t.Errorf("%s is forgotten", waiting[0].Server.Name)
		}
		p.must(p.a.SetFree(t.Context(), "/home/u/other.json", parse(t, ``), false))
	}
}

// If another program is busy with the record, it is waited for, but not forever. A file that is too large is
// not read.
func TestBusyAndTooLarge(t *testing.T) {
	p := newPerson(t, `"a":{"command":"a"}`)
	path := filepath.Join(p.folder, "approvals.json")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := p.a.SetFree(ctx, file, p.cfg, true); !words.Is(err, "approval.busy") {
		t.Error(err)
	}
	_ = lock.Close()
	const most = 16 << 20
	for size, want := range map[int]words.Code{most: "approval.damaged", most + 1: "approval.too_large"} {
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		a := p.program()
		if lost := a.State().Lost; !words.Is(lost, want) || len(a.Waiting(file, p.cfg)) != 1 {
			t.Errorf("%d bytes: %v", size, lost)
		}
	}
}
