package setup

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// engines is a hub with the engines that a test sets.
type engines struct {
	changed chan struct{}
	list    chan []ipc.Engine
}

func (e engines) Subscribe() (<-chan struct{}, func()) { return e.changed, func() {} }
func (e engines) Engines() []ipc.Engine                { return <-e.list }

func TestSightings(t *testing.T) {
	h := newHome(t)
	engineOf := func(config, id, name string, initialized time.Time) ipc.Engine {
		return ipc.Engine{About: ipc.About{Config: config, ClientID: id, ClientName: name, Initialized: initialized}}
	}
	start := time.Now().Add(-time.Hour)
	ours := h.Location.Path
	proven := make(chan struct{}, 10)
	remembered := 0
	s := h.NewSightings(SightingsOptions{
		Remember: func(map[string]time.Time) { remembered++ },
		Proven:   func() { proven <- struct{}{} }, Logger: slog.New(slog.DiscardHandler),
	})
	hub := engines{make(chan struct{}), make(chan []ipc.Engine)}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, hub) }()

	// None of these proves our entry: one has not sent a greeting yet, one has another configuration, one is
	// another client that found the entry.
	hub.list <- []ipc.Engine{
		engineOf(ours, "cursor", "cursor-vscode", time.Time{}),
		engineOf(ours+".other", "cursor", "cursor-vscode", start),
		engineOf(ours, "cursor", "Visual Studio Code", start),
	}
	hub.changed <- struct{}{}
	hub.list <- []ipc.Engine{engineOf(ours, "cursor", "cursor-vscode", start)}
	<-proven
	hub.changed <- struct{}{}
	hub.list <- nil // the client has ended
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || remembered != 1 || len(proven) != 0 {
		t.Errorf("Sightings ended with %v, remembered %d times, with %d more proofs", err, remembered, len(proven))
	}
	proofs, err := h.Registrar.Proofs()
	if err != nil || len(proofs) != 1 || !proofs["cursor"].Time.Equal(start) || proofs["cursor"].Config != ours {
		t.Errorf("proven is %+v, %v", proofs, err)
	}
	seen, err := h.Registrar.Seen()
	if err != nil || !seen["cursor"].After(start) || !seen["vscode"].After(start) {
		t.Errorf("seen were %v, %v", seen, err)
	}
}
