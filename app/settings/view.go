// Package settings is the screen with the user's choices, and with the check whether the computer is ready for
// servers.
//
// The screen draws a [View], which is a plain value. Changes by the user go out through [Program] and come back in the
// next View.
package settings

import (
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// View is the content of the screen. A View must not be changed after it is passed to the screen.
type View struct {
	Preferences Preferences
	Languages   []locale.Language // the languages of the window, without "as the system"

	Login    model.Login
	Free     Free
	Links    model.Links
	Updates  model.Updates
	ToolMode ToolMode
	Secrets  []Secret // the secrets that the configuration refers to; see [SecretsOf]
	Doctor   Doctor
	Problems int // the number of problems that the rest of the window shows
	About    About
	Runtimes model.Runtimes
}

// Free tells whether the user edits the configuration with other programs, so that nothing waits for approval.
type Free struct {
	On    bool
	Known bool // On is known; otherwise the user cannot change it
}

// ToolMode tells how clients get tools.
type ToolMode struct {
	Mode config.ToolMode // as in the file; empty without a usable file

	// Forced is the mode that WORKBENCH_TOOL_MODE sets, or empty.
	Forced config.ToolMode

	// Search reports whether models can search for tools in all toolboxes.
	Search bool

	// Fixed reports that the configuration cannot be changed now, because it is broken.
	Fixed bool
}

// The parts of the model that the screen shows.
type (
	Preferences = model.Preferences
	ThemeChoice = model.ThemeChoice
	Secret      = model.Secret
	Doctor      = model.Doctor
)

// About describes the program.
type About struct {
	Version string
	Folders []Folder
	Website string // an address
	Licence string // an address
	Notices string // an address: the licences of the parts of the program
	Reports string // an address: where problems are reported
}

// Folder is a file or folder of Workbench on this computer.
type Folder struct {
	Title string // what the folder contains
	Path  string // an absolute path
}
