package guardian

import "slices"

// proc is a process of the system.
type proc struct {
	pid, parent, group, session int
	started                     uint64 // in the system's own units; with the id it tells a process from all others of this boot
	dead                        bool   // only its entry in the table is left
}

// identity is what tells a process from a later one with the same id.
type identity struct {
	pid     int
	started uint64
}

func (p proc) identity() identity { return identity{p.pid, p.started} }

// machine is what a search asks the system.
type machine interface {
	// processes are all processes that can be seen.
	processes() []proc
	// marks are the marks in the environment of a process, nil when it has none or cannot be asked.
	marks(p proc) []string
	// gone reports whether the engine of a mark is known to have ended, and the process is one that can be judged by that.
	gone(p proc, m mark) bool
}

// seeds are what a search begins with.
type seeds struct {
	mark  string            // of our engine; "" for none
	known map[identity]bool // processes that are proven to be ours
	// orphans also takes what has the mark of any engine that has ended.
	orphans bool
}

// find returns the living processes that are proven to be ours: those of the seeds, and what these have started.
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
	// The parent, the group and the session of a process have their ids to themselves while it lives.
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

// proves reports whether the environment of a process proves it ours.
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
