package model

import (
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Engine is one engine as it describes itself, or the one inside the app.
type Engine struct {
	ID string // unique while the app runs

	// Client is the app that started the engine, in words for people, such as "Claude Desktop". ClientID is what
	// registration wrote (--client), which may be empty.
	Client, ClientID, ClientVersion string

	Own         bool   // it is the app's own, for servers that are started and tried in the window
	Program     string // its version of Workbench
	Pid         int
	Started     time.Time
	Initialized time.Time // when the client shook hands; zero before
	Config      string    // the path of its configuration file
	Elsewhere   bool      // its configuration is another file than the one in the window
	Trouble     Trouble

	Open    []string // names of open toolboxes
	Servers []status.Server
}

// Trouble is the reason why the window cannot see and control an engine although it is connected.
type Trouble int

// What that can be.
const (
	NoTrouble    Trouble = iota
	Silent               // it has sent nothing for a while, so its last state may be out of date
	OtherVersion         // it belongs to another version of Workbench, whose messages are not understood
)

// InReach reports whether an engine has the window's configuration, and can be seen and controlled.
func (e Engine) InReach() bool { return !e.Elsewhere && e.Trouble == NoTrouble }

// Live is the state of all engines at one moment. It is used by reference, and does not change after the first call of a method.
type Live struct {
	Config  *config.Config             // the newest usable configuration; nil when there is none
	Engines []Engine                   // by the time they started
	Paused  bool                       // "Pause all" is on
	Changed map[Choice]approval.Reason // servers that wait for the person, and why

	once   sync.Once
	merged map[Choice]Server
	other  string // the client of an engine of another version; "" when there is none
}

// Unreached returns the names of the clients whose engines cannot be controlled by the window, each once.
func (s *Live) Unreached() []string {
	var names []string
	for _, engine := range s.Engines {
		if engine.Trouble != NoTrouble {
			names = together(names, []string{engine.Client})
		}
	}
	return names
}

// Server is one configured server over all engines.
type Server struct {
	// Server is its state in the engine where it most needs the user, else where it is furthest.
	status.Server

	Paused bool // the user has paused all engines, so that none has it

	Changed bool            // another program has added or changed it, and nobody has approved that
	Why     approval.Reason // it waits, if it does

	// Unseen is set when only an engine that cannot be seen may have the server, that of Client. Nothing is known of it then.
	Unseen Trouble

	Engine  string   // the ID of that engine, empty when no engine has started it
	Client  string   // that engine's client, in words
	Clients []string // the clients by which it is connected, in words, each once
}

// CountsDown reports whether the words of a server change with the second, so that they are to be made anew that often.
func (s Server) CountsDown() bool { return s.State == status.Stopped && !s.RetryAt.IsZero() }
