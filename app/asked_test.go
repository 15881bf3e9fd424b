package app

import (
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/dock"
	"github.com/workbench-mcp/workbench-desktop/app/requests"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// A request from another start or from the system does the same as the user in the window: it shows the window, and
// typed text is kept.
func TestAskedFromOutside(t *testing.T) {
	b := newBench(t, oneServer, nil)
	asked := requests.New()
	go b.handleRequests(t.Context(), asked, func() {})
	shown := func() string {
		if !b.visible.Load() {
			return "the window is not shown"
		}
		return ""
	}
	for range 3 { // repeated requests are harmless
		b.visible.Store(false)
		b.window.Window.Hide()
		asked.Show()
		asked.Show()
		b.until(shown)
	}

	b.showFile()
	code := codeIn(b.window.Window.Content())
	code.Goto(1, 2)
	b.window.Window.Canvas().Focus(code.Focusable())
	code.Focusable().TypedRune('x')
	b.visible.Store(false)
	b.window.Window.Hide()
	asked.Quit()
	b.until(func() string {
		if b.leaving == nil {
			return "nothing is asked"
		}
		return shown()
	})
	if hasQuit(b.app) {
		t.Fatal("the app has quit without asking")
	}
	b.press("Discard and quit")
	if !hasQuit(b.app) {
		t.Error("the app has not quit")
	}
}

// loopApp is a test app that runs queued functions on the goroutine of its window.
type loopApp struct {
	*fakeApp
	queue chan func()
}

func (a *loopApp) Run() {
	close(a.started)
	for {
		select {
		case f := <-a.queue:
			f()
		case <-a.done:
			return
		}
	}
}

// The program ends when the system asks for it. An error from Attend does no harm.
func TestTheSystemAsksToQuit(t *testing.T) {
	for name, attend := range map[string]error{"Attend works": nil, "Attend fails": errors.New("there is no class X")} {
		app := &loopApp{newFakeApp(t), make(chan func(), 10_000)}
		var requests dock.Requests
		go func() {
			<-app.started
			requests.Quit()
		}()
		err := Run(t.Context(), Options{
			App:    app,
			Logger: slog.New(slog.DiscardHandler),
			Do:     func(f func()) { app.queue <- f },
			Files: Files{Location: config.Location{Path: filepath.Join(t.TempDir(), "workbench-config.json")},
				Link: filepath.Join(shortDir(t), "l")},
			Desktop: Desktop{System: attending{attend: func(r dock.Requests) error {
				requests = r
				return attend
			}}},
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// attending is a system in a test. Its functions may be nil.
type attending struct {
	attend func(dock.Requests) error
	shows  func(tag string) bool
}

func (attending) OnTrayTapped(func()) {}

func (a attending) Shows(tag string) bool { return a.shows == nil || a.shows(tag) }

func (a attending) Attend(requests dock.Requests) error {
	if a.attend == nil {
		return nil
	}
	return a.attend(requests)
}

// TestTheSessionEnds: when the user logs out of macOS, the app has ended everything when it answers, since the system
// then ends the program at once. Before the app is complete, it answers too.
func TestTheSessionEnds(t *testing.T) {
	app := &loopApp{newFakeApp(t), make(chan func(), 10_000)}
	link := filepath.Join(shortDir(t), "l")
	answered := false
	err := Run(t.Context(), Options{
		App:    app,
		Logger: slog.New(slog.DiscardHandler),
		Do:     func(f func()) { app.queue <- f },
		Files:  Files{Location: config.Location{Path: filepath.Join(t.TempDir(), "workbench-config.json")}, Link: link},
		Desktop: Desktop{System: attending{attend: func(r dock.Requests) error {
			r.End()
			go func() {
				<-app.started
				app.queue <- func() { // macOS asks on the goroutine of the window
					if _, err := ipc.Probe(t.Context(), link); err != nil {
						t.Errorf("before the session ends: %v", err)
					}
					r.End()
					answered = true
					if _, err := ipc.Probe(t.Context(), link); err == nil {
						t.Error("engines still find the app")
					}
				}
			}()
			return nil
		}}},
	})
	if err != nil || !answered {
		t.Errorf("%v, answered: %v", err, answered)
	}
}
