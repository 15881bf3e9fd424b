// Package model is the state of the window: what the configuration file and the engines say, and all else that the screens show.
// It consists of values and draws nothing: it does not know Fyne.
package model

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/doctor"
)

// Model is the one state of the window. It belongs to the goroutine of the window. Each part names the code that changes it. After a
// change the visible screen is drawn.
type Model struct {
	*Snapshot // by the app, as the aggregator hands it over

	Apps    Apps              // by clients.Service, which looks for them
	Login   Login             // by the app, when it has asked the system or switched it
	Links   Links             // by the service of the settings, when the system was asked
	Secrets map[string]Secret // the answers of the keychain, by name; changed by settings.Service
	Doctor  Doctor            // the checks of this computer; changed by settings.Service

	Runtimes Runtimes // what servers need and can be got here; by runtimes.Service

	SigningIn Choice     // the server for which a sign-in in the browser is waited for, zero for none; by detail.SignIn
	Questions []Question // what servers ask the person, in their order; the first is shown. Changed by detail.Asking

	Steps *Steps // how far the first steps are, nil but while they are under way; by welcome.Service

	Drafts Drafts // what is typed for servers and not in the file yet; changed by editor.Screen

	// Preferences are by the app: what changes them goes through its prefer.
	Preferences *PreferencesStore // nil: the usual ones, and they are not kept
}

// Preferred is what the user prefers. It can be called on any goroutine.
func (m *Model) Preferred() Preferences {
	if m.Preferences == nil {
		return DefaultPreferences()
	}
	return m.Preferences.Get()
}

// GoodConfig is the newest configuration that could be used, nil when there was none.
func (m *Model) GoodConfig() *config.Config {
	if m.Snapshot == nil || m.Good == nil {
		return nil
	}
	return m.Good.Config
}

// Question is what a server asks while one of its tools is tried.
type Question struct {
	Number int // that no other question has
	At     Choice
	Tool   string
}

// Apps describes the AI apps on this computer.
type Apps struct {
	Known    bool
	Statuses []clients.Status
	Twice    map[string][]string // the names of the servers that connected apps have themselves although they are in a toolbox, by ID
	ByHand   map[string]bool     // those that people have to connect themselves, with a command, by ID
	Sources  []string            // the IDs of those that have servers to bring in
	Problem  string              // why they cannot be connected
	Note     string              // worth knowing although everything works
}

// Login is whether the app starts at login.
type Login struct {
	Known bool // it can be told and changed here
	On    bool
	Note  string // why it cannot
}

// Links is which program opens workbench: links.
type Links struct {
	Known bool // it can be told
	On    bool // this one does
	Fixed bool // it cannot be changed here
	Other string
	Note  string // why it cannot be told
}

// SecretState is whether the keychain has a secret.
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
	Note   string // why it is unreachable
}

// Doctor has the results of "Check my computer".
type Doctor struct {
	Running  bool
	Checks   []doctor.Check // in their order; those still to come have the state [doctor.Pending]. None before the first run
	Finished time.Time      // when the last run ended; zero before
}
