package approval

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Reason is why an entry waits for a person.
type Reason string

// The reasons. The zero Reason is that of an entry that does not wait.
const (
	Elsewhere Reason = "elsewhere" // another program has added or changed it
	NewFile   Reason = "file"      // nobody has approved anything in this file, as with a second configuration
	Returned  Reason = "returned"  // a person has brought it back with an older version of the file, where nobody had approved it
	NoRecord  Reason = "record"    // what was approved is missing, damaged, or of another computer, as after restoring a backup
)

// explained is the reason of an entry that waits, where it is not [Elsewhere].
type explained struct {
	File   string `json:"file"`
	Print  string `json:"print"`
	Reason Reason `json:"reason"`
}

// maxFiles is how many files are known in which a person has decided something.
const maxFiles = 1024

// reason returns why an entry of a file waits.
func (s *state) reason(file, print string) Reason {
	if s.condition == Lost {
		return NoRecord
	}
	for _, e := range s.record.Explained {
		if e.File == file && e.Print == print {
			return e.Reason
		}
	}
	// A record of an earlier version does not know the files; that another program wrote it is what has to be feared.
	if len(s.record.Files) > 0 && !slices.Contains(s.record.Files, file) {
		return NewFile
	}
	return Elsewhere
}

// decided notes that a person has decided something in a file. What goes on waiting there keeps its reason.
func (r *record) decided(s *state, file string, cfg *config.Config) {
	for _, server := range servers(cfg) {
		if print := s.key.fingerprint(server); !s.approved[print] {
			if reason := s.reason(file, print); reason != Elsewhere {
				r.explain(file, print, reason)
			}
		}
	}
	r.know(file)
}

func (r *record) explain(file, print string, reason Reason) {
	r.Explained = append(slices.DeleteFunc(r.Explained, func(e explained) bool { return e.File == file && e.Print == print }), explained{file, print, reason})
	r.Explained = r.Explained[max(0, len(r.Explained)-maxGone):]
}

// forget forgets why entries of a file waited that it no longer has or that are approved: when another program writes them once more, that is
// the reason.
func (r *record) forget(k key, file string, cfg *config.Config) {
	waiting := map[string]bool{}
	for _, server := range servers(cfg) {
		waiting[k.fingerprint(server)] = true
	}
	for _, p := range r.Places {
		delete(waiting, p.Print)
	}
	r.Explained = slices.DeleteFunc(r.Explained, func(e explained) bool { return e.File == file && !waiting[e.Print] })
}

// know notes that a person has decided something in a file.
func (r *record) know(file string) {
	r.Files = append(slices.DeleteFunc(r.Files, func(f string) bool { return f == file }), file)
	r.Files = r.Files[max(0, len(r.Files)-maxFiles):]
}
