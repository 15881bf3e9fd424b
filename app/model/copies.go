package model

import (
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Copies are the programs of a server that could be one: each belongs to an engine of an AI app, and these engines would
// use one together if the server were shared. The zero value stands for none, and for copies that were not measured yet.
type Copies struct {
	Engines int
	Clients []string     // the names of the apps, without duplicates
	Keeps   config.State // what the server keeps of an app that uses it
	process.Use
}

// copied is a program of a server in an engine, with the key of [status.Process].
type copied struct {
	key     string
	pid, by int // by is the process that has started it
	client  string
}

// noteCopy notes a program that could be shared.
func (s *Live) noteCopy(engine Engine, server status.Server) {
	if server.State != status.Connected || server.Process.Key == "" || server.Process.Pid == 0 {
		return
	}
	if s.copied == nil {
		s.copied = map[Choice][]copied{}
	}
	at := Choice{Toolbox: server.Toolbox, Server: server.Name}
	s.copied[at] = append(s.copied[at], copied{server.Process.Key, server.Process.Pid, engine.Pid, engine.Client})
}

// copiesAt returns the most programs of a server that could be one, if there are several.
func (s *Live) copiesAt(at Choice) []copied {
	var most []copied
	same := map[string][]copied{}
	for _, c := range s.copied[at] {
		same[c.key] = append(same[c.key], c)
		if all := same[c.key]; len(all) > max(1, len(most)) {
			most = all
		}
	}
	return most
}

// Copied returns the processes of servers that several engines could share, each with the process that has started it.
func (s *Live) Copied() map[int]int {
	s.once.Do(s.merge)
	all := map[int]int{}
	for at := range s.copied {
		for _, c := range s.copiesAt(at) {
			all[c.pid] = c.by
		}
	}
	return all
}

// copies returns the copies of a server if all of them were measured.
func (s *Live) copies(at Choice) (copies Copies) {
	for _, c := range s.copiesAt(at) {
		use, measured := s.Uses[c.pid]
		if !measured {
			return Copies{}
		}
		copies.Engines++
		copies.Clients = together(copies.Clients, []string{c.client})
		copies.Processes += use.Processes
		copies.Bytes += use.Bytes
	}
	return copies
}
