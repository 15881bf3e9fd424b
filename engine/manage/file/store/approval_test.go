package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
)

// approving opens the store of a person whose window has already approved the file as it is.
func approving(t *testing.T, p place) (*Store, func(want ...string)) {
	t.Helper()
	options := p.options()
	options.Approvals = approval.New(approval.Options{Path: filepath.Join(t.TempDir(), "approvals.json")})
	s, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	if err := options.Approvals.Begin(t.Context(), p.file, s.Current().Config); err != nil {
		t.Fatal(err)
	}
	return s, func(want ...string) {
		t.Helper()
		var got []string
		for _, w := range options.Approvals.Waiting(p.file, s.Current().Config) {
			got = append(got, w.Server.Name)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q waits, want %q", got, want)
		}
	}
}

const (
	onlyMine = `{"toolboxes":{"dev":{"mcpServers":{"mine":{"command":"mine"}}}}}`
	withEvil = `{"toolboxes":{"dev":{"mcpServers":{"mine":{"command":"mine"},"evil":{"command":"evil"}}}}}`
	remove   = `[{"op":"remove","path":"/toolboxes/dev/mcpServers/NAME"}]`
	add      = `[{"op":"add","path":"/toolboxes/dev/mcpServers/NAME","value":{"command":"NAME"}}]`
)

func on(operation, name string) Op { return patch(strings.ReplaceAll(operation, "NAME", name)) }

// TestUndoApprovesNothingRefused: a person refuses what another program has added, and then undoes and redoes
// all of it.
func TestUndoApprovesNothingRefused(t *testing.T) {
	p := placed(t, onlyMine)
	s, waits := approving(t, p)
	p.write(withEvil)
	edited(t, s, "add", on(add, "other"))
	waits("evil")
	edited(t, s, "remove", on(remove, "evil"))
	waits()
	step := func(do func() (Change, error), want ...string) {
		t.Helper()
		if _, err := do(); err != nil {
			t.Fatal(err)
		}
		waits(want...)
	}
	undo := func() (Change, error) { return s.Undo(t.Context()) }
	redo := func() (Change, error) { return s.Redo(t.Context()) }
	step(undo, "evil")
	step(redo)
	step(undo, "evil")
	// What the person has approved runs again at once.
	edited(t, s, "remove", on(remove, "mine"))
	step(undo, "evil")
	step(redo, "evil")
	step(undo, "evil")
	step(undo, "evil") // undoes the addition of other
	step(redo, "evil")
}

func TestRestoreApprovesNothingRefused(t *testing.T) {
	p := placed(t, onlyMine)
	s, waits := approving(t, p)
	p.write(withEvil)
	edited(t, s, "remove mine", on(remove, "mine"))
	edited(t, s, "remove evil", on(remove, "evil"))
	waits()
	versions, err := s.History()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range versions {
		_, text, err := s.Version(v.ID)
		if err != nil || !strings.Contains(string(text), "mine") || !strings.Contains(string(text), "evil") {
			continue
		}
		if _, err := s.Restore(t.Context(), v.ID); err != nil {
			t.Fatal(err)
		}
		waits("evil")
		return
	}
	t.Fatalf("no version has both: %s", labels(t, s))
}

// TestFileMadeAnewApprovesNothing removes the file while an edit of the person waits to be saved.
func TestFileMadeAnewApprovesNothing(t *testing.T) {
	p := placed(t, onlyMine)
	s, waits := approving(t, p)
	p.write(withEvil)
	edited(t, s, "add", on(add, "other"))
	waits("evil")
	if err := os.Remove(p.file); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Edit(t.Context(), "add", on(add, "third")); err == nil {
		t.Fatal("the edit was saved")
	}
	if _, err := s.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	waits("evil")
}

// TestAddingBesideErrors adds servers to a file in which another entry has an error, and then corrects the
// error.
func TestAddingBesideErrors(t *testing.T) {
	const wrong = `{"toolboxes":{"dev":{"mcpServers":{"mine":{"command":"mine"},"evil":{"command":"evil","callTimeout":"x"}}}}}`
	p := placed(t, onlyMine)
	s, waits := approving(t, p)
	p.write(wrong)
	edited(t, s, "add", on(add, "other"))
	waits("evil")
	edited(t, s, "mend", patch(`[{"op":"remove","path":"/toolboxes/dev/mcpServers/evil/callTimeout"}]`))
	waits("evil")

	// An entry that an error elsewhere may have changed or hidden waits for approval.
	for _, wrong := range []string{
		`{"toolboxes":{"dev":{"mcpServers":{"mine":{"command":"mine"},"bad":{"command":"evil","callTimeout":"x"}}}}}`,
		`{"toolboxes":{"dev":{"mcpServers":{"mine":{"command":"mine"},"evil":7}}}}`,
		`{"toolboxes":{"dev":{"mcpServers":{"mine":{"command":"mine"}}},"evil":7}}`,
		`{"toolboxes":{"dev":{"mcpServers":{"mine":{"command":"mine"}`,
	} {
		p := placed(t, onlyMine)
		s, waits := approving(t, p)
		p.write(wrong)
		if err := s.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.Current().Valid() {
			t.Fatalf("%s has no errors", wrong)
		}
		edited(t, s, "mend", Text{From: []byte(wrong), To: []byte(withEvil)})
		waits("evil")
	}
}

// TestPutBack: another program adds a server and removes the file. It can be written again as it was, with its
// secrets, and what waited for approval still waits.
func TestPutBack(t *testing.T) {
	const text = `{"toolboxes":{"dev":{"mcpServers":{
		"mine":{"command":"mine","env":{"TOKEN":"t0k-en-of-mine"}},"evil":{"command":"evil"}}}}}`
	p := placed(t, onlyMine)
	s, waits := approving(t, p)
	p.write(text)
	edited(t, s, "add", on(add, "other"))
	written := string(s.Current().Source)
	if _, err := s.PutBack(t.Context()); !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("a file that is there: %v", err)
	}
	if err := errors.Join(os.Remove(p.file), s.Reload(t.Context())); err != nil {
		t.Fatal(err)
	}
	if now := s.Snapshot(); !now.Gone || now.Document.Source != nil {
		t.Errorf("the file is gone, and the state is %+v", now)
	}
	if _, err := s.PutBack(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := p.read(); got != written || s.Snapshot().Gone {
		t.Errorf("gone: %v, and the file is\n%s", s.Snapshot().Gone, got)
	}
	waits("mine", "evil")
}
