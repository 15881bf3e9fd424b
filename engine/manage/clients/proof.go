package clients

import (
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Proof is that a client has started us by the entry that we made for it, and has initialized. An entry in a file is only a wish:
// the client may read another file, not have been started anew, or not trust us.
type Proof struct {
	Client string    `json:"client"`         // its id
	Time   time.Time `json:"time"`           // when it initialized last
	First  time.Time `json:"first,omitzero"` // when it did so for the first time

	// Name and Version are the client's own words.
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`

	Pid     int    `json:"pid,omitempty"`     // of the engine
	Program string `json:"program,omitempty"` // the version of the engine
	Config  string `json:"config"`            // the path of its configuration
}

// proofFile is what we know of clients by having seen them.
type proofFile struct {
	Format int                  `json:"format"`
	Proofs map[string]Proof     `json:"proofs"`         // by the id of the client
	Seen   map[string]time.Time `json:"seen,omitempty"` // when each was there last, also those that people have set up by hand
}

func (l ledger) proofs() notes[proofFile] {
	return notes[proofFile]{
		l, filepath.Join(l.folder, "proofs.json"), "clients.proofs_unread",
		func() proofFile {
			return proofFile{notesFormat, map[string]Proof{}, map[string]time.Time{}}
		}, false,
	}
}

// RecordProof keeps the newest proof of a client. One that is no news writes nothing.
func (r *Registrar) RecordProof(p Proof) error {
	if _, known := ByID(p.Client); !known || p.Time.IsZero() {
		return words.NewError("clients.no_proof", "Client", strconv.Quote(p.Client))
	}
	return r.ledger.proofs().change(func(file *proofFile) bool {
		old, there := file.Proofs[p.Client]
		// One from the future, as of a clock that was wrong, must not stand in the way for ever.
		if there && !p.Time.After(old.Time) && !old.Time.After(r.now().Add(time.Hour)) {
			return false
		}
		p.First = old.First
		if p.First.IsZero() {
			p.First = p.Time
		}
		if file.Proofs == nil { // as "null" gives it
			file.Proofs = map[string]Proof{}
		}
		file.Proofs[p.Client] = p
		file.saw(p.Client, p.Time)
		return true
	})
}

// RecordSeen keeps when clients were there last, whoever has set them up. It proves nothing.
func (r *Registrar) RecordSeen(when map[string]time.Time) error {
	return r.ledger.proofs().change(func(file *proofFile) (changed bool) {
		for id, at := range when {
			changed = file.saw(id, at) || changed
		}
		return changed
	})
}

func (f *proofFile) saw(id string, at time.Time) bool {
	if !at.After(f.Seen[id]) {
		return false
	}
	if f.Seen == nil {
		f.Seen = map[string]time.Time{}
	}
	f.Seen[id] = at
	return true
}

// Proofs returns the newest proof of each client that there is one of, by id.
func (r *Registrar) Proofs() (map[string]Proof, error) {
	file, _, err := r.ledger.proofs().load()
	return file.Proofs, err
}

// Seen returns when each client was there last, by id.
func (r *Registrar) Seen() (map[string]time.Time, error) {
	file, _, err := r.ledger.proofs().load()
	return file.Seen, err
}

// Proven reports whether the client has started us by the entry that is there now: not before that was made, and with its configuration.
func (s Status) Proven() bool {
	if s.State != Connected || s.Proof == nil || len(s.Records) == 0 {
		return false
	}
	newest := slices.MaxFunc(s.Records, func(a, b Record) int { return a.Time.Compare(b.Time) })
	return !s.Proof.Time.Before(newest.Time) && atomicfile.Same(s.Proof.Config, newest.config())
}

// config is the configuration that the entry names.
func (r Record) config() string {
	if i := slices.Index(r.Args, "--config"); i >= 0 && i+1 < len(r.Args) {
		return r.Args[i+1]
	}
	return ""
}
