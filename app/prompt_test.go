package app

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// statusEngine is an engine that only reports the state of its servers.
type statusEngine struct {
	ipc.Source
	mu      sync.Mutex
	now     status.Snapshot
	changed chan struct{}
}

func (e *statusEngine) Status() status.Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.now
}

func (e *statusEngine) Subscribe() (<-chan struct{}, func()) { return e.changed, func() {} }

func (e *statusEngine) Watch(func(string, string, status.LogLine), func(status.Call)) func() {
	return func() {}
}

func (e *statusEngine) SetPaused(bool) {}

// set changes the state of the first server.
func (e *statusEngine) set(state status.State) {
	e.mu.Lock()
	servers := append([]status.Server(nil), e.now.Servers...)
	servers[0].State = state
	e.now.Servers = servers
	e.mu.Unlock()
	select {
	case e.changed <- struct{}{}:
	default:
	}
}

// shownBar is a tray that records what it shows.
type shownBar struct {
	mu    sync.Mutex
	menus int // number of menus that were made
	items []tray.Item
	icon  tray.Icon
}

func (b *shownBar) Icon(icon tray.Icon) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.icon = icon
}

func (b *shownBar) Menu(items []tray.Item) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.menus++
	b.items = items
}

func (b *shownBar) Change(items []tray.Item) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = items
}

func (b *shownBar) Close() {}

// shows reports whether the first server has this sign in the menu, and whether the tray has this icon.
func (b *shownBar) shows(sign string, icon tray.Icon) (inMenu, inIcon bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.items) > 3 && strings.HasPrefix(b.items[3].Children[0].Label, sign), b.icon == icon
}

// A change in an engine must be in the tray within these times. Processor time does not count, only delays that are
// there on purpose, so that a burst of changes does not make a burst of messages. The test measures from the change of
// state in the engine to the call of the system's tray, with the real agent, hub, aggregator and renderer in between.
// The result is the same on every system, because the test makes no new menu, for which some systems wait.
func TestTheTrayIsPrompt(t *testing.T) {
	for _, c := range []struct {
		name            string
		servers         int
		lone, following time.Duration // at most
	}{
		{"one server", 1, 0, 150 * time.Millisecond},
		{"a thousand servers", 1000, 0, 300 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, endpoint := promptFiles(t, c.servers)
			synctest.Test(t, func(t *testing.T) {
				p := newPrompt(t, path, endpoint, c.servers)
				p.settle()
				if menu, icon := p.until(status.Starting, "◐", tray.IconWorking); menu > c.lone || icon > c.lone {
					t.Errorf("the first change after a quiet time is in the menu after %v and in the icon after %v", menu, icon)
				}
				menu, icon := p.until(status.Connected, "●", tray.IconWell)
				if menu > c.following || icon > c.following {
					t.Errorf("the next change is in the menu after %v and in the icon after %v", menu, icon)
				}
				t.Logf("the next change: menu %v, icon %v", menu, icon)
				// The same holds for the last of many changes.
				for range 100 {
					p.engine.set(status.Starting)
					time.Sleep(7 * time.Millisecond)
					p.engine.set(status.Connected)
					time.Sleep(7 * time.Millisecond)
				}
				menu, icon = p.until(status.Failed, "▲", tray.IconAttention)
				if menu > c.following || icon > c.following {
					t.Errorf("the last of many changes is in the menu after %v and in the icon after %v", menu, icon)
				}
				t.Logf("the last of many: menu %v, icon %v", menu, icon)
				if p.bar.menus != 1 {
					t.Errorf("%d menus were made, want one that is changed", p.bar.menus)
				}
				p.close()
			})
		})
	}
}

// promptFiles makes a configuration with a toolbox of servers, and returns its path and a path for the endpoint.
func promptFiles(t *testing.T, servers int) (path, endpoint string) {
	t.Helper()
	var entries []string
	for i := range servers {
		entries = append(entries, fmt.Sprintf(`"server-%d": {"command": "sh"}`, i))
	}
	path = filepath.Join(t.TempDir(), "workbench-config.json")
	text := `{"toolboxes": {"dev": {"mcpServers": {` + strings.Join(entries, ", ") + `}}}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "wb") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return path, filepath.Join(folder, "link")
}

// prompt is everything between an engine and the tray.
type prompt struct {
	t      *testing.T
	engine *statusEngine
	bar    *shownBar
	end    func()
	work   sync.WaitGroup
}

func newPrompt(t *testing.T, path, endpoint string, servers int) *prompt {
	t.Helper()
	p := &prompt{t: t, engine: &statusEngine{changed: make(chan struct{}, 1)}, bar: &shownBar{}}
	for i := range servers {
		p.engine.now.Servers = append(p.engine.now.Servers,
			status.Server{Toolbox: "dev", Name: fmt.Sprint("server-", i), State: status.NotStarted})
	}
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: endpoint}) // only the engine below connects
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p.end = cancel
	agent := ipc.NewAgent(ipc.AgentOptions{About: ipc.About{ClientID: "claude-desktop", Started: time.Now()},
		Source: p.engine,
		Dial: func(context.Context) (net.Conn, error) {
			here, there := net.Pipe()
			hub.Attach(here)
			return there, nil
		}})
	p.work.Go(func() { _ = agent.Run(ctx) })

	var window sync.Mutex // holding it stands for being the goroutine of the window
	do := func(f func()) {
		window.Lock()
		defer window.Unlock()
		f()
	}
	renderer := tray.NewRenderer(p.bar, task.New(do))
	file := configfile.Open(store.Options{Location: config.Location{Path: path}})
	aggregator := engines.NewAggregator(
		engines.AggregatorOptions{Path: path, File: file, Hub: hub, Program: toTray{path, renderer, do}})
	p.work.Go(func() { _ = aggregator.Run(ctx) })
	return p
}

// toTray shows snapshots in the tray, and nowhere else.
type toTray struct {
	path     string
	renderer *tray.Renderer
	do       func(func())
}

func (p toTray) Deliver(now *model.Snapshot) {
	p.do(func() {
		p.renderer.Update(tray.StateOf(now, toolboxes.NewView(p.path, now, model.FindingsOf(now)), model.Login{}))
	})
}

func (toTray) Noted(*model.Snapshot) time.Time       { return time.Time{} }
func (toTray) Follow(*config.Config)                 {}
func (toTray) Waiting(*config.Config) model.Approval { return model.Approval{} }
func (toTray) Visible() bool                         { return true }

// settle lets ten seconds pass without changes.
func (p *prompt) settle() {
	time.Sleep(10 * time.Second)
	synctest.Wait()
}

// until changes the state of a server and measures when the tray shows that.
func (p *prompt) until(state status.State, sign string, icon tray.Icon) (menu, picture time.Duration) {
	p.t.Helper()
	menu, picture = -1, -1
	begun := time.Now()
	p.engine.set(state)
	for menu < 0 || picture < 0 {
		synctest.Wait()
		took := time.Since(begun)
		inMenu, inIcon := p.bar.shows(sign, icon)
		if inMenu && menu < 0 {
			menu = took
		}
		if inIcon && picture < 0 {
			picture = took
		}
		if took > 10*time.Second {
			p.t.Fatalf("the tray does not show %q", state)
		}
		time.Sleep(time.Millisecond)
	}
	return menu, picture
}

func (p *prompt) close() {
	p.end()
	p.work.Wait()
}
