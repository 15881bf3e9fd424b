package model

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Snapshot is the state of the configuration file and the engines at one moment. It does not change.
type Snapshot struct {
	Number uint64 // later snapshots have higher numbers
	Time   time.Time

	File       File
	Good       *config.Document    // the newest usable version, or nil
	Warnings   []config.Diagnostic // diagnostics of the file that depend on this computer or on the tools of servers
	Live       *Live
	Clients    []SeenClient
	Tools      map[Choice][]Tool // the known tools of servers that clients may see
	Lists      map[Choice]*Tools // the known tools of servers, all of them; a new list has another pointer
	Approval   Approval          // what the user has to approve in the file
	Usage      Usage             // the recorded calls of AI apps
	Watched    bool              // some screen shows the calls
	Calls      []Call            // nil unless Watched is set
	OlderCalls int               // the number of older calls that were dropped
}

// File is the configuration file at one moment.
type File struct {
	store.Snapshot // has no Document if there is no store

	// Now is the present file, including an edit that could not be saved. If the file cannot be read, Now is nil and
	// Problem says why.
	Now *config.Document
}

// Tools are the tools of a server as it listed them last, perhaps in an earlier run of the program.
type Tools struct {
	List []status.Tool
	Err  error // why the engine gave no list when it was asked last; List is then an earlier one
}

// SeenClient is a client that has started an engine and initialized the connection.
type SeenClient struct {
	Name    string
	Here    bool      // the client has an engine that is running
	Since   time.Time // if Here is set, when the client initialized the connection to its first engine
	Trouble Trouble   // if Here is set, the trouble of the engine; the least trouble if the client has several engines
	Last    time.Time // if Here is not set, when the client was last connected
}

// Call is a tool call and the engine that has handled it.
type Call struct {
	Engine ipc.EngineID
	Client string // the name of the app that called
	status.Call
}

// CallKey identifies a call.
type CallKey struct {
	Engine ipc.EngineID
	ID     uint64
}

// Key returns the key of the call.
func (c Call) Key() CallKey { return CallKey{c.Engine, c.ID} }

// Broken reports whether the present file cannot be used.
func (s *Snapshot) Broken() bool { return s.File.Now == nil || !s.File.Now.Valid() }

// CountsDown reports whether a text about the snapshot changes every second, such as "trying again in 4 s".
func (s *Snapshot) CountsDown() bool {
	for server := range s.Live.Servers() {
		if server.CountsDown() {
			return true
		}
	}
	return false
}

// Server returns the combined state of a server, with the number of its tools that is known from the last time.
func (s *Snapshot) Server(at Choice) Server {
	server := s.Live.Server(at.Toolbox, at.Server)
	server.Known = len(s.Tools[at])
	return server
}

// Standing is like Server, but prefers an engine in which the server is connected over one that is starting it. So the
// tools of a connected server stay on the screen while the window starts the server to try one of them.
func (s *Snapshot) Standing(at Choice) Server {
	merged := s.Server(at)
	if merged.State != status.Starting {
		return merged
	}
	for _, engine := range s.Live.Engines {
		for _, server := range engine.Servers {
			if engine.InReach() && server.Toolbox == at.Toolbox && server.Name == at.Server &&
				server.State == status.Connected {
				merged.Server, merged.Engine, merged.Client = server, engine.ID, engine.Client
				return merged
			}
		}
	}
	return merged
}

// Entry returns the entry of a server in the newest usable configuration, or nil if there is none.
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

// ServerCount returns the number of servers in the configuration.
func (s *Snapshot) ServerCount() int {
	count := 0
	if s.Good != nil {
		for _, toolbox := range s.Good.Config.Toolboxes {
			count += len(toolbox.Servers)
		}
	}
	return count
}
