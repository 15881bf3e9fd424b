// Package settings is the screen for what the user can choose, and for looking whether the computer is ready for servers.
//
// What the screen shows is a [View], a plain value; what the user changes goes out through [Actions], and comes back in the
// next View.
package settings

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/doctor"
)

// View is what the screen shows. It is not changed once handed over.
type View struct {
	Preferences Preferences
	Languages   []locale.Language // that the window speaks, without "as the system"

	Autostart Autostart
	ToolMode  ToolMode
	Secrets   []Secret // that the configuration refers to, see [SecretsOf]
	Doctor    Doctor
	About     About
}

// Autostart is whether we start at login.
type Autostart struct {
	On bool

	// Note says why it cannot be switched on or off, or what is odd about it; empty when all is well.
	Note string

	// Fixed is set when it cannot be changed here.
	Fixed bool
}

// ToolMode is how clients get at tools.
type ToolMode struct {
	Mode config.ToolMode // as in the file; empty when there is no file that can be used

	// Forced is the mode that WORKBENCH_TOOL_MODE says instead, empty when it says nothing.
	Forced config.ToolMode

	// Fixed is set when the configuration cannot be changed now, because it is broken.
	Fixed bool
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

// Doctor is what "Check my computer" has found.
type Doctor struct {
	Running  bool
	Checks   []doctor.Check // in their order; those still to come have the state [doctor.Pending]. None before the first run
	Finished time.Time      // when the last run ended; zero before
}

// About says what this program is.
type About struct {
	Version string
	Build   string // how it was built, in a few words
	Folders []Folder
	Website string // an address
	Licence string // an address
	Notices string // an address or a path: the licences of what is in the program
}

// Folder is a place on this computer where something of ours is.
type Folder struct {
	Title string // what is there
	Path  string // a file or a folder, absolute
}
