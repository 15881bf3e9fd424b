package ipc

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Version is the version of the protocol between engine and app. It counts up when the two no longer understand each
// other; messages and members that only add something don't change it.
const Version = 2

// About is what an engine tells about itself.
type About struct {
	Pid     int       `json:"pid"`
	Program string    `json:"program"` // the version of the program that it is
	Config  string    `json:"config"`  // the path of its configuration
	Started time.Time `json:"started,omitzero"`

	// ClientID is what registration wrote behind --client, "" when the client was set up by hand.
	ClientID string `json:"clientID,omitempty"`

	// ClientName and ClientVersion are the client's own words, one line each; "" until it has initialized.
	ClientName    string `json:"clientName,omitempty"`
	ClientVersion string `json:"clientVersion,omitempty"`

	// Initialized is when the client did so, zero before.
	Initialized time.Time `json:"initialized,omitzero"`
}

// EngineID tells engines apart as long as a [Hub] lives. An engine that comes back gets another one.
type EngineID uint64

// Engine is one engine as the app sees it at one moment. What it points to is never changed.
type Engine struct {
	ID EngineID
	About
	Connected time.Time // since when we know it

	// Own marks the app's own engine, the one that came by [Hub.Attach].
	Own bool

	// OtherVersion tells that it speaks another version of the protocol: of About, only what could be understood is set,
	// there is no Snapshot, and commands fail with [ErrOtherVersion].
	OtherVersion bool

	// Unresponsive tells that nothing has been heard of it for a while although it is connected.
	Unresponsive bool

	status.Snapshot
}

// Call is a call that passed through one of the engines.
type Call struct {
	Engine EngineID
	Client string // what the engine's client calls itself, else its id; kept when the engine is gone
	Own    bool   // of the app's own engine
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
