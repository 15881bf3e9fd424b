package approval

import (
	"iter"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// record is the stored data.
type record struct {
	// Free is set if the person edits the file with other programs, so that no entry waits.
	Free   bool            `json:"free,omitempty"`
	Places []approvedEntry `json:"places"` // the most recently approved are last

	// Gone are the fingerprints of entries that were approved until the person removed or changed them, the
	// latest last.
	Gone []string `json:"gone,omitempty"`

	Files     []string    `json:"files,omitempty"` // files in which a person has decided something
	Explained []explained `json:"explained,omitempty"`
}

// approvedEntry is an entry of a file as it was last approved.
type approvedEntry struct {
	File    string         `json:"file"`
	Toolbox string         `json:"toolbox"`
	Server  string         `json:"server"`
	Print   string         `json:"print"` // its fingerprint
	Entry   *config.Server `json:"entry"`
}

func (p approvedEntry) same(o approvedEntry) bool {
	return p.File == o.File && p.Toolbox == o.Toolbox && p.Server == o.Server
}

// maxOthers is how many approved entries are kept that are not in the configuration: those of other files,
// and those that other programs have removed or renamed.
const maxOthers = 4096

// maxGone is how many fingerprints of formerly approved entries are kept.
const maxGone = 4096

func (r record) clone() record {
	r.Places, r.Gone = slices.Clone(r.Places), slices.Clone(r.Gone)
	r.Files, r.Explained = slices.Clone(r.Files), slices.Clone(r.Explained)
	return r
}

// note records an entry as approved at its place.
func (r *record) note(k key, p approvedEntry) {
	r.drop(p)
	p.Print = k.fingerprint(p.Entry)
	r.Places = append(r.Places, p)
}

func (r *record) drop(p approvedEntry) { r.Places = slices.DeleteFunc(r.Places, p.same) }

// noteAll records all entries of a configuration as approved.
func (r *record) noteAll(k key, file string, cfg *config.Config) {
	kept := make([]approvedEntry, 0, len(r.Places))
	for _, p := range r.Places {
		if p.File != file {
			kept = append(kept, p)
		}
	}
	for toolbox, server := range servers(cfg) {
		kept = append(kept, approvedEntry{file, toolbox.Name, server.Name, k.fingerprint(server), server})
	}
	r.Places = kept
	r.know(file)
	r.forget(k, file, cfg)
	r.trim(file, cfg)
}

// take records a change that the person has saved, and reports whether that changed the record. If the change
// restores an earlier state, only entries that were approved then are approved again.
func (r *record) take(s *state, file string, before, after *config.Config, returns bool) bool {
	type at struct{ toolbox, server string }
	approves := func(here at, server *config.Server) bool {
		return s.approves(approvedEntry{File: file, Toolbox: here.toolbox, Server: here.server}, server)
	}
	were, waiting := map[at]bool{}, map[string]bool{} // the places, and whether they were approved; what waited
	for toolbox, server := range servers(before) {
		here := at{toolbox.Name, server.Name}
		if were[here] = approves(here, server); !were[here] {
			waiting[s.key.fingerprint(server)] = true
		}
	}
	known := map[at]string{}
	for _, p := range r.Places {
		if p.File == file {
			if _, wasThere := were[at{p.Toolbox, p.Server}]; wasThere {
				known[at{p.Toolbox, p.Server}] = p.Print
			}
		}
	}
	is := map[at]bool{}
	changed := false
	r.decided(s, file, before)
	var fresh []approvedEntry
	for toolbox, server := range servers(after) {
		here := at{toolbox.Name, server.Name}
		is[here] = true
		print := s.key.fingerprint(server)
		was, wasThere := were[here]
		switch has := approves(here, server); {
		case has && known[here] == print:
			continue // not changed
		case has: // it was renamed, moved or put back
		case waiting[print], wasThere && !was:
			continue // it waits
		case returns && !slices.Contains(r.Gone, print):
			changed = true // it was never approved
			r.explain(file, print, Returned)
			continue
		}
		changed = true
		fresh = append(fresh, approvedEntry{file, toolbox.Name, server.Name, print, server})
	}
	kept := make([]approvedEntry, 0, len(r.Places))
	for _, p := range r.Places {
		here := at{p.Toolbox, p.Server}
		_, wasThere := were[here]
		gone := p.File == file && wasThere && !is[here]
		replaced := slices.ContainsFunc(fresh, p.same)
		if !gone && !replaced {
			kept = append(kept, p)
		} else {
			r.Gone = append(slices.DeleteFunc(r.Gone, func(print string) bool { return print == p.Print }), p.Print)
		}
		changed = changed || gone
	}
	r.Places = append(kept, fresh...)
	r.Gone = r.Gone[max(0, len(r.Gone)-maxGone):]
	r.forget(s.key, file, after)
	r.trim(file, after)
	return changed || !slices.Equal(r.Explained, s.record.Explained)
}

// trim removes the oldest entries that are not in the configuration, if there are too many.
func (r *record) trim(file string, cfg *config.Config) {
	others := 0
	kept := make([]approvedEntry, 0, len(r.Places))
	for _, p := range slices.Backward(r.Places) {
		if !mentions(cfg, file, p) {
			if others++; others > maxOthers {
				continue
			}
		}
		kept = append(kept, p)
	}
	slices.Reverse(kept)
	r.Places = kept
}

func mentions(cfg *config.Config, file string, p approvedEntry) bool {
	if p.File != file {
		return false
	}
	toolbox, ok := cfg.Toolbox(p.Toolbox)
	if ok {
		_, ok = toolbox.Server(p.Server)
	}
	return ok
}

// servers returns all entries of a configuration with their toolboxes. cfg may be nil.
func servers(cfg *config.Config) iter.Seq2[*config.Toolbox, *config.Server] {
	return func(yield func(*config.Toolbox, *config.Server) bool) {
		if cfg == nil {
			return
		}
		for _, toolbox := range cfg.Toolboxes {
			for _, server := range toolbox.Servers {
				if !yield(toolbox, server) {
					return
				}
			}
		}
	}
}
