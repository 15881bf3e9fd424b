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
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// Sightings records which clients have started Workbench, and when each last did. The desktop app records
// this, not the engine: nobody else can read what an engine of a packaged client writes.
type Sightings struct {
	registrar *clients.Registrar
	path      string // of the configuration file
	options   SightingsOptions

	kept map[string]time.Time // the newest greeting of each client that was recorded
	here map[string]time.Time // since when each connected client has been connected
	same map[string]bool      // whether a configuration path that an engine reports is that of our file
}

// SightingsOptions are the functions that sightings call. They are called on the goroutine of
// [Sightings.Run].
type SightingsOptions struct {
	Remember func(map[string]time.Time) // called once with the times at which clients were here before, by id
	Proven   func()                     // called after something new was recorded
	Logger   *slog.Logger
}

// NewSightings returns the sightings of clients that use the configuration of s.
func (s *Setup) NewSightings(o SightingsOptions) *Sightings {
	return &Sightings{
		registrar: s.Registrar, path: s.Location.Path, options: o,
		kept: map[string]time.Time{}, here: map[string]time.Time{}, same: map[string]bool{},
	}
}

// Hub is the part of an [ipc.Hub] that sightings use.
type Hub interface {
	Subscribe() (changed <-chan struct{}, cancel func())
	Engines() []ipc.Engine
}

// pace is the shortest time between two reads of the list of engines.
const pace = 100 * time.Millisecond

// Run follows the engines of a hub until ctx ends, and returns the error of ctx.
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
	s.note(nil, time.Now()) // nobody watches them after this
	return ctx.Err()
}

// note records what is new about the connected engines.
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
					Client: id, Time: e.Initialized, Name: e.ClientName, Version: e.ClientVersion, Pid: e.Pid, Program: e.Program,
					Config: e.Config,
				}
			}
		} else if id = client.Find("", e.ClientName).ID; id != "" && e.Initialized.After(s.here[id]) {
			seen[id] = e.Initialized // set up by hand, or started by another client's entry
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
		s.kept[id] = proofs[id].Time // also when it fails: it would fail again
		s.complain(s.registrar.RecordProof(proofs[id]))
	}
	if len(seen) > 0 {
		s.complain(s.registrar.RecordSeen(seen))
	}
	if len(proofs) > 0 {
		s.options.Proven()
	}
}

// elsewhere reports whether a path is not that of our configuration. An empty path counts as elsewhere, since
// it proves nothing.
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
