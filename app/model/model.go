// Package model is the state of the window: the configuration file, the state of the engines, and everything else that
// the screens show. It consists of values and draws nothing. It does not import Fyne.
package model

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
)

// Model is the state of the window. Use it only on the goroutine of the window. The comment of each part names the
// code that changes it. After a change the visible screen is drawn again.
type Model struct {
	*Snapshot           // set by the app, which gets it from the aggregator
	Findings  *Findings // what is wrong in the snapshot and on this computer, and what helps; set by the app

	Apps    Apps              // set by clients.Service
	Login   Login             // set by the app after it has asked or changed the system
	Links   Links             // set by settings.Service after it has asked the system
	Updates Updates           // set by settings.Service after it has asked
	Secrets map[string]Secret // the answers of the keychain, by name; changed by settings.Service
	Doctor  Doctor            // the checks of this computer; changed by settings.Service

	Runtimes Runtimes // the programs that servers need and Workbench can install; set by runtimes.Service

	SigningIn Choice     // the server with a sign-in in the browser, or zero; set by detail.SignIn
	Questions []Question // the questions of servers to the user, of which the first is shown; changed by detail.Asking

	Steps *Steps // the progress of the first steps, or nil if they are not shown; set by welcome.Service

	Added *Trials // the servers that the dialog tries that adds servers, or nil; set by add.Service

	Drafts Drafts // what the user has typed for servers and has not saved yet; changed by editor.Screen

	Opened Opened // what is opened and selected; changed by the screens

	// Preferences are changed by the app's prefer method.
	Preferences *PreferencesStore // nil for the defaults, which are not saved
}

// GoodConfig returns the newest usable configuration, or nil.
func (m *Model) GoodConfig() *config.Config {
	if m.Snapshot == nil || m.Good == nil {
		return nil
	}
	return m.Good.Config
}

// Question is a question of a server whose tool is being tried.
type Question struct {
	Number int // a number that is used only once
	At     Choice
	Tool   string
}

// Apps describes the AI apps on this computer.
type Apps struct {
	Known    bool
	Statuses []clients.Status
	// by ID of a connected app, the servers that the app still has itself although they are in a toolbox
	Twice   map[string][]string
	Moved   map[string]bool // by ID, the apps out of which servers were moved
	ByHand  map[string]bool // by ID, the apps that the user has to connect with a command
	Sources []string        // the IDs of the apps with servers to import
	Problem string          // why the apps cannot be connected
	Note    string          // a remark for the user, although everything works
	HTTP    HTTP
}

// HTTP tells how apps that cannot start a program reach Workbench.
type HTTP struct {
	Known   bool // it is known, and can be switched on here
	On      bool
	Fixed   bool     // it was started outside of the window, which cannot end it
	Address string   // empty if it is off
	Apps    []string // the names of the apps with a token
	Problem string   // why it is off, or why the apps are not known
}

// Login tells whether the app starts at login.
type Login struct {
	Known bool // the start at login can be determined and changed here
	On    bool
	Note  string // why the start at login cannot be determined or changed
}

// Links tells which program opens workbench: links.
type Links struct {
	Known bool   // the system has answered
	On    bool   // this program opens the links
	Fixed bool   // the user cannot change this here
	Other string // another program that opens the links; empty if none does
	Note  string // why the system has not answered
}

// Updates tells whether there is a newer version of this program.
type Updates struct {
	Allowed bool
	Version string // the newer version; empty if none is known
	Page    string // where it is downloaded
	How     string // a sentence that says how this installation is updated
}

// SecretState tells whether the keychain contains a secret.
type SecretState int

// The states of a secret.
const (
	SecretUnknown SecretState = iota // not asked yet
	SecretPresent
	SecretMissing
	SecretUnreachable // the keychain did not answer
)

// Secret is one entry of the keychain that the configuration refers to as ${keyring:NAME}.
type Secret struct {
	Name   string
	UsedBy []string // "toolbox › server", in the order of the file
	State  SecretState
	Note   string // why the keychain did not answer
}

// Doctor has the results of "Check my computer".
type Doctor struct {
	Running bool
	// the checks in their order; those to come have the state [doctor.Pending]; nil before the first run
	Checks   []doctor.Check
	Finished time.Time // when the last run ended; zero before
}
