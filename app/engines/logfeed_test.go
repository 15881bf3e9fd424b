package engines

import (
	"context"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// noisy is an engine with a server "quiet", which has logged one line and later logs two more, and a server "loud".
type noisy struct {
	ipc.Source
	watched chan func(toolbox, server string, line status.LogLine)
	begun   time.Time
	asked   atomic.Int32
}

func (n *noisy) Status() status.Snapshot              { return status.Snapshot{} }
func (n *noisy) Subscribe() (<-chan struct{}, func()) { return make(chan struct{}), func() {} }
func (n *noisy) Watch(line func(toolbox, server string, line status.LogLine), _ func(status.Call)) func() {
	n.watched <- line
	return func() {}
}
func (n *noisy) Log(string, string) []status.LogLine {
	lines := []status.LogLine{{Time: n.begun, Text: "first"}}
	if n.asked.Add(1) > 1 {
		lines = append(lines, status.LogLine{Time: n.begun.Add(time.Second), Text: "second"})
	}
	return lines
}

// slow shows lines, and goes on after the first of them only when more were sent than can wait.
type slow struct {
	shown     chan<- []status.LogLine
	overflown <-chan bool
}

func (s slow) SetLines(_ model.Choice, lines []status.LogLine) {
	s.shown <- lines
	<-s.overflown
}

func (s slow) AddLines(_ model.Choice, lines []status.LogLine) { s.shown <- lines }

// TestLinesLostBeforeALineOfAnotherServer checks that a lost line of the shown server is fetched and added, although a
// line of another server reports the loss. The lines that are shown already stay, so that the user's place does not
// move.
func TestLinesLostBeforeALineOfAnotherServer(t *testing.T) {
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: filepath.Join(t.TempDir(), "hub")}) // only the engine below connects
	if err != nil {
		t.Fatal(err)
	}
	joined, cancel := hub.Subscribe()
	defer cancel()
	engine := &noisy{watched: make(chan func(string, string, status.LogLine), 1), begun: time.Now()}
	agent := ipc.NewAgent(ipc.AgentOptions{About: ipc.About{ClientID: "claude-desktop", Started: engine.begun},
		Source: engine,
		Dial: func(context.Context) (net.Conn, error) {
			here, there := net.Pipe()
			hub.Attach(here)
			return there, nil
		}})
	go func() { _ = agent.Run(t.Context()) }()
	say := <-engine.watched
	for len(hub.Engines()) == 0 {
		<-joined
	}

	shown, overflown := make(chan []status.LogLine, 100), make(chan bool)
	feed := NewLogFeed(hub, KeptLogs{}, slow{shown, overflown})
	go func() { _ = feed.Run(t.Context()) }()
	feed.Follow(model.Choice{Toolbox: "dev", Server: "quiet"}, []ipc.EngineID{hub.Engines()[0].ID})
	if lines := <-shown; len(lines) != 1 || lines[0].Text != "first" {
		t.Fatalf("the first lines are %v", lines)
	}

	deadline := time.After(time.Minute)
	for said := 0; ; said++ {
		say("dev", "loud", status.LogLine{Time: time.Now(), Text: "one of many"})
		if said == 20_000 { // more than may wait anywhere
			close(overflown)
		}
		select {
		case lines := <-shown:
			if len(lines) != 1 || lines[0].Text != "second" {
				t.Errorf("the added lines are %v", lines)
			}
			return
		case <-deadline:
			t.Fatal("the lost line is not fetched")
		default:
		}
	}
}
