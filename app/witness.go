package app

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
)

// witness keeps which AI apps have started us, and when they were here last. It is the app that does so, not the engine: what
// an engine of a packaged app writes, nobody else finds. It looks by itself, since writing may take a while.
type witness struct {
	registrar *engine.Registrar
	path      string // of the configuration file
	remember  func(map[string]time.Time)
	proven    func() // called after something new was kept
	log       *slog.Logger

	kept map[string]time.Time // the newest greeting of each app that was kept
	here map[string]time.Time // since when the apps that are here are so
	same map[string]bool      // whether a path that engines say is that of our file
}

func newWitness(d *desk) *witness {
	return &witness{
		registrar: d.options.Apps.Registrar, path: d.options.Location.Path, log: d.options.Logger,
		remember: d.collector.remember,
		proven:   func() { d.do(d.findApps) },
		kept:     map[string]time.Time{}, here: map[string]time.Time{}, same: map[string]bool{},
	}
}

// Run follows the engines of a hub until the context ends, and returns its error.
func (w *witness) Run(ctx context.Context, hub *ipc.Hub) error {
	changed, cancel := hub.Subscribe()
	defer cancel()
	if seen, err := w.registrar.Seen(); err != nil {
		w.complain(err)
	} else {
		w.remember(seen)
	}
	for {
		w.look(hub.Engines(), time.Now())
		if !sleep(ctx, pace) {
			break
		}
		select {
		case <-ctx.Done():
		case <-changed:
			continue
		}
		break
	}
	w.look(nil, time.Now()) // from here on nobody sees them
	return ctx.Err()
}

// look keeps what is new of the engines that are there.
func (w *witness) look(engines []ipc.Engine, now time.Time) {
	here, proofs, seen := map[string]time.Time{}, map[string]engine.Proof{}, map[string]time.Time{}
	for _, e := range engines {
		if e.Own || e.Initialized.IsZero() || w.elsewhere(e.Config) {
			continue
		}
		id := e.ClientID
		if client.Matches(id, e.ClientName) {
			if e.Initialized.After(w.kept[id]) && e.Initialized.After(proofs[id].Time) {
				proofs[id] = engine.Proof{
					Client: id, Time: e.Initialized, Name: e.ClientName, Version: e.ClientVersion, Pid: e.Pid, Program: e.Program, Config: e.Config,
				}
			}
		} else if id = client.Find("", e.ClientName).ID; id != "" && e.Initialized.After(w.here[id]) {
			seen[id] = e.Initialized // set up by hand, or by the entry of another
		}
		if id != "" && e.Initialized.After(here[id]) {
			here[id] = e.Initialized
		}
	}
	for id := range w.here {
		if _, still := here[id]; !still {
			seen[id] = now
		}
	}
	w.here = here
	for _, id := range slices.Sorted(maps.Keys(proofs)) {
		w.kept[id] = proofs[id].Time // once: what fails now fails again
		w.complain(w.registrar.Witness(proofs[id]))
	}
	if len(seen) > 0 {
		w.complain(w.registrar.Saw(seen))
	}
	if len(proofs) > 0 {
		w.proven()
	}
}

// elsewhere tells whether a path is not that of our configuration. Without one nothing is known, and nothing proven.
func (w *witness) elsewhere(path string) bool {
	same, known := w.same[path]
	if !known {
		same = path != "" && samePath(path, w.path)
		w.same[path] = same
	}
	return !same
}

func (w *witness) complain(err error) {
	if err != nil {
		w.log.Error("Which AI apps have started Workbench cannot be kept", "error", err)
	}
}
