package ipc

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Version is the version of the protocol between engine and app. It is increased only if two versions cannot
// understand each other, and not for additional messages and members.
const Version = 2

// About is what an engine says about itself.
type About struct {
	Pid     int       `json:"pid"`
	Program string    `json:"program"` // its version of the program
	Config  string    `json:"config"`  // the path of its configuration
	Started time.Time `json:"started,omitzero"`

	// ClientID is the id after --client in the client's entry; "" if the client was set up by hand.
	ClientID string `json:"clientID,omitempty"`

	// ClientName and ClientVersion are what the client says about itself, one line each; "" until it has
	// initialized.
	ClientName    string `json:"clientName,omitempty"`
	ClientVersion string `json:"clientVersion,omitempty"`

	// Initialized is when the client initialized; zero before.
	Initialized time.Time `json:"initialized,omitzero"`
}

// EngineID identifies an engine as long as a [Hub] exists. An engine that connects again gets a new id.
type EngineID uint64

// Engine is the state of one engine at one moment. What it points to is never changed.
type Engine struct {
	ID EngineID
	About
	Connected time.Time // when it connected

	// Own is set for the app's own engine, which was connected by [Hub.Attach].
	Own bool

	// OtherVersion is set if the engine speaks another version of the protocol. Then About has only what
	// could be understood, there is no Snapshot, and commands fail with [ErrOtherVersion].
	OtherVersion bool

	// Unresponsive is set if the engine is connected but has been silent for a while.
	Unresponsive bool

	status.Snapshot
}

// Call is a call that passed through one of the engines.
type Call struct {
	Engine EngineID
	Client string // the name of the engine's client, else its id; kept after the engine is gone
	status.Call
}

// LogLine is a line of one server's log.
type LogLine struct {
	Engine          EngineID
	Toolbox, Server string
	status.LogLine

	// Missed is how many lines were dropped before this one because the reader was slow.
	Missed int
}
