package approval

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// Reason is why an entry waits for a person.
type Reason string

// The reasons. The zero Reason means that the entry does not wait.
const (
	Elsewhere Reason = "elsewhere" // another program has added or changed it
	NewFile   Reason = "file"      // nobody has approved anything in this file, for example in a second configuration
	Returned  Reason = "returned"  // a person has restored an older version of the file in which it was not approved
	// the record is missing, damaged, or from another computer, for example after restoring a backup
	NoRecord Reason = "record"
)

// explained is the reason of a waiting entry if it is not [Elsewhere].
type explained struct {
	File   string `json:"file"`
	Print  string `json:"print"`
	Reason Reason `json:"reason"`
}

// maxFiles is how many files are remembered in which a person has decided something.
const maxFiles = 1024

// reason returns why an entry of a file waits.
func (s *state) reason(file, print string) Reason {
	if s.lost != nil {
		return NoRecord
	}
	for _, e := range s.record.Explained {
		if e.File == file && e.Print == print {
			return e.Reason
		}
	}
	if !slices.Contains(s.record.Files, file) {
		return NewFile
	}
	return Elsewhere
}

// decided records that a person has decided something in a file. Entries that still wait there keep their
// reasons.
func (r *record) decided(s *state, file string, cfg *config.Config) {
	for toolbox, server := range servers(cfg) {
		if !s.approves(approvedEntry{File: file, Toolbox: toolbox.Name, Server: server.Name}, server) {
			print := s.key.fingerprint(server)
			if reason := s.reason(file, print); reason != Elsewhere {
				r.explain(file, print, reason)
			}
		}
	}
	r.know(file)
}

func (r *record) explain(file, print string, reason Reason) {
	r.Explained = append(slices.DeleteFunc(r.Explained, func(e explained) bool {
		return e.File == file && e.Print == print
	}), explained{file, print, reason})
	r.Explained = r.Explained[max(0, len(r.Explained)-maxGone):]
}

// forget removes the reasons of entries that a file no longer has or that are approved. If another program
// writes them again, that is the reason.
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

// know records that a person has decided something in a file.
func (r *record) know(file string) {
	r.Files = append(slices.DeleteFunc(r.Files, func(f string) bool { return f == file }), file)
	r.Files = r.Files[max(0, len(r.Files)-maxFiles):]
}
