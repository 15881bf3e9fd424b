// Package settings is the screen for what the user can choose, and for looking whether the computer is ready for servers.
//
// What the screen shows is a [View], a plain value; what the user changes goes out through [Actions], and comes back in the
// next View.
package settings

import (
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// View is what the screen shows. It is not changed once handed over.
type View struct {
	Preferences Preferences
	Languages   []locale.Language // that the window speaks, without "as the system"

	Autostart Autostart
	Free      Free
	Links     model.Links
	ToolMode  ToolMode
	Secrets   []Secret // that the configuration refers to, see [SecretsOf]
	Doctor    Doctor
	Problems  int // as all of the window counts them
	About     About
	Runtimes  model.Runtimes
}

// Autostart is whether we start at login.
type Autostart struct {
	On bool

	// Note says why it cannot be switched on or off, or what is odd about it; empty when all is well.
	Note string

	// Fixed is set when it cannot be changed here.
	Fixed bool
}

// Free is whether the user edits the configuration with other programs, so that nothing waits for approval.
type Free struct {
	On    bool
	Known bool // else it cannot be chosen
}

// ToolMode is how clients get at tools.
type ToolMode struct {
	Mode config.ToolMode // as in the file; empty when there is no file that can be used

	// Forced is the mode that WORKBENCH_TOOL_MODE says instead, empty when it says nothing.
	Forced config.ToolMode

	// Search is whether models can look for tools in all toolboxes.
	Search bool

	// Fixed is set when the configuration cannot be changed now, because it is broken.
	Fixed bool
}

// What the screen shows of the state of the window.
type (
	Preferences = model.Preferences
	ThemeChoice = model.ThemeChoice
	Secret      = model.Secret
	Doctor      = model.Doctor
)

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
