package clients

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Proof records that a client has started Workbench by the entry that we made, and has initialized. The entry
// in the file alone proves nothing: the client may read another file, may not have been restarted, or may not
// trust us.
type Proof struct {
	Client string    `json:"client"`         // its id
	Time   time.Time `json:"time"`           // when it initialized last
	First  time.Time `json:"first,omitzero"` // when it did so for the first time

	// Name and Version are what the client says of itself.
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`

	Pid     int    `json:"pid,omitempty"`     // of the engine
	Program string `json:"program,omitempty"` // the version of the engine
	Config  string `json:"config"`            // the path of its configuration
}

// proofFile has what was observed of clients.
type proofFile struct {
	Format int              `json:"format"`
	Proofs map[string]Proof `json:"proofs"` // by the id of the client
	// when each was last connected, also if people have set it up by hand
	Seen map[string]time.Time `json:"seen,omitempty"`
}

func (l ledger) proofs() notes[proofFile] {
	return notes[proofFile]{
		l, filepath.Join(l.folder, "proofs.json"), "clients.proofs_unread",
		func() proofFile {
			return proofFile{notesFormat, map[string]Proof{}, map[string]time.Time{}}
		}, false,
	}
}

// RecordProof stores the newest proof of a client. It writes nothing if the proof is not new.
func (r *Registrar) RecordProof(p Proof) error {
	if _, known := ByID(p.Client); !known || p.Time.IsZero() {
		return words.NewError("clients.no_proof", "Client", words.Quoted(p.Client))
	}
	return r.ledger.proofs().change(func(file *proofFile) bool {
		old, there := file.Proofs[p.Client]
		// A proof from the future, for example from a time when the clock was wrong, must not block newer
		// ones for ever.
		if there && !p.Time.After(old.Time) && !old.Time.After(r.now().Add(time.Hour)) {
			return false
		}
		p.First = old.First
		if p.First.IsZero() {
			p.First = p.Time
		}
		if file.Proofs == nil { // for the JSON value null
			file.Proofs = map[string]Proof{}
		}
		file.Proofs[p.Client] = p
		file.saw(p.Client, p.Time)
		return true
	})
}

// RecordSeen stores when clients were last connected, whoever has set them up. It proves nothing.
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

// Proofs returns the newest proof of each client, by id.
func (r *Registrar) Proofs() (map[string]Proof, error) {
	file, _, err := r.ledger.proofs().load()
	return file.Proofs, err
}

// Seen returns when each client was last connected, by id.
func (r *Registrar) Seen() (map[string]time.Time, error) {
	file, _, err := r.ledger.proofs().load()
	return file.Seen, err
}

// Proven reports whether the client has started Workbench by the current entry: after the entry was made, and
// with its configuration.
func (s Status) Proven() bool {
	if s.State != Connected || s.Proof == nil || len(s.Records) == 0 {
		return false
	}
	newest := slices.MaxFunc(s.Records, func(a, b Record) int { return a.Time.Compare(b.Time) })
	return !s.Proof.Time.Before(newest.Time) && atomicfile.Same(s.Proof.Config, newest.config())
}

// config returns the path of the configuration that the entry names.
func (r Record) config() string {
	if i := slices.Index(r.Args, "--config"); i >= 0 && i+1 < len(r.Args) {
		return r.Args[i+1]
	}
	return ""
}
