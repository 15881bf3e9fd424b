package setup

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
)

// Sightings keeps which clients have started us, and when they were here last. The desktop app does so, not the engine: what an engine of
// a packaged client writes, nobody else finds.
type Sightings struct {
	registrar *clients.Registrar
	path      string // of the configuration file
	options   SightingsOptions

	kept map[string]time.Time // the newest greeting of each client that was kept
	here map[string]time.Time // since when the clients that are here are so
	same map[string]bool      // whether a path that engines say is that of our file
}

// SightingsOptions say whom sightings are told to. The functions are called on the goroutine of [Sightings.Run].
type SightingsOptions struct {
	Remember func(map[string]time.Time) // gets once when clients were here before, by id
	Proven   func()                     // is called after something new was kept
	Logger   *slog.Logger
}

// NewSightings returns the sightings of clients that are started with the configuration of s.
func (s *Setup) NewSightings(o SightingsOptions) *Sightings {
	return &Sightings{
		registrar: s.Registrar, path: s.Location.Path, options: o,
		kept: map[string]time.Time{}, here: map[string]time.Time{}, same: map[string]bool{},
	}
}

// Hub is what sightings need of an [ipc.Hub].
type Hub interface {
	Subscribe() (changed <-chan struct{}, cancel func())
	Engines() []ipc.Engine
}

// pace is the least time between two looks at the engines.
const pace = 100 * time.Millisecond

// Run follows the engines of a hub until the context ends, and returns its error.
func (s *Sightings) Run(ctx context.Context, hub Hub) error {
	changed, cancel := hub.Subscribe()
	defer cancel()
	if seen, err := s.registrar.Seen(); err != nil {
		s.complain(err)
	} else {
		s.options.Remember(seen)
	}
	for ctx.Err() == nil {
		s.note(hub.Engines(), time.Now())
		select {
		case <-ctx.Done():
		case <-time.After(pace):
			select {
			case <-ctx.Done():
			case <-changed:
			}
		}
	}
	s.note(nil, time.Now()) // from here on nobody sees them
	return ctx.Err()
}

// note keeps what is new of the engines that are there.
func (s *Sightings) note(engines []ipc.Engine, now time.Time) {
	here, proofs, seen := map[string]time.Time{}, map[string]clients.Proof{}, map[string]time.Time{}
	for _, e := range engines {
		if e.Own || e.Initialized.IsZero() || s.elsewhere(e.Config) {
			continue
		}
		id := e.ClientID
		if client.Matches(id, e.ClientName) {
			if e.Initialized.After(s.kept[id]) && e.Initialized.After(proofs[id].Time) {
				proofs[id] = clients.Proof{
					Client: id, Time: e.Initialized, Name: e.ClientName, Version: e.ClientVersion, Pid: e.Pid, Program: e.Program, Config: e.Config,
				}
			}
		} else if id = client.Find("", e.ClientName).ID; id != "" && e.Initialized.After(s.here[id]) {
			seen[id] = e.Initialized // set up by hand, or by the entry of another
		}
		if id != "" && e.Initialized.After(here[id]) {
			here[id] = e.Initialized
		}
	}
	for id := range s.here {
		if _, still := here[id]; !still {
			seen[id] = now
		}
	}
	s.here = here
	for _, id := range slices.Sorted(maps.Keys(proofs)) {
		s.kept[id] = proofs[id].Time // once: what fails now fails again
		s.complain(s.registrar.RecordProof(proofs[id]))
	}
	if len(seen) > 0 {
		s.complain(s.registrar.RecordSeen(seen))
	}
	if len(proofs) > 0 {
		s.options.Proven()
	}
}

// elsewhere reports whether a path is not that of our configuration. Without one nothing is known, and nothing proven.
func (s *Sightings) elsewhere(path string) bool {
	same, known := s.same[path]
	if !known {
		same = path != "" && atomicfile.Same(path, s.path)
		s.same[path] = same
	}
	return !same
}

func (s *Sightings) complain(err error) {
	if err != nil {
		s.options.Logger.Error("Which AI apps have started Workbench cannot be kept", "error", err)
	}
}
