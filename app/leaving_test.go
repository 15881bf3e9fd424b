package app

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/link"
)

// stuckApp is an app that does not come back when it is told to quit.
type stuckApp struct {
	*fakeApp
	free chan struct{}
}

func (a *stuckApp) Run() {
	a.fakeApp.Run()
	<-a.free
}

// Fyne may never come back from its end. The program ends all the same, after everything that it has started.
func TestTheProgramEndsWithoutFyne(t *testing.T) {
	app := &stuckApp{newFakeApp(t), make(chan struct{})}
	endpoint := filepath.Join(shortDir(t), "l")
	exited := make(chan struct{}, 2)
	returned := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		returned <- Run(ctx, Options{
			App: app, Location: config.Location{Path: filepath.Join(t.TempDir(), "workbench-config.json")}, Link: endpoint,
			Logger: slog.New(slog.DiscardHandler), Do: func(f func()) { f() },
			Exit: func() { exited <- struct{}{} }, leavePatience: 50 * time.Millisecond,
		})
	}()
	<-app.started
	cancel()
	select {
	case <-exited:
	case err := <-returned:
		t.Fatalf("the app came back, with %v", err)
	case <-time.After(patience):
		t.Fatal("the program does not end")
	}
	if running, err := link.Probe(t.Context(), endpoint); err == nil {
		t.Errorf("the place of the engines is still taken by %+v", running)
	}
	close(app.free)
	if err := <-returned; err != nil {
		t.Error(err)
	}
}

// It is the same when the user quits.
func TestQuittingDoesNotWaitForFyne(t *testing.T) {
	b := newBench(t, oneServer, nil)
	exited := make(chan struct{})
	options := Options{Logger: slog.New(slog.DiscardHandler), Exit: func() { close(exited) }, leavePatience: time.Millisecond}
	b.leave = newDeparture(options, func() {})
	b.quit()
	select {
	case <-exited:
	case <-time.After(patience):
		t.Error("the program does not end")
	}
}

// A program whose window ends as it should ends by itself.
func TestTheProgramEndsWithFyne(t *testing.T) {
	exited := false
	finished := 0
	leave := newDeparture(Options{Logger: slog.New(slog.DiscardHandler), Exit: func() { exited = true }, leavePatience: time.Hour}, func() { finished++ })
	leave.begin()
	leave.begin()
	leave.end()
	leave.begin() // somebody else ends it, too
	if leave.timer.Stop() {
		t.Error("it would have ended once more")
	}
	leave.without() // which had begun when Fyne came back
	if exited || finished != 1 {
		t.Errorf("exited: %v; all else was ended %d times", exited, finished)
	}
}
