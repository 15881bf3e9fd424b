package model

import (
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Engine is the state of one engine, which may be the one inside the app.
type Engine struct {
	ID ipc.EngineID

	// Client is the name of the app that started the engine, such as "Claude Desktop". ClientID is the ID that
	// registration wrote (--client) and may be empty.
	Client, ClientID, ClientVersion string

	Own         bool   // the app's own engine, for servers that the user starts and tries in the window
	Program     string // the version of Workbench that the engine runs
	Pid         int
	Started     time.Time
	Initialized time.Time // when the client has initialized the connection; zero before
	Config      string    // the path of its configuration file
	Elsewhere   bool      // the engine uses another configuration file than the window
	Trouble     Trouble

	Open    []string // names of open toolboxes
	Servers []status.Server
}

// Trouble is the reason why the window cannot see and control an engine although it is connected.
type Trouble int

// The reasons.
const (
	NoTrouble    Trouble = iota
	Silent               // the engine has sent nothing for a while, so its last state may be out of date
	OtherVersion         // the engine belongs to another version of Workbench, whose messages are not understood
)

// InReach reports whether an engine has the window's configuration, and can be seen and controlled.
func (e Engine) InReach() bool { return !e.Elsewhere && e.Trouble == NoTrouble }

// Live is the state of all engines at one moment. It must not be copied, and must not be changed after the first call
// of a method.
type Live struct {
	Config  *config.Config             // the newest usable configuration, or nil
	Engines []Engine                   // in the order of their start
	Paused  bool                       // "Pause all" is on
	Changed map[Choice]approval.Reason // servers that wait for approval, with the reason
	Missing Missing                    // what has to be filled in
	Uses    map[int]process.Use        // what the processes of [Live.Copied] use, as far as that was measured

	once   sync.Once
	merged map[Choice]Server
	other  string          // the client of an engine of another version, or ""
	always map[string]bool // the toolboxes that are always open
	copied map[Choice][]copied
}

// Unreached returns the names of the clients whose engines the window cannot control, without duplicates.
func (s *Live) Unreached() []string {
	var names []string
	for _, engine := range s.Engines {
		if engine.Trouble != NoTrouble {
			names = together(names, []string{engine.Client})
		}
	}
	return names
}

// Server is the combined state of a server in all engines.
type Server struct {
	// Server is the state in the engine where the server most needs the user. If it needs the user in none, it is the
	// state in the engine where the server is most advanced.
	status.Server

	Paused bool // the user has paused all engines, so no engine runs it

	Known int // how many tools it offered AI apps when it was last connected; 0 if that is not known

	AlwaysOpen bool // the server's toolbox is always open
	// the toolbox is open in an app that has not started the server, for example because it was added later
	Open bool

	Changed bool            // another program has added or changed it, and the user has not approved that
	Why     approval.Reason // the reason if Changed is set

	// Unseen is set if no engine in reach has a state for the server, but an engine whose state cannot be read may run
	// it. Client is then the client of that engine.
	Unseen Trouble

	Missing []foreign.Missing // what has to be filled in before the server can work

	Engine  ipc.EngineID // the engine that the state is from; 0 if no engine has started or stopped the server
	Client  string       // the name of that engine's client
	Clients []string     // the names of the clients in whose engines the server is connected, without duplicates

	Together bool     // all Clients use the same process
	Apart    []string // the clients for each of which it runs alone although it should be shared, see Process.Alone
	Copies   Copies
}

// CountsDown reports whether the texts about a server change every second.
func (s Server) CountsDown() bool { return s.State == status.Stopped && !s.RetryAt.IsZero() }
