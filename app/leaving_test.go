package app

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// stuckApp is an app that keeps running after Quit was called.
type stuckApp struct {
	*fakeApp
	free chan struct{}
}

func (a *stuckApp) Run() {
	a.fakeApp.Run()
	<-a.free
}

// If Fyne does not end, the program still ends after everything else has ended.
func TestTheProgramEndsWithoutFyne(t *testing.T) {
	app := &stuckApp{newFakeApp(t), make(chan struct{})}
	endpoint := filepath.Join(shortDir(t), "l")
	exited := make(chan struct{}, 2)
	returned := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		returned <- Run(ctx, Options{
			App:           app,
			Logger:        slog.New(slog.DiscardHandler),
			Do:            func(f func()) { f() },
			Exit:          func() { exited <- struct{}{} },
			leavePatience: 50 * time.Millisecond,
			Files: Files{Location: config.Location{Path: filepath.Join(t.TempDir(), "workbench-config.json")},
				Link: endpoint},
		})
	}()
	<-app.started
	cancel()
	select {
	case <-exited:
	case err := <-returned:
		t.Fatalf("Run of the app returned %v", err)
	case <-time.After(patience):
		t.Fatal("the program does not end")
	}
	if running, err := ipc.Probe(t.Context(), endpoint); err == nil {
		t.Errorf("the endpoint is still in use by %+v", running)
	}
	close(app.free)
	if err := <-returned; err != nil {
		t.Error(err)
	}
}

// The same holds when the user quits.
func TestQuittingDoesNotWaitForFyne(t *testing.T) {
	b := newBench(t, oneServer, nil)
	exited := make(chan struct{})
	b.leave = task.NewDeparture(time.Millisecond, func() {}, func() { close(exited) })
	b.quit()
	select {
	case <-exited:
	case <-time.After(patience):
		t.Error("the program does not end")
	}
}

// asked returns the question that is shown before the window closes, or "" if there is none.
func (b *bench) asked() string {
	over := b.window.Window.Canvas().Overlays().Top()
	if b.leaving == nil || over == nil {
		return ""
	}
	var words []string
	for _, object := range test.LaidOutObjects(over) {
		if text, ok := object.(*kit.Lines); ok {
			words = append(words, text.Text())
		}
	}
	text, _, _ := strings.Cut(strings.Join(words, "\n"), "\nDiscard and quit")
	return text
}

// writes types text at the start of the code that is shown.
func (b *bench) writes(text string) {
	b.t.Helper()
	code := codeIn(b.window.Window.Content())
	if code == nil {
		b.t.Fatal("no code is shown")
	}
	b.window.Window.Canvas().Focus(code.Focusable())
	code.Goto(1, 2)
	for _, r := range text {
		code.Focusable().TypedRune(r)
	}
}

const twoServers = `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh"}, "b": {"command": "sh"}}}}}`

// Whatever is shown, quitting asks about text that was typed and cannot be saved, and leads to it.
func TestQuittingAsksWhereverTheTextIs(t *testing.T) {
	for name, at := range map[string]model.Choice{
		"its server is shown": {Toolbox: "dev", Server: "a"}, "its toolbox is": {Toolbox: "dev"},
		"another server is": {Toolbox: "dev", Server: "b"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, twoServers, nil)
			b.showTab(model.Choice{Toolbox: "dev", Server: "a"}, model.TabJSON)
			b.writes("x")
			typed := codeIn(b.window.Window.Content()).Text()
			b.showServer(at)
			b.quit()
			if got := b.asked(); hasQuit(b.app) ||
				got != "What you typed in the setup of “a” is not saved. Its Setup tab says why." {
				t.Fatalf("the app has quit: %v; the question is %q", hasQuit(b.app), got)
			}
			b.tapDialog("Keep editing")
			if code := codeIn(b.window.Window.Content()); code == nil || code.Text() != typed || b.detail.At.Server != "a" {
				t.Error("the typed text is not shown")
			}
			// There is no question about text for a server that no longer exists.
			b.write(`{"toolboxes": {"dev": {"mcpServers": {"b": {"command": "sh"}}}}}`)
			b.until(func() string { return differs(b.word("a"), "(no server)") })
			b.quit()
			if !hasQuit(b.app) {
				t.Errorf("the question is %q", b.asked())
			}
		})
	}
}

// The question lists everything that would be lost, including a server that is being added.
func TestQuittingNamesAllThatWouldBeLost(t *testing.T) {
	b := newBench(t, twoServers, nil)
	b.adding.Open(add.Start{Text: `{"mcpServers": {"fetch": {"command": "uvx"}}}`})
	b.quit()
	const adding = "What you filled in to add a server is not added yet."
	if got := b.asked(); hasQuit(b.app) || got != adding {
		t.Fatalf("the app has quit: %v; the question is %q", hasQuit(b.app), got)
	}
	b.tapDialog("Keep editing")
	if b.adding.Dialog() == nil || b.asked() != "" {
		t.Fatal("the filled-in form is gone")
	}
	b.adding.Dialog().Close()
	b.showTab(model.Choice{Toolbox: "dev", Server: "a"}, model.TabJSON)
	b.writes("x")
	b.showFile()
	b.writes("y")
	b.adding.Open(add.Start{Text: `{"mcpServers": {"fetch": {"command": "uvx"}}}`})
	b.quit()
	for _, want := range []string{adding, "in the text of the file", "in the setup of “a”"} {
		if got := b.asked(); !strings.Contains(got, want) {
			t.Errorf("the question does not have %q, but is %q", want, got)
		}
	}
	b.tapDialog("Discard and quit")
	if !hasQuit(b.app) || b.text() != twoServers {
		t.Errorf("the app has quit: %v; the file is\n%s", hasQuit(b.app), b.text())
	}
	b = newBench(t, twoServers, nil)
	b.addHere()
	b.quit()
	if !hasQuit(b.app) {
		t.Errorf("with nothing filled in, the question is %q", b.asked())
	}
}

// The last letters are saved even if the window closes before they were checked.
func TestQuittingSavesTheLastLetters(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.showServer(model.Choice{Toolbox: "dev", Server: "a"})
	for _, object := range test.LaidOutObjects(b.window.Window.Content()) {
		if input, ok := object.(*kit.Input); ok && input.Text == "sh" {
			b.window.Window.Canvas().Focus(input)
			input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
			input.TypedRune('x')
		}
	}
	b.quit()
	if !hasQuit(b.app) {
		t.Errorf("the question is %q", b.asked())
	}
	b.until(func() string { return differs(b.text(), strings.Replace(oneServer, "sh", "shx", 1)) })
}

// The question can always be answered: it stays if the dialog under it closes, and Esc closes the question first. If
// the question was removed anyway, the next attempt to quit asks again.
func TestQuittingOverADialog(t *testing.T) {
	b, h := newHomeBench(t)
	canvas := b.window.Window.Canvas()
	b.showTab(model.Choice{Toolbox: "dev", Server: "a"}, model.TabJSON)
	b.writes("x")
	b.places.Choose(placeClients)
	b.clients.BringFile(h.cursor)
	sheet := canvas.Overlays().Top()
	b.quit()
	if b.asked() == "" {
		t.Fatal("there is no question")
	}
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if b.leaving != nil || canvas.Overlays().Top() != sheet {
		t.Fatal("Esc does not close the question alone")
	}
	b.quit()
	canvas.Overlays().Remove(sheet) // as Fyne does it, with all overlays above
	b.quit()
	if b.asked() == "" {
		t.Fatal("there is no second question")
	}
	b.press("Discard and quit")
	if !hasQuit(b.app) {
		t.Error("the app has not quit")
	}
}

// If the program is killed while the user types, the next start says once for which server text was not applied. The
// text itself is not kept.
func TestKilledWhileTyping(t *testing.T) {
	b := newBench(t, twoServers, nil)
	b.showTab(model.Choice{Toolbox: "dev", Server: "a"}, model.TabSetup)
	line := b.limit()
	for _, r := range "747" {
		line.TypedRune(r)
	}
	b.tasks.Wait()
	noted, err := os.ReadFile(b.options.Unapplied)
	if err != nil || string(noted) != "a" {
		t.Fatalf("the note of unapplied text is %q, %v", noted, err)
	}
	said := func() string {
		b.detail.SayUnapplied()
		b.tasks.Wait()
		b.drain()
		return b.toast()
	}
	if got := said(); got != "What you had typed for a was not applied when Workbench ended." {
		t.Errorf("the toast says %q", got)
	}
	if _, err := os.Stat(b.options.Unapplied); err == nil {
		t.Error("the note is still there, so the next start would say it again")
	}
}

// When the system ends the program, half-typed text is not applied. The next start says so when the window is first
// shown. The same holds for the text of the file.
func TestEndedBySystemWhileTyping(t *testing.T) {
	b := newBench(t, twoServers, nil)
	before := b.text()
	b.showTab(model.Choice{Toolbox: "dev", Server: "a"}, model.TabSetup)
	b.limit().TypedRune('7')
	b.quitting()
	b.drain()
	b.tasks.Wait()
	if noted, err := os.ReadFile(b.options.Unapplied); err != nil || string(noted) != "a" || b.text() != before {
		t.Errorf("the note of unapplied text is %q, %v; the file is\n%s", noted, err, b.text())
	}

	b = newBench(t, twoServers, nil)
	b.places.Choose(placeFile)
	b.drain()
	b.writes(" ")
	b.drain()
	b.tasks.Wait()
	if noted, err := os.ReadFile(b.options.Unapplied); err != nil || string(noted) != filepath.Base(b.now.view.Path) {
		t.Errorf("the note for the text of the file is %q, %v", noted, err)
	}

	b = newBench(t, twoServers, func(o *Options) {
		if err := os.WriteFile(o.Unapplied, []byte("a"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	b.hidden()
	if got := b.toast(); got != "" {
		t.Errorf("while the window is hidden, the toast says %q", got)
	}
	b.open()
	b.tasks.Wait()
	b.drain()
	if got := b.toast(); !strings.Contains(got, "a was not applied") {
		t.Errorf("when the window is shown, the toast says %q", got)
	}
}
