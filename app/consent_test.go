package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// asks makes an engine of Claude Desktop ask a question, and returns a channel with the answer.
func (b *bench) asks(q status.Question) (answer <-chan string, withdraw func()) {
	b.t.Helper()
	agent := ipc.NewAgent(ipc.AgentOptions{Endpoint: b.link, Source: b.engines.Local.Manager,
		About: ipc.About{ClientID: "claude-desktop", Started: time.Now()}})
	running, stop := context.WithCancel(context.Background())
	asking, withdraw := context.WithCancel(running)
	var work sync.WaitGroup
	work.Go(func() { _ = agent.Run(running) })
	answers := make(chan string, 1)
	work.Go(func() {
		answer, err := agent.Ask(asking, q)
		answers <- fmt.Sprint(answer, err)
	})
	b.t.Cleanup(func() {
		stop()
		work.Wait()
	})
	b.until(func() string {
		if !b.consent.Open() {
			return "nothing is asked"
		}
		return ""
	})
	return answers, withdraw
}

// While the main window is in the tray, a question of an engine shows only the small window. It closes when the engine
// no longer waits.
func TestEngineAsks(t *testing.T) {
	b := newBench(t, oneServer, nil)
	b.window.Window.Hide()
	b.hidden()
	answer, withdraw := b.asks(status.Question{Toolbox: "dev", Server: "files", Tool: "write_file",
		Until: time.Now().Add(time.Minute)})
	if b.visible.Load() {
		t.Error("the main window is shown, too")
	}
	withdraw()
	b.until(func() string {
		if b.consent.Open() {
			return "it still asks"
		}
		return ""
	})
	if got := <-answer; !strings.Contains(got, "context canceled") {
		t.Errorf("got %s", got)
	}
}

// A tool that the user runs in the window asks no further question.
func TestTryItAsksNothing(t *testing.T) {
	b := newBench(t, strings.Replace(fakes(map[string]fakeserver.Script{"a": {}}), `"mcpServers"`,
		`"askFirst": true, "mcpServers"`, 1), nil)
	r := b.tries("a")
	r.ends()
	if r.err != nil || b.consent.Open() {
		t.Errorf("%v, asked %v", r.err, b.consent.Open())
	}
}
