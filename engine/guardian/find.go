package guardian

import "slices"

// proc is a process of the system.
type proc struct {
	pid, parent, group, session int
	// in the system's own units; together with the id it identifies a process since the last boot
	started uint64
	dead    bool // only its entry in the process table is left
}

// identity distinguishes a process from a later one with the same id.
type identity struct {
	pid     int
	started uint64
}

func (p proc) identity() identity { return identity{p.pid, p.started} }

// machine provides what a search needs from the system.
type machine interface {
	// processes returns all visible processes.
	processes() []proc
	// marks returns the marks in the environment of a process; nil if it has none or they cannot be read.
	marks(p proc) []string
	// gone reports whether the engine of a mark is known to have ended, and whether that can be judged for
	// this process.
	gone(p proc, m mark) bool
}

// seeds are the starting points of a search.
type seeds struct {
	mark  string            // of our engine; "" for none
	known map[identity]bool // processes that are proven to be ours
	// orphans also accepts marks of engines that have ended.
	orphans bool
}

// find returns the living processes that are proven to be ours: the seeds, and processes that these have
// started.
func find(m machine, s seeds) []proc {
	all := m.processes()
	ours := map[int]proc{}
	var rest []proc
	for _, p := range all {
		if p.pid > 1 && (s.known[p.identity()] || s.proves(m, p)) {
			ours[p.pid] = p
		} else if p.pid > 1 {
			rest = append(rest, p)
		}
	}
	// While a process lives, no other process, group or session has its id. So a parent, group or session
	// that is ours proves that a process is ours.
	for grown := true; grown; {
		grown = false
		rest = slices.DeleteFunc(rest, func(p proc) bool {
			for _, id := range []int{p.parent, p.group, p.session} {
				if from, found := ours[id]; found && from.started <= p.started {
					ours[p.pid] = p
					grown = true
					return true
				}
			}
			return false
		})
	}
	var living []proc
	for _, p := range ours {
		if !p.dead {
			living = append(living, p)
		}
	}
	return living
}

// proves reports whether the environment of a process proves that it is ours.
func (s seeds) proves(m machine, p proc) bool {
	if p.dead || s.mark == "" && !s.orphans {
		return false
	}
	for _, text := range m.marks(p) {
		if text != "" && text == s.mark {
			return true
		}
		if engine, ok := parseMark(text); ok && s.orphans && m.gone(p, engine) {
			return true
		}
	}
	return false
}
