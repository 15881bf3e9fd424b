package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// guardedBench returns a controller on its first start on this computer, after the approvals have been read.
func guardedBench(t *testing.T, text string) *bench {
	b := newBench(t, text, func(o *Options) {
		o.Approvals = approval.New(approval.Options{
			Path: filepath.Join(filepath.Dir(o.Location.Path), "state", "approvals.json")})
	})
	b.until(func() string {
		if !b.now.Approval.State.On {
			return fmt.Sprintf("the approvals have not been read: %+v", b.now.Approval)
		}
		return ""
	})
	return b
}

// untilWaiting waits until count servers wait for approval.
func (b *bench) untilWaiting(count int) {
	b.t.Helper()
	b.until(func() string {
		if b.now.Good == nil || b.now.Approval.Of != b.now.Good.Config {
			return "it is not known what waits of what is in the file"
		}
		if got := len(b.now.Approval.Waiting); got != count {
			return fmt.Sprintf("%d servers wait, want %d", got, count)
		}
		return ""
	})
}

// types saves a text of the whole file as the window does.
func (b *bench) types(text string) {
	b.t.Helper()
	base := b.now.File.Now
	change := configfile.Change{Base: base, Ops: []store.Op{store.Text{From: base.Source, To: []byte(text)}}}
	if err := b.await(func(done func(error)) { b.saver.Save(change, done) }); err != nil {
		b.t.Fatal(err)
	}
}

func configured(entries ...string) string {
	return `{"toolboxes": {"dev": {"mcpServers": {` + strings.Join(entries, ", ") + `}}}}`
}

const (
	entryA    = `"a": {"command": "a"}`
	entryEvil = `"evil": {"command": "sh", "args": ["-c", "touch started; sleep 60"]}`
)

// A server added by another program is shown and reported, and not started until the user approves it.
func TestAddedByAnotherProgram(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	started := filepath.Join(filepath.Dir(b.path), "started")
	written := configured(entryA, `"evil": {"command": "sh", "args": ["-c", "touch `+started+`; sleep 60"]}`)
	b.write(written)
	b.untilWaiting(1)
	b.untilWord("evil", "Changed by another program")
	if problems := b.now.view.Problems; !slices.ContainsFunc(problems, func(p toolboxes.Problem) bool {
		return p.Fix == "Review…"
	}) {
		t.Errorf("the problems are %+v", problems)
	}
	if state := tray.StateOf(b.now.Snapshot, b.now.view,
		b.model.Login); state.Problem != "“evil” waits for your approval" {
		t.Errorf("the tray says %q", state.Problem)
	}
	// The app's own engine does not start it either.
	b.openToolbox("dev", true)
	b.until(func() string {
		for _, engine := range b.now.Live.Engines {
			for _, server := range engine.Servers {
				if server.Name == "evil" && server.State == "needs_approval" {
					return ""
				}
			}
		}
		return "no engine says that it needs approval"
	})
	b.fix(model.Choice{Toolbox: "dev", Server: "evil"})
	shown := b.overlay()
	for _, want := range []string{"“evil” waits for your approval", `command: "sh"`, `touch `, "Approve",
		"Remove", "Later", "Don't ask again"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the dialog does not show %q:\n%s", want, shown)
		}
	}
	if _, err := os.Stat(started); err == nil {
		t.Fatal("the server was started without an approval")
	}
	// Enter, pressed without looking, closes the question and decides nothing.
	b.window.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if shown := b.overlay(); shown != "" || len(b.now.Approval.Waiting) != 1 || b.text() != written {
		t.Fatalf("after Enter %d servers wait, and the window shows\n%s", len(b.now.Approval.Waiting), shown)
	}
	b.fix(model.Choice{Toolbox: "dev", Server: "evil"})
	b.press("Approve")
	b.untilWaiting(0)
	b.openToolbox("dev", true) // it was closed again, because nothing in it could be started
	b.until(func() string {
		if _, err := os.Stat(started); err != nil {
			return "it is not started although it is approved"
		}
		return ""
	})
}

// A click on the notification shows the window and the question, and approves nothing.
func TestNotificationShowsTheQuestion(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	b.write(configured(entryA, entryEvil))
	b.untilWaiting(1)
	b.visible.Store(false)
	b.answerNotice(notify.Notice{About: notify.Approval, Waiting: b.now.Approval.Waiting}, notify.Look)
	if shown := b.overlay(); !strings.Contains(shown, "“evil” waits") {
		t.Errorf("the dialog shows\n%s", shown)
	}
	if !b.visible.Load() || len(b.now.Approval.Waiting) != 1 {
		t.Errorf("visible: %v, waiting: %v", b.visible.Load(), b.now.Approval.Waiting)
	}
	b.answerNotice(notify.Notice{About: notify.Server, At: model.Choice{Toolbox: "gone", Server: "gone"}}, notify.Look)
}

// The Approve button of a notification approves the change that the notification showed, and the window stays hidden.
// A dialog that asks about the same change closes.
func TestApprovedInTheNotification(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	b.write(configured(`"a": {"command": "b"}`))
	b.untilWaiting(1)
	b.visible.Store(false)
	notice := notify.Notice{About: notify.Approval, Waiting: b.now.Approval.Waiting}
	b.answerNotice(notice, notify.Approve)
	b.untilWaiting(0)
	if b.visible.Load() || b.overlay() != "" {
		t.Errorf("visible: %v, the dialog shows\n%s", b.visible.Load(), b.overlay())
	}

	b.write(configured(`"a": {"command": "c"}`))
	b.untilWaiting(1)
	b.fix(model.Choice{Toolbox: "dev", Server: "a"})
	notice.Waiting = b.now.Approval.Waiting
	b.answerNotice(notice, notify.Approve)
	b.untilWaiting(0)
	b.until(func() string { return b.overlay() })
}

// If the entry has changed again since the notification was shown, its button approves nothing. The window opens and
// asks about the entry as it is now.
func TestNotificationOfAnOlderChange(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	b.write(configured(`"a": {"command": "b"}`))
	b.untilWaiting(1)
	older := notify.Notice{About: notify.Approval, Waiting: b.now.Approval.Waiting}
	b.write(configured(`"a": {"command": "c"}`))
	b.until(func() string {
		if w := b.now.Approval.Waiting; len(w) != 1 || w[0].Server.Command != "c" {
			return "the second change is not known"
		}
		return ""
	})
	b.visible.Store(false)
	b.answerNotice(older, notify.Approve)
	asked := func() string {
		for _, want := range []string{"“a” waits for your approval", `command: "c"`,
			"It has changed again since you saw it"} {
			if shown := b.overlay(); !strings.Contains(shown, want) {
				return fmt.Sprintf("the dialog does not show %q:\n%s", want, shown)
			}
		}
		return ""
	}
	b.until(asked)
	if !b.visible.Load() || len(b.now.Approval.Waiting) != 1 {
		t.Errorf("visible: %v, waiting: %v", b.visible.Load(), b.now.Approval.Waiting)
	}

	// The same holds for the question in the window.
	b.write(configured(`"a": {"command": "d"}`))
	b.until(func() string {
		if w := b.now.Approval.Waiting; len(w) != 1 || w[0].Server.Command != "d" {
			return "the third change is not known"
		}
		return ""
	})
	b.press("Approve")
	b.until(func() string {
		if shown := b.overlay(); !strings.Contains(shown, `command: "d"`) ||
			!strings.Contains(shown, "It has changed again since you saw it") {
			return "it is not asked once more:\n" + shown
		}
		return ""
	})
	b.press("Approve")
	b.untilWaiting(0)

	// If nothing waits any more, the window says that the entry has changed again.
	b.answerNotice(older, notify.Approve)
	b.until(func() string {
		if shown := b.overlay(); !strings.Contains(shown, "It has changed again since you saw it") {
			return "nothing is said:\n" + shown
		}
		return ""
	})
}

// A change can be reverted, secrets included.
func TestChangePutBack(t *testing.T) {
	b := guardedBench(t, configured(`"a": {"command": "a", "env": {"TOKEN": "old-token-value"}}`))
	b.write(configured(`"a": {"command": "evil", "env": {"TOKEN": "new-token-value"}, "toolFilters": ["x"]}`))
	b.untilWaiting(1)
	b.fix(model.Choice{Toolbox: "dev", Server: "a"})
	if shown := b.overlay(); strings.Contains(shown, "token-value") {
		t.Errorf("a secret is shown:\n%s", shown)
	}
	b.press("Undo the change")
	b.untilWaiting(0)
	text := b.text()
	for _, want := range []string{`"command": "a"`, "old-token-value", `"toolFilters": ["x"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Several changes make one question, in which each can be decided separately.
func TestSeveralChangesAreOneQuestion(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	b.write(configured(`"a": {"command": "b"}`, `"c": {"command": "c"}`, `"d": {"command": "d"}`))
	b.untilWaiting(3)
	b.fix(model.Choice{Toolbox: "dev", Server: "c"})
	if shown := b.overlay(); !strings.Contains(shown, "3 servers wait for your approval") ||
		!strings.Contains(shown, "dev › d · added") {
		t.Errorf("the dialog shows\n%s", shown)
	}
	b.press("Approve") // of the first
	b.untilWaiting(2)
	b.until(func() string {
		if shown := b.overlay(); !strings.Contains(shown, "2 servers wait for your approval") {
			return "the others are not asked about"
		}
		return ""
	})
	b.press("Undo all changes")
	b.untilWaiting(0)
	if text := b.text(); strings.Contains(text, `"c"`) || !strings.Contains(text, `"command": "b"`) {
		t.Errorf("the file is\n%s", text)
	}
}

// "Don't ask again" ends the questions, and the switch in Settings brings them back.
func TestEditsTheFileMyself(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	b.write(configured(entryA, entryEvil))
	b.untilWaiting(1)
	b.fix(model.Choice{Toolbox: "dev", Server: "evil"})
	b.press("Don't ask again")
	b.untilWaiting(0)
	b.write(configured(entryA, entryEvil, `"c": {"command": "c"}`))
	b.untilWord("c", "Not started")
	b.untilWaiting(0)
	if err := b.await(func(done func(error)) { b.approving.SetFree(false, done) }); err != nil {
		t.Fatal(err)
	}
	b.write(configured(entryA, entryEvil, `"c": {"command": "d"}`))
	b.untilWaiting(1)
}

// A change that the user makes in the window needs no approval, also by undo or in the text of the file.
func TestWhatThePersonDoes(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	b.types(configured(entryA, `"mine": {"command": "mine"}`))
	b.untilWaiting(0)
	b.saver.Undo()
	b.until(func() string {
		if strings.Contains(b.text(), "mine") {
			return "it is still there"
		}
		return ""
	})
	b.saver.Redo()
	b.until(func() string {
		if b.word("mine") == "(no server)" {
			return "it is not back"
		}
		return ""
	})
	b.untilWaiting(0)
}

// A day with ten servers: another program updates two of them, someone edits the file by hand three times, and the
// rest is changed in the window. There is one question for each time that another program or editor wrote, and none if
// nothing new would run.
func TestADayAsksFewQuestions(t *testing.T) {
	entries := make([]string, 10)
	for i := range entries {
		entries[i] = fmt.Sprintf(`"s%d": {"command": "npx", "args": ["-y", "server-%d@1.0.0"]}`, i, i)
	}
	b := guardedBench(t, configured(entries...))
	asked := 0
	// asks counts a question if the user would see one, and answers it.
	asks := func(waiting int) {
		t.Helper()
		b.until(func() string {
			if !strings.Contains(fmt.Sprint(b.now.File.Now.Config.Toolboxes[0].Servers[9].Args), "server-9") ||
				len(b.now.Approval.Waiting) != waiting {
				return fmt.Sprintf("%d wait, want %d", len(b.now.Approval.Waiting), waiting)
			}
			return ""
		})
		if waiting == 0 {
			return
		}
		asked++
		b.fix(model.Choice{Toolbox: "dev", Server: b.now.Approval.Waiting[0].Server.Name})
		if waiting > 1 {
			b.press("Approve all")
		} else {
			b.press("Approve")
		}
		b.untilWaiting(0)
	}
	// An update tool changes two versions at once.
	entries[1] = `"s1": {"command": "npx", "args": ["-y", "server-1@1.1.0"]}`
	entries[2] = `"s2": {"command": "npx", "args": ["-y", "server-2@2.0.0"]}`
	b.write(configured(entries...))
	asks(2)
	// By hand, in an editor: a filter, another order and a description; then an argument; then a new server.
	entries[3] = `"s3": {"command": "npx", "args": ["-y", "server-3@1.0.0"], "toolFilters": ["read"]}`
	entries[4], entries[5] = entries[5], entries[4]
	b.write(strings.Replace(configured(entries...), `"mcpServers"`, `"description": "What I need", "mcpServers"`, 1))
	b.until(func() string {
		if b.now.File.Now.Config.Toolboxes[0].Description == "" {
			return "the change is not seen"
		}
		return ""
	})
	asks(0)
	entries[6] = `"s6": {"command": "npx", "args": ["-y", "server-6@1.0.0", "--verbose"]}`
	b.write(configured(entries...))
	asks(1)
	entries = append(entries, `"new": {"command": "npx", "args": ["-y", "new"]}`)
	b.write(configured(entries...))
	asks(1)
	// In the window.
	b.types(configured(append(entries, `"mine": {"command": "mine"}`)...))
	asks(0)
	if asked != 3 {
		t.Errorf("the day asked %d questions, want 3", asked)
	}
}

// If the record of approvals is lost, the question says so, and offers nothing that would empty the file.
func TestLostRecordIsSaid(t *testing.T) {
	b := guardedBench(t, configured(entryA))
	if err := os.WriteFile(filepath.Join(filepath.Dir(b.path), "state", "approvals.json"), []byte("{}"),
		0o600); err != nil {
		t.Fatal(err)
	}
	b.write(configured(entryA, entryEvil))
	b.untilWaiting(2)
	b.untilWord("a", "Needs approval")
	if state := tray.StateOf(b.now.Snapshot, b.now.view,
		b.model.Login); state.Problem != "2 servers wait for your approval" {
		t.Errorf("the tray says %q", state.Problem)
	}
	b.showTab(model.Choice{Toolbox: "dev", Server: "a"}, model.TabTools)
	b.drain()
	kittest.Tap(t, test.LaidOutObjects(b.detail.Tools.Object()), "Review…")
	shown := b.overlay()
	if !strings.Contains(shown, "What you had approved is missing or damaged") ||
		strings.Contains(shown, "Undo all changes") || strings.Contains(shown, "Remove") {
		t.Errorf("the dialog shows\n%s", shown)
	}
}

// A record that cannot be read is a problem, and its button leads to the question about all servers, which mends it.
func TestUnreadableApprovalsAreAProblem(t *testing.T) {
	var path string
	b := newBench(t, configured(entryA), func(o *Options) {
		path = filepath.Join(filepath.Dir(o.Location.Path), "state", "approvals.json")
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		o.Approvals = approval.New(approval.Options{Path: path})
	})
	b.untilWaiting(1)
	b.until(func() string {
		for _, problem := range b.now.view.Problems {
			if problem.Where == "The approvals cannot be read" && strings.Contains(problem.Message, path) &&
				problem.Fix == "Review…" {
				return ""
			}
		}
		return fmt.Sprintf("the problems are %+v", b.now.view.Problems)
	})
	b.approving.Show()
	kittest.Tap(t, test.LaidOutObjects(b.window.Window.Canvas().Overlays().Top()), "Approve")
	b.untilWaiting(0)
	if problems := b.now.view.Problems; slices.ContainsFunc(problems, func(p toolboxes.Problem) bool {
		return p.Where == "The approvals cannot be read"
	}) {
		t.Errorf("afterwards the problems are %+v", problems)
	}
}
