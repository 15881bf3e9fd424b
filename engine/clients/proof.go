package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
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

// proofFile is what we know of clients by having seen them. It is a file of its own beside the ledger, because losing it costs
// nothing but to see them again.
type proofFile struct {
	Format int                  `json:"format"`
	Proofs map[string]Proof     `json:"proofs"`         // by the id of the client
	Seen   map[string]time.Time `json:"seen,omitempty"` // when each was there last, also those that people have set up by hand
}

const proofFormat = 1

func (l ledger) proofName() string { return filepath.Join(l.folder, "proofs.json") }

// errOtherFormat: a newer version of ours has written the file, and shall find it again.
var errOtherFormat = errors.New("it is from another version of Workbench")

// loadProofs returns what there is, and the bytes of the file, nil when there is none.
func (l ledger) loadProofs() (proofFile, []byte, error) {
	empty := proofFile{Format: proofFormat, Proofs: map[string]Proof{}, Seen: map[string]time.Time{}}
	source, err := os.ReadFile(l.proofName())
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil, nil
	}
	file := empty
	if err == nil {
		err = json.Unmarshal(source, &file)
	}
	if err == nil && file.Format != proofFormat {
		err = errOtherFormat
	}
	if err != nil {
		return empty, source, fmt.Errorf("reading %s, where it stands which AI apps have started Workbench: %w; move it away, and they are noted anew when they start it", l.proofName(), err)
	}
	if file.Proofs == nil {
		file.Proofs = map[string]Proof{}
	}
	if file.Seen == nil {
		file.Seen = map[string]time.Time{}
	}
	return file, source, nil
}

// changeProofs has the file changed, while no other process of ours does. One that is damaged is put aside.
func (l ledger) changeProofs(edit func(*proofFile) (changed bool)) error {
	return l.locked(func() error {
		file, before, err := l.loadProofs()
		switch {
		case err == nil:
		case before == nil || errors.Is(err, errOtherFormat):
			return err
		default:
			if os.Rename(l.proofName(), l.proofName()+".damaged") != nil {
				return err
			}
			before = nil
		}
		if !edit(&file) {
			return nil
		}
		source, err := json.MarshalIndent(file, "", "  ")
		if err != nil {
			return err
		}
		if err := atomicfile.Replace(l.proofName(), append(source, '\n'), before); err != nil {
			return fmt.Errorf("writing %s: %w", l.proofName(), err)
		}
		return nil
	})
}

// Witness keeps the newest proof of a client. One that is no news writes nothing.
func (r *Registrar) Witness(p Proof) error {
	if _, known := ByID(p.Client); !known || p.Time.IsZero() {
		return fmt.Errorf("what started Workbench as %q proves nothing", p.Client)
	}
	return r.ledger.changeProofs(func(file *proofFile) bool {
		old, there := file.Proofs[p.Client]
		if there && !p.Time.After(old.Time) {
			return false
		}
		p.First = old.First
		if p.First.IsZero() {
			p.First = p.Time
		}
		file.Proofs[p.Client] = p
		file.saw(p.Client, p.Time)
		return true
	})
}

// Saw keeps when clients were there last, whoever has set them up. It proves nothing.
func (r *Registrar) Saw(when map[string]time.Time) error {
	return r.ledger.changeProofs(func(file *proofFile) (changed bool) {
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
	f.Seen[id] = at
	return true
}

// Proofs returns the newest proof of each client that there is one of, by id.
func (r *Registrar) Proofs() (map[string]Proof, error) {
	file, _, err := r.ledger.loadProofs()
	return file.Proofs, err
}

// Seen returns when each client was there last, by id.
func (r *Registrar) Seen() (map[string]time.Time, error) {
	file, _, err := r.ledger.loadProofs()
	return maps.Clone(file.Seen), err
}

// Proven tells whether the client has started us by the entry that is there now: not before that was made, and with its configuration.
func (s Status) Proven() bool {
	if s.State != Connected || s.Proof == nil || len(s.Records) == 0 {
		return false
	}
	newest := slices.MaxFunc(s.Records, func(a, b Record) int { return a.Time.Compare(b.Time) })
	return !s.Proof.Time.Before(newest.Time) && sameFile(s.Proof.Config, newest.config())
}

// config is the configuration that the entry names.
func (r Record) config() string {
	if i := slices.Index(r.Args, "--config"); i >= 0 && i+1 < len(r.Args) {
		return r.Args[i+1]
	}
	return ""
}

// sameFile tells whether two paths lead to the same file, whether it is there or not.
func sameFile(a, b string) bool { return a == b || resolved(a) == resolved(b) }

func resolved(path string) string {
	if path == "" {
		return ""
	}
	if target, err := atomicfile.FollowLinks(path); err == nil {
		path = target
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real // in the spelling of the disk, where that matters
	}
	return filepath.Clean(path)
}

// Greeting tells which client of the table calls itself by a name in its greeting; "" when that is not certain.
func Greeting(name string) string {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "claude-code":
		return "claude-code"
	case "cursor-vscode":
		return "cursor"
	case "visual studio code":
		return "vscode"
	case "visual studio code - insiders":
		return "vscode-insiders"
	case "windsurf-client":
		return "windsurf"
	case "zed":
		return "zed"
	case "cline":
		return "cline"
	case "continue-cli-client":
		return "continue"
	case "codex-mcp-client":
		return "codex"
	case "gemini-cli-mcp-client":
		return "gemini"
	case "antigravity-client":
		return "antigravity"
	case "goose":
		return "goose"
	case "lmstudio-mcp-bridge":
		return "lmstudio"
	case "github-copilot-developer":
		return "copilot"
	case "opencode":
		return "opencode"
	}
	return ""
}

// Vouches tells whether one who greets with a name can be the client whose entry it came by. Some apps read the files of others: VS Code
// finds the entry of Claude Desktop, and starts us as if it were that. Apps of one maker hand entries on to each other.
func Vouches(id, greeting string) bool {
	if _, known := ByID(id); !known {
		return false
	}
	other := Greeting(greeting)
	return other == "" || other == id || maker(other) != "" && maker(other) == maker(id)
}

func maker(id string) string {
	switch id {
	case "claude-desktop", "claude-code":
		return "Anthropic"
	case "vscode", "vscode-insiders":
		return "Microsoft"
	case "gemini", "antigravity":
		return "Google"
	}
	return ""
}
