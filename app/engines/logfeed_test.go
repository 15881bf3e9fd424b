package engines

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// noisy is an engine with a server "quiet", whose log has one line, and a server "loud".
type noisy struct {
	ipc.Source
	watched chan func(toolbox, server string, line status.LogLine)
}

func (n *noisy) Status() status.Snapshot              { return status.Snapshot{} }
func (n *noisy) Subscribe() (<-chan struct{}, func()) { return make(chan struct{}), func() {} }
func (n *noisy) Log(string, string) []status.LogLine  { return []status.LogLine{{Text: "all"}} }
func (n *noisy) Watch(line func(toolbox, server string, line status.LogLine), _ func(status.Call)) func() {
	n.watched <- line
	return func() {}
}

// TestLinesLostBeforeALineOfAnotherServer checks that the lines of the shown server are fetched again when lines were lost, although the line that
// reports it is of another server: nobody knows whose lines were lost.
func TestLinesLostBeforeALineOfAnotherServer(t *testing.T) {
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: filepath.Join(t.TempDir(), "hub")}) // only for the engine below; no other connects
	if err != nil {
		t.Fatal(err)
	}
	engine := &noisy{watched: make(chan func(string, string, status.LogLine), 1)}
	agent := ipc.NewAgent(ipc.AgentOptions{About: ipc.About{ClientID: "claude-desktop", Started: time.Now()}, Source: engine,
		Dial: func(context.Context) (net.Conn, error) {
			here, there := net.Pipe()
			hub.Attach(here)
			return there, nil
		}})
	go func() { _ = agent.Run(t.Context()) }()
	say := <-engine.watched

	fetched, overflown := make(chan bool), make(chan bool)
	feed := NewLogFeed(hub, nil, func(model.Choice, []status.LogLine) {
		fetched <- true
		<-overflown // until then the feed takes no lines
	}, func(model.Choice, []status.LogLine) {})
	go func() { _ = feed.Run(t.Context()) }()
	feed.Follow(model.Choice{Toolbox: "dev", Server: "quiet"}, []ipc.EngineID{1})
	<-fetched

	deadline := time.After(10 * time.Second)
	for said := 0; ; said++ {
		say("dev", "loud", status.LogLine{Text: "one of many"})
		if said == 20_000 { // more than may wait anywhere
			close(overflown)
		}
		select {
		case <-fetched:
			return
		case <-deadline:
			t.Fatal("the lines are not fetched again")
		default:
		}
	}
}
