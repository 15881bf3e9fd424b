package model

import (
	"iter"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Server returns the combined state of a server. If the configuration switches the server off, it is Disabled,
// whatever the engines report. If no engine has started it, it is NotStarted. Engines with another configuration file
// are ignored. An engine whose state cannot be read only counts if no other engine has a state for the server; see
// [Server.Unseen].
func (s *Live) Server(toolbox, name string) Server {
	s.once.Do(s.merge)
	at := Choice{Toolbox: toolbox, Server: name}
	server, ok := s.merged[at]
	if !ok {
		server.Server = status.Server{Toolbox: toolbox, Name: name, State: status.NotStarted}
	}
	server.Paused, server.AlwaysOpen, server.Missing = s.Paused, s.always[toolbox], s.Missing[at]
	server.Why, server.Changed = s.Changed[at]
	if s.other != "" && server.unknown() {
		server.Unseen, server.Client = OtherVersion, s.other
	}
	return server
}

// merge combines the states of all servers, once: there may be thousands of them, and each state is asked for often.
func (s *Live) merge() {
	s.merged = map[Choice]Server{}
	for _, engine := range s.Engines {
		if engine.InReach() {
			s.add(engine)
		}
	}
	for _, engine := range s.Engines {
		switch {
		case engine.Elsewhere:
		case engine.Trouble == Silent:
			s.miss(engine)
		case engine.Trouble == OtherVersion && s.other == "":
			s.other = engine.Client
		}
	}
	if s.Config == nil {
		return
	}
	s.always = map[string]bool{}
	for _, toolbox := range s.Config.Toolboxes {
		s.always[toolbox.Name] = toolbox.Open
		for _, server := range toolbox.Servers {
			at := Choice{Toolbox: toolbox.Name, Server: server.Name}
			if server.Disabled {
				s.merged[at] = off(at)
			} else if s.merged[at].State == status.Disabled {
				// An engine does not know yet that the server was switched on again.
				delete(s.merged, at)
			} else if copies := s.copies(at); copies.Engines > 0 && server.Share == nil {
				copies.Keeps = server.State()
				merged := s.merged[at]
				merged.Copies = copies
				s.merged[at] = merged
			}
		}
	}
}

// off returns the state of a server that is switched off.
func off(at Choice) Server {
	return Server{Server: status.Server{Toolbox: at.Toolbox, Name: at.Server, State: status.Disabled}}
}

// add merges the servers of an engine.
func (s *Live) add(engine Engine) {
	for _, server := range engine.Servers {
		at := Choice{Toolbox: server.Toolbox, Server: server.Name}
		if server.State == status.Disabled {
			if _, known := s.merged[at]; !known {
				s.merged[at] = off(at)
			}
			continue
		}
		s.noteCopy(engine, server)
		now := Server{Server: server, Open: server.State == status.NotStarted && !engine.Own &&
			slices.Contains(engine.Open, server.Toolbox)}
		if server.State != status.NotStarted || server.Held {
			now.Engine, now.Client = engine.ID, engine.Client
		}
		if server.State == status.Connected && engine.Client != "" {
			now.Clients, now.Together = []string{engine.Client}, server.Process.Shared
			if !server.Process.Alone.IsZero() {
				now.Apart = []string{engine.Client}
			}
		}
		before, known := s.merged[at]
		if known {
			clients, open := together(before.Clients, now.Clients), before.Open || now.Open
			apart := together(before.Apart, now.Apart)
			one, other := oneProcess(before, now), before
			if !before.yieldsTo(now) {
				now, other = before, now
			}
			if len(now.Apart) == 0 {
				now.Process.Alone = other.Process.Alone
			}
			now.Apart = apart
			if now.State == status.Connected {
				now.Waiting, now.Forgotten = max(before.Waiting, server.Waiting), before.Forgotten || server.Forgotten
			}
			now.Clients, now.Open, now.Together = clients, open, one
		}
		s.merged[at] = now
	}
}

// oneProcess reports whether the clients of two states use the same process.
func oneProcess(a, b Server) bool {
	switch {
	case len(a.Clients) == 0:
		return b.Together
	case len(b.Clients) == 0:
		return a.Together
	}
	return a.Together && b.Together && a.Process.Pid == b.Process.Pid
}

// miss marks the servers that a silent engine ran when it last answered, unless another engine has a state for them.
func (s *Live) miss(engine Engine) {
	for _, server := range engine.Servers {
		at := Choice{Toolbox: server.Toolbox, Server: server.Name}
		if rank(server.State) < rankNothing && s.merged[at].unknown() {
			s.merged[at] = Server{Server: status.Server{Toolbox: at.Toolbox, Name: at.Server, State: status.NotStarted},
				Unseen: Silent, Client: engine.Client}
		}
	}
}

// unknown reports whether no engine has a state for the server.
func (s Server) unknown() bool {
	return rank(s.State) == rankNothing && !s.Held && s.Unseen == NoTrouble
}

// together returns the elements of both lists without duplicates. It changes neither list.
func together(a, b []string) []string {
	for _, client := range b {
		if !slices.Contains(a, client) {
			a = append(slices.Clip(a), client)
		}
	}
	return a
}

// yieldsTo reports whether the state in another engine is more important. Of two states that need the user, the later
// one is. Otherwise, of two states of the same rank the first one wins, so that the result does not change all the
// time; but a server that the user has stopped wins over one that was not started.
func (s Server) yieldsTo(other Server) bool {
	mine, its := rank(s.State), rank(other.State)
	if mine != its {
		return its < mine
	}
	if mine == rankNothing {
		return other.Held && !s.Held
	}
	return mine == rankUser && other.Since.After(s.Since)
}

// The ranks of states, the most important first.
const (
	rankUser = iota // needs the user
	rankStarting
	rankConnected
	rankNothing
	rankOff
)

func rank(state status.State) int {
	switch state {
	case status.SignIn, status.Failed, status.Stopped, status.NeedsApproval:
		return rankUser
	case status.Starting:
		return rankStarting
	case status.Connected:
		return rankConnected
	case status.Disabled:
		return rankOff
	}
	return rankNothing
}

// Counts are the numbers of servers by state.
type Counts struct {
	All       int // all servers except those that are switched off
	Connected int
	Starting  int
	Wrong     int // the servers that need the user
}

// Count counts the servers of the configuration.
func (s *Live) Count() Counts {
	var counts Counts
	for server := range s.Servers() {
		switch rank(server.State) {
		case rankOff:
			continue
		case rankUser:
			counts.Wrong++
		case rankStarting:
			counts.Starting++
		case rankConnected:
			counts.Connected++
		}
		counts.All++
	}
	return counts
}

// Servers iterates over the servers of the configuration and their entries, in the order of the file.
func (s *Live) Servers() iter.Seq2[Server, *config.Server] {
	return func(yield func(Server, *config.Server) bool) {
		if s.Config == nil {
			return
		}
		for _, toolbox := range s.Config.Toolboxes {
			for _, server := range toolbox.Servers {
				if !yield(s.Server(toolbox.Name, server.Name), server) {
					return
				}
			}
		}
	}
}
