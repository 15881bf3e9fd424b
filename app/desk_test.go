package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/config/store"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/link"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// fakes is a configuration with a toolbox "dev" of servers with these scripts.
func fakes(scripts map[string]fakeserver.Script) string {
	servers := map[string]any{}
	for name, script := range scripts {
		servers[name] = map[string]any{"command": os.Args[0], "env": map[string]string{fakeserver.Variable: script.String(), "GORACE": "atexit_sleep_ms=0"}}
	}
	text, _ := json.MarshalIndent(map[string]any{"toolboxes": map[string]any{"dev": map[string]any{"mcpServers": servers}}}, "", "  ")
	return string(text)
}

func describe(text string) []edit.Op {
	return []edit.Op{edit.SetField{Target: edit.Target{Toolbox: "dev"}, Field: []string{"description"}, Value: edit.Value(text)}}
}

// description is that of the toolbox "dev" as the window shows it.
func (b *bench) description() string {
	for _, toolbox := range b.now.view.Toolboxes {
		if toolbox.Name == "dev" {
			return toolbox.Description
		}
	}
	return "(no toolbox)"
}

// word is how a server of "dev" is doing as the window shows it.
func (b *bench) word(name string) string {
	for _, toolbox := range b.now.view.Toolboxes {
		for _, server := range toolbox.Servers {
			if toolbox.Name == "dev" && server.Name == name {
				return server.Word
			}
		}
	}
	return "(no server)"
}

func (b *bench) untilWord(name, word string) {
	b.t.Helper()
	b.until(func() string {
		if got := b.word(name); got != word {
			return fmt.Sprintf("%s is %q, not %q", name, got, word)
		}
		return ""
	})
}

func TestEditUndoRedo(t *testing.T) {
	b := newBench(t, oneServer, nil)
	shown := ""
	if err := b.await(func(done func(error)) {
		b.edit(describe("first"), func(err error) { shown = b.description(); done(err) })
	}); err != nil {
		t.Fatal(err)
	}
	if shown != "first" || !strings.Contains(b.text(), `"description": "first"`) {
		t.Errorf("when done was called, %q was shown, and the file was\n%s", shown, b.text())
	}
	b.undo()
	b.until(func() string { return differs(b.description(), "") })
	if b.text() != oneServer {
		t.Errorf("undone, the file is\n%s", b.text())
	}
	b.redo()
	b.until(func() string { return differs(b.description(), "first") })
	b.redo()
	b.until(func() string { return differs(b.toast(), "There is nothing to redo.") })
	b.undoable("Deleted “memory”")
	if got := b.toast(); got != "Deleted “memory” Undo" {
		t.Errorf("the toast says %q", got)
	}
	test.Tap(b.toastButton())
	b.until(func() string { return differs(b.description(), "") })
}

func differs(got, want string) string {
	if got != want {
		return fmt.Sprintf("it is %q, not %q", got, want)
	}
	return ""
}

// toast is what the toast says, with its button.
func (b *bench) toast() string {
	var words []string
	for _, object := range test.LaidOutObjects(b.window.toast.root) {
		switch object := object.(type) {
		case *kit.Text:
			words = append(words, object.Text())
		case *kit.Button:
			words = append(words, object.Text)
		}
	}
	return strings.Join(words, " ")
}

func (b *bench) toastButton() fyne.Tappable {
	for _, object := range test.LaidOutObjects(b.window.toast.root) {
		if button, ok := object.(*kit.Button); ok {
			return button
		}
	}
	b.t.Fatal("the toast has no button")
	return nil
}

// An edit that was begun before another program changed something else is done on what that made.
func TestEditOfAnOlderView(t *testing.T) {
	b := newBench(t, oneServer, nil)
	base := b.now.page.Now
	b.write(strings.Replace(oneServer, `"sh"`, `"true"`, 1))
	if err := b.await(func(done func(error)) { b.save(changeOf(base, describe("mine")), done) }); err != nil {
		t.Fatal(err)
	}
	if got := b.text(); !strings.Contains(got, `"true"`) || !strings.Contains(got, "mine") {
		t.Errorf("the file is\n%s", got)
	}
}

// What the user and another program have both changed is the user's to decide.
func TestConflict(t *testing.T) {
	described := func(text string) string {
		return strings.Replace(oneServer, `"mcpServers"`, `"description": "`+text+`", "mcpServers"`, 1)
	}
	for _, c := range []struct{ button, want string }{{"Keep what is in the file", "theirs"}, {"Use my change", "mine"}} {
		t.Run(c.button, func(t *testing.T) {
			b := newBench(t, described("old"), nil)
			base := b.now.page.Now
			b.write(described("theirs"))
			b.until(func() string { return differs(b.description(), "theirs") })
			var result error
			came := false
			b.save(changeOf(base, describe("mine")), func(err error) { result, came = err, true })
			b.until(func() string {
				if b.window.window.Canvas().Overlays().Top() == nil {
					return "nothing is asked"
				}
				return ""
			})
			if came {
				t.Fatal("it was decided without the user")
			}
			b.tapDialog(c.button)
			b.until(func() string {
				if !came {
					return "done was not called"
				}
				return ""
			})
			var conflict *store.Conflict
			if (c.want == "theirs") != errors.As(result, &conflict) {
				t.Errorf("it ended with %v", result)
			}
			if got := b.text(); !strings.Contains(got, c.want) {
				t.Errorf("the file is\n%s", got)
			}
		})
	}
}

func (b *bench) tapDialog(label string) {
	b.t.Helper()
	for _, object := range test.LaidOutObjects(b.window.window.Canvas().Overlays().Top()) {
		if button, ok := object.(*kit.Button); ok && button.Text == label {
			button.Tapped(nil)
			return
		}
	}
	b.t.Fatalf("the dialog has no button %q", label)
}

// What could not be saved is shown all the same, with the reason, until it can be.
func TestEditThatCannotBeSaved(t *testing.T) {
	b := newBench(t, oneServer, nil)
	// Even root cannot write a file in the place of a folder.
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(b.path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.await(func(done func(error)) { b.edit(describe("kept"), done) }); err != nil {
		t.Fatal(err)
	}
	if got := b.window.unsavedText.Text(); !b.window.unsaved.Visible() || !strings.HasPrefix(got, "Your last change is not saved: ") {
		t.Errorf("it says %q", got)
	}
	if got := b.description(); got != "kept" {
		t.Errorf("the window shows %q", got)
	}
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	b.retry()
	b.until(func() string {
		if b.window.unsaved.Visible() {
			return "it still says that it is not saved"
		}
		return ""
	})
	if got := b.text(); !strings.Contains(got, "kept") {
		t.Errorf("the file is\n%s", got)
	}
}

func TestRepair(t *testing.T) {
	b := newBench(t, strings.Replace(oneServer, `"sh"`, `"sh",,`, 1), nil)
	b.until(func() string { return differs(b.window.status.word.Text(), "Cannot be used") })
	if err := b.await(b.fixAll); err != nil {
		t.Fatal(err)
	}
	if got := b.window.status.word.Text(); got != "Saved" || b.word("a") != "Not started" {
		t.Errorf("repaired, it says %q, and the file is\n%s", got, b.text())
	}
	b.undo()
	b.until(func() string { return differs(b.window.status.word.Text(), "Cannot be used") })
}

// With a broken file nothing is undone; that is said in words, while what is wrong stands on the screen.
func TestUndoWithABrokenFile(t *testing.T) {
	b := newBench(t, oneServer, nil)
	if err := b.await(func(done func(error)) { b.edit(describe("new"), done) }); err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(oneServer, `"sh"`, `"sh",,`, 1)
	b.write(broken)
	b.until(func() string { return differs(b.window.status.word.Text(), "Cannot be used") })
	b.undo()
	b.until(func() string {
		return differs(strings.TrimSpace(b.toast()), "The configuration has an error that must be corrected first.")
	})
	if b.window.window.Canvas().Overlays().Top() != nil || b.text() != broken {
		t.Errorf("%q lies over the screen, and the file is\n%s", b.overlay(), b.text())
	}
}

// What did not work is taken away with Enter.
func TestFailureByKeyboard(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.fail(errors.New("the disk is full"))
	if got := b.overlay(); !strings.Contains(got, "OK") {
		t.Fatalf("shown is %q", got)
	}
	ok, _ := b.window.window.Canvas().Focused().(*kit.Button)
	if ok == nil {
		t.Fatal("the button has no focus")
	}
	ok.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if b.window.window.Canvas().Overlays().Top() != nil {
		t.Error("Enter does not take it away")
	}
}

// The app's own engine opens toolboxes, runs tools and says when a server dies.
func TestOwnEngine(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"good": {}, "bad": {InitializeError: json.RawMessage(`{"code": -32601, "message": "no"}`)}}), nil)
	b.untilOwn()
	b.commands.openToolbox("dev")
	b.untilWord("good", "Connected")
	b.untilWord("bad", "Can't start")
	b.until(func() string {
		if !b.now.view.Toolboxes[0].Open {
			return "the toolbox does not look open"
		}
		if tools := b.now.view.Toolboxes[0]; tools.Cost.Open == 0 {
			return "what it costs open is not known"
		}
		return ""
	})

	var result json.RawMessage
	var failed error
	b.detail.run(t.Context(), edit.Target{Toolbox: "dev", Server: "good"}, "echo", json.RawMessage(`{"text": "hello"}`),
		func(float64, float64, string) {}, func(r json.RawMessage, err error) { result, failed = r, err })
	b.until(func() string {
		if result == nil && failed == nil {
			return "no result"
		}
		return ""
	})
	if failed != nil || !strings.Contains(string(result), "hello") {
		t.Errorf("the tool answered %s, %v", result, failed)
	}

	pid := b.now.live.Server("dev", "good").Pid
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	b.until(func() string {
		if now := b.now.live.Server("dev", "good"); now.State == status.Connected && now.Pid == pid {
			return "that the server has died is not seen"
		}
		return ""
	})
	b.restart(toolboxes.Choice{Toolbox: "dev", Server: "good"})
	b.untilWord("good", "Connected")
	b.commands.closeToolbox("dev")
	b.untilWord("good", "Not started")
}

func (b *bench) untilOwn() {
	b.t.Helper()
	b.until(func() string {
		if _, ok := b.commands.ownEngine(); !ok {
			return "the own engine is not there"
		}
		return ""
	})
}

// One server can be tried without the others of its toolbox.
func TestTryItStartsTheServerAlone(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}, "b": {}}), nil)
	b.untilOwn()
	var failed error
	came := false
	b.detail.run(t.Context(), edit.Target{Toolbox: "dev", Server: "a"}, "echo", json.RawMessage(`{}`),
		func(float64, float64, string) {}, func(_ json.RawMessage, err error) { failed, came = err, true })
	b.until(func() string {
		if !came {
			return "no result"
		}
		return ""
	})
	if failed != nil {
		t.Fatal(failed)
	}
	b.untilWord("a", "Connected")
	if got := b.word("b"); got != "Not started" {
		t.Errorf("the other server is %q", got)
	}
}

func TestServerTabs(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	b.untilOwn()
	at := toolboxes.Choice{Toolbox: "dev", Server: "a"}
	b.showTab(at, editor.TabTools)
	if b.detail.at != at {
		t.Fatalf("the right side shows %v", b.detail.at)
	}
	b.start(at)
	b.until(func() string {
		if len(b.detail.list) != 1 || b.detail.list[0].Name != "echo" {
			return fmt.Sprintf("the tools are %v", b.detail.list)
		}
		return ""
	})
	lines := map[string]int{}
	b.detail.feed.set = func(_ toolboxes.Choice, all []status.LogLine) {
		b.do(func() {
			clear(lines)
			for _, line := range all {
				lines[line.Text]++
			}
		})
	}
	b.detail.feed.add = func(_ toolboxes.Choice, more []status.LogLine) {
		b.do(func() {
			for _, line := range more {
				lines[line.Text]++
			}
		})
	}
	b.showTab(at, editor.TabLog)
	b.until(func() string {
		if len(lines) == 0 {
			return "the log is empty"
		}
		return ""
	})
	before := len(lines)
	b.restart(at)
	b.until(func() string {
		if len(lines) == before {
			return "what comes later is not in the log"
		}
		return ""
	})
	b.screen.Select(toolboxes.Choice{Toolbox: "dev"})
	if b.detail.at.Server != "" {
		t.Errorf("with a toolbox chosen the right side still follows %v", b.detail.at)
	}
}

// client is an engine of another process, or the like of it: it looks for the app by itself.
func (b *bench) client(id, name string) (manager *toolbox.Manager, end func()) {
	b.t.Helper()
	document := config.Parse(b.path, []byte(b.text()))
	manager = toolbox.NewManager(document.Config, toolbox.Options{Lookup: config.Lookup{Env: os.LookupEnv}})
	agent := link.NewAgent(link.AgentOptions{
		Endpoint: b.link, Source: manager,
		About: link.About{Pid: 1, Program: "test", Config: b.path, Started: time.Now(), ClientID: id},
	})
	agent.SetClient(name, "1")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = agent.Run(ctx)
	}()
	ended := false
	end = func() {
		if !ended {
			ended = true
			cancel()
			<-done
			manager.Shutdown(context.Background())
		}
	}
	b.t.Cleanup(end)
	return manager, end
}

func TestEnginesOfClients(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	manager, end := b.client("claude-desktop", "claude-ai")
	clients := func(want string) {
		t.Helper()
		b.until(func() string { return differs(b.window.status.clients.Text(), want) })
	}
	clients("Claude Desktop: connected")
	begun := time.Now()
	if _, err := manager.Open(t.Context(), "dev", nil); err != nil {
		t.Fatal(err)
	}
	b.untilWord("a", "Connected")
	t.Logf("connected and shown after %v", time.Since(begun))
	if got := b.now.live.Server("dev", "a").Clients; len(got) != 1 || got[0] != "Claude Desktop" {
		t.Errorf("it is connected by %q", got)
	}

	// What happens in an engine is seen within half a second.
	pid := b.now.live.Server("dev", "a").Pid
	process, _ := os.FindProcess(pid)
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	begun = time.Now()
	b.until(func() string {
		if b.now.live.Server("dev", "a").Pid == pid {
			return "its death is not seen"
		}
		return ""
	})
	t.Logf("a server's death was seen after %v", time.Since(begun))

	b.pause(true)
	b.until(func() string {
		if !b.now.live.Paused || !manager.Status().Paused {
			return "the engine is not paused"
		}
		return ""
	})
	b.untilWord("a", "Paused")
	b.until(func() string {
		if !b.window.paused.Visible() {
			return "the window does not say that it is paused"
		}
		return ""
	})
	for _, object := range test.LaidOutObjects(b.window.paused) {
		if button, ok := object.(*kit.Button); ok && button.Text == "Resume" {
			test.Tap(button)
		}
	}
	b.until(func() string {
		if manager.Status().Paused {
			return "the engine is still paused"
		}
		if b.window.paused.Visible() {
			return "the window still says that it is paused"
		}
		return ""
	})
	end()
	b.until(func() string {
		if got := b.window.status.clients.Text(); !strings.HasPrefix(got, "Claude Desktop: last seen ") {
			return "it says " + got
		}
		return ""
	})
}

// An engine with another configuration file may have servers of the same names.
func TestEngineElsewhere(t *testing.T) {
	b := newBench(t, fakes(map[string]fakeserver.Script{"a": {}}), nil)
	path := b.path
	b.path += ".other"
	b.write(fakes(map[string]fakeserver.Script{"a": {}}))
	manager, _ := b.client("cursor", "")
	b.path = path
	if _, err := manager.Open(t.Context(), "dev", nil); err != nil {
		t.Fatal(err)
	}
	b.until(func() string {
		for _, engine := range b.now.live.Engines {
			if engine.Elsewhere && len(engine.Open) == 1 {
				return ""
			}
		}
		return "the engine is not seen"
	})
	if got := b.word("a"); got != "Not started" {
		t.Errorf("our server is %q", got)
	}
}

func TestKeysOfTheWindow(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.choose(placeActivity)
	if b.at != placeActivity || b.window.content.Shown() != b.activity.Object() || !b.collector.wantCalls.Load() {
		t.Error("the activity is not shown")
	}
	b.choose(placeToolboxes)
	if b.collector.wantCalls.Load() {
		t.Error("calls are still collected")
	}
	b.window.toast.show("x", "", nil)
	b.window.window.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if b.toast() != "" {
		t.Error("Esc leaves the toast")
	}
	buttons := b.window.nav.buttons
	b.window.window.Canvas().Focus(buttons[0])
	buttons[0].TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if b.window.window.Canvas().Focused() != buttons[1] {
		t.Error("the arrows do not go along the bar")
	}
	buttons[1].TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if b.at != placeClients {
		t.Error("Enter does not show the screen")
	}
}

// The window is made ten times a second at most, however much happens.
func TestMomentsAreCoalesced(t *testing.T) {
	b := newBench(t, oneServer, nil)
	first := b.now.number
	begun := time.Now()
	for time.Since(begun) < 500*time.Millisecond {
		b.collector.again()
		time.Sleep(time.Millisecond)
	}
	b.until(func() string {
		if b.now.number == first {
			return "nothing new is shown"
		}
		return ""
	})
	if made, most := b.now.number-first, uint64(time.Since(begun)/pace)+2; made > most {
		t.Errorf("%d moments in %v", made, time.Since(begun))
	}
}

func TestWindowFits(t *testing.T) {
	b := newBench(t, oneServer, nil)
	if size := b.window.window.Content().MinSize(); size.Width > 800 || size.Height > 560 {
		t.Errorf("the window needs %v", size)
	}
}
