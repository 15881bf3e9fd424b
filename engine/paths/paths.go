// Package paths knows where things are stored: the user's home, the folders that programs use in it by the
// rules of each operating system, and the program's own files. The table is in docs/processes.md, "Where
// state lives".
package paths

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Folders are the folders of one user on one operating system. Paths have the separators of that system,
// which may differ from the one that the program runs on.
type Folders struct {
	OS     string                   // as in runtime.GOOS
	Home   string                   // empty if not known
	Getenv func(name string) string // nil means no variables
}

// Here returns the folders of the user on this computer. env is [os.Getenv] or a replacement. Home is empty
// if neither env nor the system knows it.
func Here(env func(string) string) Folders {
	f := Folders{OS: runtime.GOOS, Getenv: env}
	if f.Home = f.variable(f.homeVariable()); f.Home == "" {
		f.Home, _ = SystemHome()
	}
	return f
}

// SystemHome returns the user's home according to the system, not the environment. If the system does not
// list the user, as in a container, it is that of the environment.
func SystemHome() (string, error) {
	if own, ok := OfAccount(); ok {
		return own.Home, nil
	}
	return os.UserHomeDir()
}

// OfAccount returns the folders of the user's account, which no variable changes. ok is false if the system does not
// list the user, as in a container.
func OfAccount() (f Folders, ok bool) {
	current, err := user.Current()
	if err != nil || !filepath.IsAbs(current.HomeDir) {
		return f, false
	}
	return Folders{OS: runtime.GOOS, Home: current.HomeDir}, true
}

func (f Folders) homeVariable() string {
	if f.OS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

// IsAbs reports whether a path is absolute by the rules of an operating system.
func IsAbs(goos, path string) bool {
	if goos != "windows" {
		return strings.HasPrefix(path, "/")
	}
	path = strings.ReplaceAll(path, "/", `\`)
	drive := len(path) > 2 && path[1] == ':' && path[2] == '\\' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z')
	return drive || strings.HasPrefix(path, `\\`)
}

// variable returns the folder in a variable, without a separator at its end. A relative one is ignored, as
// the XDG base directory specification requires.
func (f Folders) variable(name string) string {
	if f.Getenv == nil {
		return ""
	}
	folder := f.Getenv(name)
	if !IsAbs(f.OS, folder) {
		return ""
	}
	if trimmed := strings.TrimRight(folder, f.separators()); IsAbs(f.OS, trimmed) {
		return trimmed
	}
	return folder // the root of a disk
}

func (f Folders) separators() string {
	if f.OS == "windows" {
		return `\/`
	}
	return "/"
}

// join is [filepath.Join] for the operating system f.OS. It returns "" when folder is empty.
func (f Folders) join(folder string, names ...string) string {
	if folder == "" {
		return ""
	}
	separators := f.separators()
	return strings.Join(append([]string{strings.TrimRight(folder, separators)}, names...), separators[:1])
}

// base returns the folder in a variable, else the usual one below the home folder; "" if neither is known.
func (f Folders) base(variable string, usual ...string) string {
	if folder := f.variable(variable); folder != "" {
		return folder
	}
	return f.join(f.Home, usual...)
}

// ConfigHome returns the folder for programs' configurations according to XDG, DataHome that for data, and
// StateHome that for state. These and the methods below return "" if they need the home folder and it is not
// known.
func (f Folders) ConfigHome() string { return f.base("XDG_CONFIG_HOME", ".config") }

// DataHome is described at [Folders.ConfigHome].
func (f Folders) DataHome() string { return f.base("XDG_DATA_HOME", ".local", "share") }

// StateHome is described at [Folders.ConfigHome].
func (f Folders) StateHome() string { return f.base("XDG_STATE_HOME", ".local", "state") }

// HostConfigHome returns the ConfigHome of other programs, since a program in a Flatpak has its own.
func (f Folders) HostConfigHome() string {
	if f.Getenv != nil && f.Getenv("FLATPAK_ID") != "" {
		return f.base("HOST_XDG_CONFIG_HOME", ".config")
	}
	return f.ConfigHome()
}

// AppData returns the folder for programs' data on Windows that follows the user to other computers.
func (f Folders) AppData() string { return f.base("APPDATA", "AppData", "Roaming") }

// LocalAppData returns the folder for programs' data on Windows that stays on this computer.
func (f Folders) LocalAppData() string { return f.base("LOCALAPPDATA", "AppData", "Local") }

// Support returns the folder for programs' data on macOS.
func (f Folders) Support() string { return f.join(f.Home, "Library", "Application Support") }

// NoHome returns the error for an unknown home folder.
func (f Folders) NoHome() error {
	return words.NewError("paths.no_home", "Variable", f.homeVariable())
}

// own returns a path of ours: below an XDG folder, or in our single folder on Windows and macOS. It is never
// under AppData, since Windows gives packaged programs a private copy of that.
func (f Folders) own(xdg string, names ...string) (string, error) {
	folder := f.join(xdg, "workbench")
	switch f.OS {
	case "windows":
		folder = f.join(f.Home, ".workbench")
	case "darwin":
		folder = f.join(f.Support(), "Workbench")
	}
	if folder == "" {
		return "", f.NoHome()
	}
	return f.join(folder, names...), nil
}

// Config returns the path of the file name in the folder of our configuration.
func (f Folders) Config(name string) (string, error) { return f.own(f.ConfigHome(), name) }

// Preferences returns the file with the user's settings of the desktop app.
func (f Folders) Preferences() (string, error) { return f.Config("preferences.json") }

// History returns the folder of the histories of configurations.
func (f Folders) History() (string, error) { return f.own(f.StateHome(), "history") }

// Unapplied returns the file that names the servers with changes in the window that were typed and not
// applied.
func (f Folders) Unapplied() (string, error) { return f.own(f.StateHome(), "unapplied") }

// Approvals returns the file that records what a person has approved to run.
func (f Folders) Approvals() (string, error) { return f.own(f.StateHome(), "approvals.json") }

// Clients returns the folder with our records about clients: where they have our entry, and what their files
// were before.
func (f Folders) Clients() (string, error) { return f.own(f.StateHome(), "clients") }

// SignIns returns the folder of the sign-ins to remote servers.
func (f Folders) SignIns() (string, error) { return f.own(f.StateHome(), "sign-ins") }

// Tokens returns the file with the tokens of apps that use the engine over HTTP.
func (f Folders) Tokens() (string, error) { return f.own(f.StateHome(), "tokens.json") }

// Serving returns the path of the file that says where apps reach "serve".
func (f Folders) Serving() (string, error) { return f.own(f.StateHome(), "serving.json") }

// Pins returns the folder with the definitions that servers' tools had when they were approved.
func (f Folders) Pins() (string, error) { return f.own(f.StateHome(), "pins") }

// Logs returns the folder of the logs of engines and servers.
func (f Folders) Logs() (string, error) { return f.own(f.StateHome(), "logs") }

// Usage returns the folder with the counts of calls: how many there were, and when.
func (f Folders) Usage() (string, error) { return f.own(f.StateHome(), "usage") }

// Updates returns the file that keeps whether the program may ask for newer versions, and which is the newest.
func (f Folders) Updates() (string, error) { return f.own(f.StateHome(), "updates.json") }

// Notes returns the folder of the notes that the built-in server keeps.
func (f Folders) Notes() (string, error) { return f.own(f.StateHome(), "notes") }

// Extensions returns the folder below which desktop extensions are unpacked.
func (f Folders) Extensions() (string, error) { return f.own(f.DataHome(), "extensions") }

// Cache returns a folder for what programs that servers need download, on Windows; see package environ.
func (f Folders) Cache(name string) (string, error) { return f.own(f.DataHome(), "cache", name) }

// Runtimes returns the folder of programs that servers need and that Workbench has installed, such as
// Node.js. On Windows they are not below the home folder itself, which some organisations copy to a server at
// every logout. Of all that is ours, they are the one that may have two copies.
func (f Folders) Runtimes() (string, error) {
	if folder := f.LocalAppData(); f.OS == "windows" && folder != "" {
		return f.join(folder, "Workbench", "runtimes"), nil
	}
	return f.own(f.DataHome(), "runtimes")
}

// Own returns the folders that are the program's own, each once: configuration, state and data.
func (f Folders) Own() (folders []string) {
	for _, name := range []func() (string, error){
		func() (string, error) { return f.own(f.ConfigHome()) },
		func() (string, error) { return f.own(f.StateHome()) },
		func() (string, error) { return f.own(f.DataHome()) },
		func() (string, error) {
			runtimes, err := f.Runtimes()
			return filepath.Dir(runtimes), err
		},
	} {
		if folder, err := name(); err == nil && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}
