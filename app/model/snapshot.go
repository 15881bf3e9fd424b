package model

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Snapshot is the state of the configuration file and the engines at one moment. It does not change.
type Snapshot struct {
	Number uint64 // later ones have higher numbers
	Time   time.Time

	File       File
	Good       *config.Document    // the newest that could be used; nil before there was one
	Warnings   []config.Diagnostic // what this computer and the tools of servers say about the file
	Live       *Live
	Clients    []SeenClient
	Tools      map[Choice][]Tool // those that servers are known to have and that clients may see
	Approval   Approval          // what of the file waits for the person
	Usage      Usage             // the recorded calls of AI apps
	Watched    bool              // somebody looks at the calls
	Calls      []Call            // else there are none
	OlderCalls int               // and how many there were before them
}

// File is the configuration file at one moment.
type File struct {
	store.Snapshot // without a Document while there is no store

	// Now is the present file, including an edit that could not be saved. It is nil when the file cannot be read; Problem then
	// says why.
	Now *config.Document
}

// SeenClient is a client that has started an engine and greeted it.
type SeenClient struct {
	Name    string
	Here    bool      // its engine runs now
	Since   time.Time // when that engine has greeted
	Trouble Trouble   // and what is the matter with that engine; with all of them when it runs several
	Last    time.Time // else when it was there last
}

// Call is one tool call with the engine that it passed through.
type Call struct {
	Engine string // its ID, as in [Engine]
	Client string // the app that called, in words
	status.Call
}

// CallKey identifies a call.
type CallKey struct {
	Engine string
	ID     uint64
}

// Key returns the key of the call.
func (c Call) Key() CallKey { return CallKey{c.Engine, c.ID} }

// Broken reports whether the present file cannot be used.
func (s *Snapshot) Broken() bool { return s.File.Now == nil || !s.File.Now.Valid() }

// CountsDown reports whether a text about the snapshot changes with the second, such as "trying again in 4 s".
func (s *Snapshot) CountsDown() bool {
	for server := range s.Live.Servers() {
		if server.CountsDown() {
			return true
		}
	}
	return false
}

// Server returns how a server is doing.
func (s *Snapshot) Server(at Choice) Server { return s.Live.Server(at.Toolbox, at.Server) }

// Standing returns a server as Server does, but prefers an engine where it is connected to one that is just starting it. So the
// tools of a connected server stay on the screen while the window starts the server to try one of them.
func (s *Snapshot) Standing(at Choice) Server {
	merged := s.Server(at)
	if merged.State != status.Starting {
		return merged
	}
	for _, engine := range s.Live.Engines {
		for _, server := range engine.Servers {
			if engine.InReach() && server.Toolbox == at.Toolbox && server.Name == at.Server && server.State == status.Connected {
				merged.Server, merged.Engine, merged.Client = server, engine.ID, engine.Client
				return merged
			}
		}
	}
	return merged
}

// Entry returns the entry of a server in the newest configuration that could be used; nil when there is none.
func (s *Snapshot) Entry(at Choice) *config.Server {
	if s.Good == nil || s.Good.Config == nil {
		return nil
	}
	toolbox, ok := s.Good.Config.Toolbox(at.Toolbox)
	if !ok {
		return nil
	}
	entry, ok := toolbox.Server(at.Server)
	if !ok {
		return nil
	}
	return entry
}

// ToolboxNames returns the names of the toolboxes in the order of the file.
func (s *Snapshot) ToolboxNames() []string {
	if s.Good == nil {
		return nil
	}
	var names []string
	for _, toolbox := range s.Good.Config.Toolboxes {
		names = append(names, toolbox.Name)
	}
	return names
}

// ServerNames returns the names of the servers of a toolbox in the order of the file.
func (s *Snapshot) ServerNames(toolbox string) []string {
	if s.Good == nil {
		return nil
	}
	var names []string
	if box, ok := s.Good.Config.Toolbox(toolbox); ok {
		for _, server := range box.Servers {
			names = append(names, server.Name)
		}
	}
	return names
}

// ServerCount returns how many servers the configuration has.
func (s *Snapshot) ServerCount() int {
	count := 0
	if s.Good != nil {
		for _, toolbox := range s.Good.Config.Toolboxes {
			count += len(toolbox.Servers)
		}
	}
	return count
}
