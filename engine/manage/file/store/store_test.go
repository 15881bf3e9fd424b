package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

func TestEdit(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	now, changed, cancel := s.Subscribe()
	defer cancel()
	check(t, "at first", toolboxes(now.Document), "dev")
	change := edited(t, s, "added toolbox prod", addToolbox("prod"))
	check(t, "current", toolboxes(s.Current()), "dev prod")
	check(t, "file", p.read(), string(s.Current().Source))
	check(t, "comment kept", strings.Contains(p.read(), "// mine"), true)
	check(t, "replayed", change.Replayed, false)
	check(t, "diff", strings.Contains(change.Diff(), `+    "dev"`) && strings.Contains(change.Diff(), "prod"), true)
	check(t, "history", labels(t, s), "2 added toolbox prod, 1 found in the file")
	select {
	case <-changed:
	default:
		t.Error("no signal")
	}
	p.clean()

	nothing, err := s.Edit(t.Context(), "nothing", Text{From: []byte(p.read()), To: []byte(p.read())})
	check(t, "error of nothing", err, nil)
	check(t, "nothing changed", nothing.Changed(), false)
	check(t, "diff of nothing", nothing.Diff(), "")
	check(t, "history", labels(t, s), "2 added toolbox prod, 1 found in the file")
	check(t, "undo", undoes(s), "added toolbox prod")
}

func TestPreview(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	preview, err := s.Preview("added toolbox prod", addToolbox("prod"))
	check(t, "previewed", err == nil && toolboxes(preview.After) == "dev prod" &&
		strings.Contains(preview.Diff(), "prod"), true)
	nothing, err := s.Preview("nothing", Text{From: []byte(small), To: []byte(small)})
	check(t, "nothing", err == nil && !nothing.Changed(), true)
	if _, err := s.Preview("x", patch(`[{"op": "remove", "path": "/toolboxes/nosuch"}]`)); err == nil {
		t.Error("Preview accepts an edit that cannot be made")
	}
	check(t, "file", p.read(), small)
	check(t, "current", toolboxes(s.Current()), "dev")
	check(t, "history", labels(t, s), "1 found in the file")
}

// TestPlan checks that a read-only store writes nothing, not even beside the file, and still reads the
// history.
func TestPlan(t *testing.T) {
	p := placed(t, small)
	options := Options{Location: config.Location{Path: p.file, Named: true}, HistoryDir: p.history, ReadOnly: true}
	s, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := s.Preview("added toolbox prod", addToolbox("prod"))
	check(t, "previewed", err == nil && toolboxes(preview.After) == "dev prod" &&
		strings.Contains(preview.Diff(), "prod"), true)
	check(t, "history", labels(t, s), "")
	_, err = s.Edit(t.Context(), "added toolbox prod", addToolbox("prod"))
	check(t, "saving is refused", errors.Is(err, ErrReadOnly), true)
	check(t, "nothing waits to be saved", s.Snapshot().Pending == nil, true)
	check(t, "reloaded", s.Reload(t.Context()), error(nil))
	check(t, "file", p.read(), small)
	if _, err := os.Stat(p.history); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a folder for the history: %v", err)
	}

	// A history has a key, by which secrets are found again.
	edited(t, p.open(), "added toolbox prod", addToolbox("prod"))
	if s, err = Open(options); err != nil {
		t.Fatal(err)
	}
	check(t, "history", labels(t, s), "2 added toolbox prod, 1 found in the file")
	plan, err := s.PlanRestore("1")
	check(t, "restoring is planned", err == nil && toolboxes(plan.After) == "dev", true)
	_, err = s.Restore(t.Context(), "1")
	check(t, "restoring is refused", errors.Is(err, ErrReadOnly), true)
}

func TestEditMakesTheFile(t *testing.T) {
	p := placed(t, "")
	s := p.open()
	check(t, "history", labels(t, s), "")
	edited(t, s, "added toolbox dev", addToolbox("dev"))
	check(t, "toolboxes", toolboxes(s.Current()), "dev")
	edited(t, s, "added toolbox prod", addToolbox("prod"))
	for range 2 {
		if _, err := s.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	check(t, "after undo", p.read(), config.Empty)
	if _, err := s.Undo(t.Context()); !errors.Is(err, ErrNothingToUndo) {
		t.Error(err)
	}
	for range 2 {
		if _, err := s.Redo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	check(t, "after redo", toolboxes(s.Current()), "dev prod")
}

func TestEditIsRefused(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	_, err := s.Edit(t.Context(), "x", patch(`[{"op": "remove", "path": "/toolboxes/nosuch"}]`))
	if err == nil || !strings.Contains(err.Error(), "the edit was not made") {
		t.Error(err)
	}
	_, err = s.Edit(t.Context(), "x",
		patch(`[{"op": "add", "path": "/toolboxes/dev/mcpServers/x", "value": {"command": 7}}]`))
	var invalid *InvalidError
	if !errors.As(err, &invalid) || len(invalid.Errors) == 0 ||
		!strings.Contains(err.Error(), "toolboxes.dev.mcpServers.x.command") {
		t.Error(err)
	}
	_, err = s.Edit(t.Context(), "x", Text{From: []byte(small), To: []byte("{")})
	if !errors.As(err, &invalid) {
		t.Error(err)
	}
	check(t, "file", p.read(), small)
	check(t, "nothing pending", s.Snapshot().Pending == nil, true)

	const brokenText = `{"toolboxes": {"dev": {"mcpServers": {}}`
	p.write(brokenText)
	var broken *BrokenError
	if _, err := s.Edit(t.Context(), "x", addToolbox("a")); !errors.As(err, &broken) ||
		!strings.Contains(err.Error(), p.file+":1:") {
		t.Error(err)
	}
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Edit(t.Context(), "x", addToolbox("a")); !errors.As(err, &broken) {
		t.Error(err)
	}
	check(t, "file", p.read(), brokenText)

	// The user corrects the file here.
	edited(t, s, "corrected", Text{From: []byte(brokenText), To: []byte(brokenText + "}}")})
	check(t, "toolboxes", toolboxes(s.Current()), "dev")
	if _, err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, "after undo", p.read(), brokenText)
}

func TestEditWithErrorsInTheFile(t *testing.T) {
	p := placed(t, `{"toolboxes": {"dev": {"mcpServers": {"x": {"command": 7}}}}}`)
	s := p.open()
	check(t, "valid", s.Current().Valid(), false)
	edited(t, s, "elsewhere", addToolbox("prod"))
	edited(t, s, "corrected", patch(`[{"op": "replace", "path": "/toolboxes/dev/mcpServers/x/command", "value": "x"}]`))
	check(t, "valid", s.Current().Valid(), true)
}

func TestOpen(t *testing.T) {
	folder := t.TempDir()
	named := config.Location{Path: filepath.Join(folder, "none.json"), Named: true, Source: config.SourceFlag}
	if _, err := Open(Options{Location: named}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(Options{Location: config.Location{Path: folder}}); err == nil ||
		!strings.Contains(err.Error(), "folder") {
		t.Error(err)
	}
	if _, err := Open(Options{Location: config.Location{Path: "relative"}}); err == nil {
		t.Error("a relative path is accepted")
	}
}

func TestNoHistory(t *testing.T) {
	p := placed(t, small)
	blocked := filepath.Join(filepath.Dir(p.file), "file")
	for _, folder := range []string{"", filepath.Join(p.file, "history")} {
		options := p.options()
		options.HistoryDir = folder
		s, err := Open(options)
		if err != nil {
			t.Fatal(err)
		}
		change, err := s.Edit(t.Context(), "saved all the same", addToolbox("b"+filepath.Base(folder)))
		if err != nil || change.Unrecorded == nil || change.Version != "" {
			t.Errorf("%v, %v", err, change.Unrecorded)
		}
		if _, err := s.History(); err == nil {
			t.Error("there is a history")
		}
		if _, err := s.Restore(t.Context(), "1"); err == nil {
			t.Error("restored from no history")
		}
	}
	if _, err := os.Stat(blocked); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// next waits until the state is as wanted.
func next(t *testing.T, s *Store, changed <-chan struct{}, wanted func(Snapshot) bool) Snapshot {
	t.Helper()
	timeout := time.After(deadline)
	for {
		if now := s.Snapshot(); wanted(now) {
			return now
		}
		select {
		case <-changed:
		case <-timeout:
			t.Fatalf("the state does not become the wanted one; it is %+v", s.Snapshot())
		}
	}
}

func TestRun(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	_, changed, cancel := s.Subscribe()
	defer cancel()
	run(t, s)

	p.write(strings.Replace(small, "dev", "theirs", 1))
	next(t, s, changed, func(now Snapshot) bool { return toolboxes(now.Document) == "theirs" })
	check(t, "history", labels(t, s), "2 found in the file, 1 found in the file")

	// Our own writes are not reported as changes of others.
	for _, name := range []string{"a", "b", "c"} {
		edited(t, s, "added "+name, addToolbox(name))
	}
	p.write(`{"toolboxes": {`)
	next(t, s, changed, func(now Snapshot) bool { return len(now.Document.Source) == 15 })
	check(t, "history", strings.Contains(labels(t, s), "5 added c, 4 added b, 3 added a, 2 found"), true)

	if err := os.Remove(p.file); err != nil {
		t.Fatal(err)
	}
	next(t, s, changed, func(now Snapshot) bool { return now.Document.Source == nil && now.Problem == nil })
	if err := os.Mkdir(p.file, 0o755); err != nil {
		t.Fatal(err)
	}
	now := next(t, s, changed, func(now Snapshot) bool { return now.Problem != nil })
	check(t, "problem", strings.Contains(now.Problem.Error(), "is a folder"), true)
	if err := os.Remove(p.file); err != nil {
		t.Fatal(err)
	}
	p.write(small)
	next(t, s, changed, func(now Snapshot) bool { return toolboxes(now.Document) == "dev" && now.Problem == nil })
}

func TestSignalsAreCoalesced(t *testing.T) {
	s := placed(t, small).open()
	_, changed, cancel := s.Subscribe()
	for _, name := range []string{"a", "b", "c"} {
		edited(t, s, "added "+name, addToolbox(name))
	}
	<-changed
	select {
	case <-changed:
		t.Error("a second signal")
	default:
	}
	cancel()
	edited(t, s, "added d", addToolbox("d"))
	select {
	case <-changed:
		t.Error("a signal after cancel")
	default:
	}
}

func TestContext(t *testing.T) {
	s := placed(t, small).open()
	leave, err := s.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := s.Edit(ctx, "never", addToolbox("a"))
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	leave()
	edited(t, s, "then", addToolbox("b"))
}

func TestUndo(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	number := s.Snapshot().Edits
	another := func() bool {
		before := number
		number = s.Snapshot().Edits
		return number != before
	}
	edited(t, s, "added a", addToolbox("a"))
	first := p.read()
	check(t, "another edit", another(), true)
	edited(t, s, "added b", addToolbox("b"))
	second := p.read()
	check(t, "one more", another(), true)
	check(t, "no edit", another(), false)
	for _, step := range []struct {
		do   func(context.Context) (Change, error)
		want string
	}{{s.Undo, first}, {s.Undo, small}, {s.Redo, first}, {s.Redo, second}, {s.Undo, first}} {
		if _, err := step.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(t, "file", p.read(), step.want)
		check(t, "another edit", another(), true)
	}
	check(t, "redo", s.redo[len(s.redo)-1].label, "added b")
	edited(t, s, "added c", addToolbox("c"))
	if _, err := s.Redo(t.Context()); !errors.Is(err, ErrNothingToRedo) {
		t.Error(err)
	}
	check(t, "history", strings.HasPrefix(labels(t, s),
		"9 added c, 8 undo: added b, 7 redo: added b, 6 redo: added a, 5 undo: added a, 4 undo: added b"), true)
}

const lines = `{
  "toolboxes": {
    "a": {"mcpServers": {}},

    "b": {"mcpServers": {}},

    "c": {"mcpServers": {}}
  }
}
`

func TestUndoAfterOthers(t *testing.T) {
	p := placed(t, lines)
	s := p.open()
	change := func(old, new string) Op {
		return OpFunc(func(source []byte) ([]byte, error) {
			return []byte(strings.Replace(string(source), old, new, 1)), nil
		})
	}
	edited(t, s, "described a", change(`"a": {`, `"a": {"description": "A", `))
	p.write(strings.Replace(p.read(), `"c": {`, `"c": {"description": "theirs", `, 1))
	undone, err := s.Undo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	check(t, "replayed", undone.Replayed, true)
	want := strings.Replace(lines, `"c": {`, `"c": {"description": "theirs", `, 1)
	check(t, "file", p.read(), want)
	if _, err := s.Redo(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, "file", p.read(), strings.Replace(want, `"a": {`, `"a": {"description": "A", `, 1))

	theirs := strings.Replace(p.read(), `"A"`, `"B"`, 1)
	p.write(theirs)
	var conflict *Conflict
	if _, err := s.Undo(t.Context()); !errors.As(err, &conflict) {
		t.Fatal(err)
	}
	check(t, "clash", conflict.Clash[0].Path, "toolboxes.a.description")
	check(t, "file", p.read(), theirs)
	check(t, "undo is still there", undoes(s), "described a")
}

func TestEdits(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	ops := []edit.Op{edit.AddToolbox{Name: "prod"}, edit.RenameToolbox{Name: "dev", To: "test"}}
	theirs := strings.Replace(small, "// mine", "// theirs", 1)
	p.write(theirs)
	change := edited(t, s, LabelFor(ops...), Edits(ops...))
	check(t, "replayed", change.Replayed, true)
	check(t, "toolboxes", toolboxes(s.Current()), "test prod")
	check(t, "comment", strings.Contains(p.read(), "// theirs"), true)
	if !strings.Contains(labels(t, s), "prod") {
		t.Error(labels(t, s))
	}
	if _, err := s.Edit(t.Context(), "again", Edits(ops...)); !errors.Is(err, edit.ErrExists) {
		t.Error(err)
	}
}
